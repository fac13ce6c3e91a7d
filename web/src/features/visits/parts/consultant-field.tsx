import { useQuery } from '@tanstack/react-query'
import { Form, Select } from 'antd'
import { desksQuery } from '@/features/visits/data/queries'
import { searchByWord } from '@/ui/select-search'
import { DeskState } from './desk-state'
import './consultant-select.css'

type Props = {
  label: string
  required?: string
  /** The label of the option for no consultant. */
  anyone?: string
  /** The id of a consultant who is not offered. */
  except?: string | undefined
  autoFocus?: boolean
}

/** The value of the option for no consultant. */
export const anyone = 'anyone'

/** Chooses a consultant by name, with the state of the desk. */
export function ConsultantField({ label, required, anyone: anyoneLabel, except, autoFocus = false }: Props) {
  const { data: desks = [] } = useQuery(desksQuery)
  const offered = desks.filter(({ consultantId }) => consultantId !== except)
  return (
    <Form.Item
      name="consultant"
      label={label}
      rules={required ? [{ required: true, message: required }] : []}
    >
      <Select
        showSearch={searchByWord}
        autoFocus={autoFocus}
        options={[
          ...(anyoneLabel ? [{ value: anyone, label: anyoneLabel, desk: undefined }] : []),
          ...offered.map((desk) => ({ value: desk.consultantId, label: desk.name, desk })),
        ]}
        optionRender={({ label: name, data }) => (
          <span className="consultant-choice">
            <b>{name}</b>
            {data.desk ? <DeskState desk={data.desk} /> : null}
          </span>
        )}
      />
    </Form.Item>
  )
}
