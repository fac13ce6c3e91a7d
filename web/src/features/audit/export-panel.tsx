import { useMutation } from '@tanstack/react-query'
import { Button } from 'antd'
import type { Dayjs } from 'dayjs'
import { useEffect, useRef, useState } from 'react'
import { counted, fill, plural } from '@/messages'
import { messages } from '@/admin-messages'
import { Icon } from '@/ui/icon'
import { useOfficeTime } from '@/ui/office-time'
import { Panel, PanelBody } from '@/ui/panel'
import { DayField } from './day-field'
import { dayOf } from './days'
import { exportVisitors, type Progress } from './export'

const text = messages.auditRecords.export

/** Exports the visits of a period as a file; an empty date means today. */
export function ExportPanel() {
  const [start, setStart] = useState<Dayjs | null>(null)
  const [end, setEnd] = useState<Dayjs | null>(null)
  const [progress, setProgress] = useState<Progress | null>(null)
  const { today } = useOfficeTime()
  const run = useMutation(exportVisitors)
  const cancel = useRef<AbortController>(null)
  useEffect(() => () => cancel.current?.abort(), [])

  const submit = () => {
    const control = new AbortController()
    cancel.current = control
    setProgress(null)
    run.mutate({
      ...dayOf('start', start),
      ...dayOf('end', end),
      today: today(),
      signal: control.signal,
      onProgress: setProgress,
    })
  }

  return (
    <Panel title={text.title}>
      <PanelBody>
        <div className="export-panel">
          <DayField id="export-start" label={text.start} value={start} onChange={setStart} />
          <DayField id="export-end" label={text.end} value={end} onChange={setEnd} />
          <Button
            type="primary"
            icon={<Icon name="download" size={18} />}
            disabled={run.isPending}
            onClick={submit}
          >
            {run.isPending ? text.busy : text.submit}
          </Button>
          {run.isPending ? <Button onClick={() => cancel.current?.abort()}>{text.cancel}</Button> : null}
        </div>
        <p className="export-hint">{text.hint}</p>
        {run.isPending ? <Bar progress={progress} /> : null}
        <p className="export-result" role="status">
          {run.isSuccess && !run.data.cancelled
            ? fill(plural(text.exported, run.data.rows), { rows: counted(run.data.rows) })
            : null}
        </p>
      </PanelBody>
    </Panel>
  )
}

function Bar({ progress }: { progress: Progress | null }) {
  const { rows = 0, total = null } = progress ?? {}
  return (
    <div className="export-progress">
      <progress aria-label={text.progress} {...(total ? { value: rows, max: total } : {})} />
      <span>
        {total === null
          ? fill(plural(text.rows, rows), { rows: counted(rows) })
          : fill(plural(text.rowsOf, total), { rows: counted(rows), total: counted(total) })}
      </span>
    </div>
  )
}
