import { messages } from '@/admin-messages'
import { Button } from 'antd'
import type { ReactNode } from 'react'
import { fill } from '@/messages'
import { Panel, PanelBody } from '@/ui/panel'
import { Records } from '@/ui/records'
import { csvOf } from './csv'
import { save } from '@/ui/save-file'

const text = messages.reports

/** A row of a table: its name and its numbers as text. */
export type ReportRow = { key: string; cells: readonly string[] }

type Props = {
  title: string
  /** The titles of the columns; the first column has the names of the rows. */
  heads: readonly string[]
  rows: readonly ReportRow[]
  /** Renders the name of a row in the table; by default it is the first cell. */
  lead?: (row: ReportRow) => ReactNode
  file: string
  /** Drawn above the table; the table has the same numbers. */
  children?: ReactNode
}

type CsvProps = {
  title: string
  /** The rows of the file; the first has the titles of the columns. */
  table: readonly (readonly string[])[]
  file: string
}

export function CsvButton({ title, table, file }: CsvProps) {
  const download = () => save(new Blob([csvOf(table)], { type: 'text/csv;charset=utf-8' }), `${file}.csv`)
  return (
    <Button aria-label={fill(text.csvOf, { title })} onClick={download}>
      {text.csv}
    </Button>
  )
}

const firstCell = ({ cells }: ReportRow) => cells[0]

/** A chart, its numbers as a table, and a button that saves the table as a CSV file. */
export function ReportPanel({ title, heads, rows, lead: named = firstCell, file, children }: Props) {
  const [lead = '', ...rest] = heads
  return (
    <Panel
      title={title}
      className="report-panel"
      extra={<CsvButton title={title} table={[heads, ...rows.map(({ cells }) => cells)]} file={file} />}
    >
      {children && rows.length > 0 ? (
        <PanelBody>
          <figure className="report-chart" role="img" aria-label={fill(text.chart, { title })}>
            {children}
          </figure>
        </PanelBody>
      ) : null}
      <Records
        label={title}
        columns={[
          { key: 'lead', title: lead, entry: 'lead', render: (row) => <b>{named(row)}</b> },
          ...rest.map((head, index) => ({
            key: head,
            title: head,
            align: 'right' as const,
            entry: 'titled' as const,
            render: ({ cells }: ReportRow) => cells[index + 1] ?? null,
          })),
        ]}
        rows={rows}
        rowKey={({ key }) => key}
        empty={text.none}
      />
    </Panel>
  )
}
