import { useMutation } from '@tanstack/react-query'
import { Button, Popconfirm } from 'antd'
import { Suspense, useState } from 'react'
import { chunk } from '@/chunk'
import { messages } from '@/admin-messages'
import { languages, type Language } from '@/locales/languages'
import { fill } from '@/messages'
import { useOfficeTime } from '@/ui/office-time'
import { Panel, PanelBody } from '@/ui/panel'
import { Records, TwoLines, type Column } from '@/ui/records'
import { deleteVoice, type VoicePack } from './queries'

const text = messages.voices

const Studio = chunk(async () => (await import('./studio')).Studio)

type Row = { language: Language; pack: VoicePack | undefined }
type Props = { packs: readonly VoicePack[] | undefined; offered: readonly Language[] }

/** The voices of the screens: for each language the shipped voice, or a voice recorded in the office. */
export function VoicesPanel({ packs, offered }: Props) {
  const [recorded, setRecorded] = useState<Language | null>(null)
  const rows = offered.map((language) => ({
    language,
    pack: packs?.find((pack) => pack.language === language),
  }))
  return (
    <Panel title={text.title}>
      <PanelBody>
        <p>{text.hint}</p>
      </PanelBody>
      <Records
        label={text.title}
        columns={useColumns(setRecorded)}
        rows={packs ? rows : []}
        rowKey={({ language }) => language}
        empty=""
        loading={packs ? undefined : text.loading}
      />
      {recorded ? (
        <Suspense fallback={null}>
          <Studio language={recorded} onClose={() => setRecorded(null)} />
        </Suspense>
      ) : null}
    </Panel>
  )
}

function useColumns(onRecord: (language: Language) => void): Column<Row>[] {
  const time = useOfficeTime()
  return [
    {
      key: 'language',
      title: text.language,
      entry: 'lead',
      render: ({ language }) => <b lang={language}>{languages[language].name}</b>,
    },
    {
      key: 'voice',
      title: text.voice,
      entry: 'titled',
      render: ({ pack }) =>
        pack ? (
          <TwoLines
            first={fill(text.recorded, { speaker: pack.speaker })}
            second={fill(text.recordedOn, { day: time.day(pack.recordedAt), who: pack.recordedBy })}
          />
        ) : (
          <TwoLines first={text.shipped} second={text.shippedHint} />
        ),
    },
    {
      key: 'actions',
      title: text.actions,
      width: 260,
      entry: 'line',
      render: (row) => <Actions row={row} onRecord={() => onRecord(row.language)} />,
    },
  ]
}

function Actions({ row: { language, pack }, onRecord }: { row: Row; onRecord: () => void }) {
  const remove = useMutation(deleteVoice)
  const { name } = languages[language]
  return (
    <span className="row-actions">
      <Button size="small" aria-label={fill(text.recordOf, { language: name })} onClick={onRecord}>
        {pack ? text.recordAgain : text.record}
      </Button>
      {pack ? (
        <Popconfirm
          title={text.deleteTitle}
          description={fill(text.deleteText, { speaker: pack.speaker })}
          okText={text.delete}
          onConfirm={() => remove.mutate(language)}
        >
          <Button
            size="small"
            disabled={remove.isPending}
            aria-label={fill(text.deleteOf, { language: name })}
          >
            {text.delete}
          </Button>
        </Popconfirm>
      ) : null}
    </span>
  )
}
