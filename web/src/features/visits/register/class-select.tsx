import { Select } from 'antd'
import { givenClasses, type GivenClass } from '@/features/visits/parts/row-menu'
import { messages } from '@/staff-messages'

const text = messages.life.classes

type Props = { id?: string; value?: GivenClass; onChange?: (of: GivenClass) => void }

/** Selects the class of a visitor. The reason for a priority is not asked for. */
export function ClassSelect(field: Props) {
  return (
    <Select
      {...field}
      popupMatchSelectWidth={false}
      options={givenClasses.map((value) => ({ value, label: text[value] }))}
      optionRender={({ data }) => (
        <span className="class-option small-texts">
          {data.label}
          <small>{text.hints[data.value]}</small>
        </span>
      )}
    />
  )
}
