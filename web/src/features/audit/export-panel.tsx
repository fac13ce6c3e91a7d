import { useMutation } from '@tanstack/react-query'
import { Button, DatePicker } from 'antd'
import type { Dayjs } from 'dayjs'
import { useState } from 'react'
import { messages } from '@/messages'
import { Field } from '@/ui/field'
import { Icon } from '@/ui/icon'
import { useOfficeTime } from '@/ui/office-time'
import { Panel, PanelBody } from '@/ui/panel'
import { dayOf, shownDay } from './days'
import { exportVisitors } from './export'

const text = messages.audit.export

/** The visits of some days as a file; a date left empty is today. */
export function ExportPanel() {
  const [start, setStart] = useState<Dayjs | null>(null)
  const [end, setEnd] = useState<Dayjs | null>(null)
  const { today } = useOfficeTime()
  const run = useMutation(exportVisitors)

  return (
    <Panel title={text.title}>
      <PanelBody>
        <div className="export-panel">
          <Field label={text.start} htmlFor="export-start">
            <DatePicker
              id="export-start"
              format={shownDay}
              placeholder={text.start}
              value={start}
              onChange={setStart}
            />
          </Field>
          <Field label={text.end} htmlFor="export-end">
            <DatePicker
              id="export-end"
              format={shownDay}
              placeholder={text.end}
              value={end}
              onChange={setEnd}
            />
          </Field>
          <Button
            type="primary"
            icon={<Icon name="download" size={18} />}
            disabled={run.isPending}
            onClick={() => run.mutate({ ...dayOf('start', start), ...dayOf('end', end), today: today() })}
          >
            {run.isPending ? text.busy : text.submit}
          </Button>
        </div>
      </PanelBody>
    </Panel>
  )
}
