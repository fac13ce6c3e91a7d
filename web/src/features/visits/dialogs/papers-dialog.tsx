import { useMutation, useQuery } from '@tanstack/react-query'
import { Button, Form, Input, InputNumber, Modal, Select } from 'antd'
import { useState, type ReactNode } from 'react'
import { showRejectedFields } from '@/api/rejected-fields'
import type { Bodies, Document } from '@/api/types'
import { isCode } from '@/features/visits/data/act'
import type { Issuer, ServiceChoice } from '@/features/visits/data/action-context'
import type { Subject } from '@/features/visits/data/actions'
import { documentsQuery, saveDocuments } from '@/features/visits/data/papers'
import { ActionDialog } from '@/features/visits/parts/action-dialog'
import { useReceipts } from '@/features/visits/slips/receipts'
import { inBackground } from '@/in-background'
import { fill } from '@/messages'
import { messages } from '@/staff-messages'
import { Icon } from '@/ui/icon'
import { LoadAgain } from '@/ui/load-again'
import { useOfficeTime } from '@/ui/office-time'
import { PaperName, usePaperNames } from '@/ui/paper-words'
import '@/features/visits/parts/papers.css'

const text = messages.papers
const longestLabel = 120
const longestNote = 200
const mostPages = 9999
const mostPapers = 40

type Paper = Bodies['GivenDocument'] | Document
type Values = { documents: Bodies['GivenDocument'][] }
type Props = { subject: Subject; services: readonly ServiceChoice[]; office: Issuer; onClose: () => void }

/** The papers of a visit, each with its state: missing, brought, left with the office, or given back. */
export function PapersDialog({ subject, services, office, onClose }: Props) {
  const { data: stored, isError, refetch } = useQuery(documentsQuery(subject.id))
  // The stored papers when editing began. A colleague's change does not replace them: saving is then rejected, and the
  // change is shown.
  const [edited, setEdited] = useState<typeof stored>()
  const data = edited ?? stored
  const service = subject.visit?.service.id ?? ''
  const { papers = [] } = services.find(({ id }) => id === service) ?? {}
  const receipts = useReceipts({ subject, office, papers, documents: data?.documents ?? [] })
  if (isError) {
    return (
      <Modal open title={fill(text.of, { token: subject.token })} footer={null} onCancel={onClose}>
        <LoadAgain text={text.loadFailed} onRetry={() => inBackground(refetch())} />
      </Modal>
    )
  }
  if (!data) return null
  // A visit without recorded papers begins with the checklist of its service.
  const known: readonly Paper[] =
    data.version > 0
      ? data.documents
      : papers.map(({ key, label, required }) => ({ key, label, required, state: 'missing' }))
  return (
    <>
      <Papers
        key={data.version}
        {...{ subject, service, known, onClose }}
        version={data.version}
        receipts={receipts.buttons(edited !== undefined)}
        onEdit={() => setEdited(data)}
        onStale={() => setEdited(undefined)}
      />
      {receipts.slip}
    </>
  )
}

type PapersProps = Pick<Props, 'subject' | 'onClose'> & {
  service: string
  known: readonly Paper[]
  version: number
  /** The buttons that print receipts, which need stored papers. */
  receipts: ReactNode
  onEdit: () => void
  /** Called when another person has changed the papers. */
  onStale: () => void
}

function Papers({ subject, service, known, version, receipts, onEdit, onStale, onClose }: PapersProps) {
  const [form] = Form.useForm<Values>()
  const nameOf = usePaperNames(service)
  const save = useMutation(saveDocuments)
  const reject = (error: Error) => {
    if (isCode(error, 'stale_version')) onStale()
    else showRejectedFields(form, error)
  }
  const submit = () => {
    // All values, including those without a field: the number and the key of a paper.
    const { documents } = form.getFieldsValue(true) as Values
    save.mutate({ id: subject.id, version, documents }, { onSuccess: onClose, onError: reject })
  }
  return (
    <ActionDialog<Values>
      name="papers"
      title={fill(text.of, { token: subject.token })}
      submit={text.save}
      form={form}
      values={{ documents: [...known] }}
      pending={save.isPending}
      error={save.error}
      width={840}
      onChange={onEdit}
      onSubmit={submit}
      onClose={onClose}
    >
      <Form.List name="documents">
        {(rows, { add, remove }) => (
          <>
            <div className="papers-dialog">
              {rows.map((row) => {
                const paper = known[row.key]
                const name = paper ? nameOf({ key: paper.key ?? null, label: paper.label }) : undefined
                return (
                  <PaperRow
                    key={row.key}
                    index={row.name}
                    name={name}
                    shown={
                      paper && (
                        <PaperName service={service} of={{ key: paper.key ?? null, label: paper.label }} />
                      )
                    }
                    wasLeft={paper?.state === 'left' || paper?.state === 'returned'}
                    stored={paper && 'acknowledgement' in paper ? paper : undefined}
                    onRemove={() => remove(row.name)}
                  />
                )
              })}
            </div>
            <Button
              icon={<Icon name="plus" size={18} />}
              disabled={rows.length >= mostPapers}
              onClick={() => add({ label: '', state: 'brought' })}
            >
              {text.add}
            </Button>
            {receipts}
          </>
        )}
      </Form.List>
    </ActionDialog>
  )
}

type RowProps = {
  index: number
  /** Undefined for a paper that is added now. */
  name: string | undefined
  /** The name on screen, marked as English where a translation is missing. */
  shown: ReactNode
  /** Whether the paper was left: only such a paper can be returned. */
  wasLeft: boolean
  /** The paper as stored. A paper with the number of a receipt can be returned, but not removed. */
  stored: Document | undefined
  onRemove: () => void
}

const states: readonly Document['state'][] = ['missing', 'brought', 'left', 'returned']
const forms = (['original', 'copy'] as const).map((value) => ({ value, label: text.forms[value] }))
const eitherForm = forms.map(({ label }) => label).join(' / ')

function PaperRow({ index, name, shown, wasLeft, stored, onRemove }: RowProps) {
  const time = useOfficeTime()
  const state = Form.useWatch<Document['state'] | undefined>(['documents', index, 'state'])
  // Papers that were not left need no note, so their rows have no field for one.
  const isNoted = state === 'left' || state === 'returned' || Boolean(stored?.note)
  const kept = Boolean(stored?.acknowledgement)
  const facts = [
    stored?.acknowledgement,
    stored?.by,
    stored?.at && `${time.day(stored.at)}, ${time.time(stored.at)}`,
  ].filter(Boolean)
  return (
    <div className="papers-row" role="group" aria-label={name ?? text.paper}>
      {name === undefined ? (
        <Form.Item
          name={[index, 'label']}
          className="papers-name"
          rules={[{ required: true, whitespace: true, message: text.labelRequired }]}
        >
          <Input aria-label={text.paper} placeholder={text.paper} maxLength={longestLabel} autoFocus />
        </Form.Item>
      ) : (
        <span className="papers-name">
          <b>{shown}</b> {facts.length > 0 ? <small>{facts.join(', ')}</small> : null}
        </span>
      )}
      <Form.Item name={[index, 'state']}>
        <Select
          aria-label={text.state}
          options={states.map((value) => ({
            value,
            label: text.states[value],
            disabled: value === 'returned' ? !wasLeft : kept && value !== 'left',
          }))}
        />
      </Form.Item>
      <Form.Item name={[index, 'form']}>
        <Select aria-label={eitherForm} placeholder={eitherForm} allowClear disabled={kept} options={forms} />
      </Form.Item>
      <Form.Item name={[index, 'pages']}>
        <InputNumber
          controls={false}
          aria-label={text.pages}
          placeholder={text.pages}
          min={1}
          max={mostPages}
          precision={0}
        />
      </Form.Item>
      <Button
        icon={<Icon name="x" size={18} />}
        disabled={kept}
        aria-label={name === undefined ? text.removeNew : fill(text.remove, { paper: name })}
        onClick={onRemove}
      />
      {isNoted ? (
        <Form.Item name={[index, 'note']} className="papers-note">
          <Input
            className="papers-note-text"
            aria-label={text.note}
            placeholder={text.note}
            maxLength={longestNote}
          />
        </Form.Item>
      ) : null}
    </div>
  )
}
