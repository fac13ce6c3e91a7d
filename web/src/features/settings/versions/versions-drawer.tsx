import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query'
import { Button, Drawer } from 'antd'
import { useState } from 'react'
import { keysOf } from '@/features/settings/data/conflict'
import type { SectionKey, Settings, Value, Version } from '@/features/settings/data/document'
import { restoreSection } from '@/features/settings/data/mutations'
import { versionQuery, versionsQuery } from '@/features/settings/data/queries'
import { versionSentences } from '@/features/settings/editor/sentences'
import { inBackground } from '@/in-background'
import { fill } from '@/messages'
import { messages } from '@/settings-messages'
import { LoadAgain } from '@/ui/load-again'
import { useOfficeTime } from '@/ui/office-time'
import { SkeletonRows } from '@/ui/skeleton-rows'
import { useIsPhone } from '@/ui/use-is-phone'
import { useReturnFocus } from '@/ui/use-return-focus'

const text = messages.officeSettings
const { history } = text

type Props = { section: SectionKey; settings: Settings; onClose: () => void }

/** Who changed a section, when and what, and a button that restores it as it was. */
export function VersionsDrawer({ section, settings, onClose }: Props) {
  useReturnFocus()
  const phone = useIsPhone()
  const { data, isError, isFetching, hasNextPage, fetchNextPage, refetch } = useInfiniteQuery(versionsQuery)
  const versions = data?.pages
    .flatMap((page) => page.versions)
    .filter(({ sections }) => sections.includes(section))
  return (
    <Drawer
      open
      size={phone ? '100%' : 480}
      title={fill(history.title, { section: text.sections[section] })}
      onClose={onClose}
    >
      {isError ? (
        <LoadAgain text={history.loadFailed} onRetry={() => inBackground(refetch())} />
      ) : versions ? null : (
        <SkeletonRows label={history.loading} />
      )}
      {versions?.length === 0 && !hasNextPage ? <p>{history.none}</p> : null}
      <ol className="setting-list settings-versions">
        {versions?.map((version) => (
          <VersionEntry key={version.version} version={version} section={section} settings={settings} />
        ))}
      </ol>
      {hasNextPage ? (
        <Button disabled={isFetching} onClick={() => inBackground(fetchNextPage())}>
          {history.earlier}
        </Button>
      ) : null}
    </Drawer>
  )
}

type EntryProps = Omit<Props, 'onClose'> & { version: Version }

function VersionEntry({ version, section, settings }: EntryProps) {
  const { version: number, at, by, restoredFrom } = version
  const time = useOfficeTime()
  const [open, setOpen] = useState(false)
  const restore = useMutation(restoreSection)
  const when = { day: time.day(at), time: time.time(at) }
  const isCurrent = settings.sections[section].version === number
  const said = fill(text.restored, { section: text.sections[section], ...when })
  return (
    <li>
      <p>
        <b>{by ? fill(history.from, { name: by.name, ...when }) : fill(history.bySystem, when)}</b>
      </p>
      {restoredFrom === null ? null : <p>{fill(history.restored, { version: restoredFrom })}</p>}
      {open ? <What version={number} isCurrent={isCurrent} value={settings.sections[section].value} /> : null}
      <span className="row-actions">
        <Button
          size="small"
          aria-label={fill(history.what, { version: number })}
          aria-expanded={open}
          onClick={() => setOpen(!open)}
        >
          {history.show}
        </Button>
        {isCurrent || settings.mode === 'file' ? null : (
          <Button
            size="small"
            disabled={restore.isPending}
            aria-label={fill(history.restoreOf, { version: number })}
            onClick={() => restore.mutate({ section, from: number, version: settings.version, said })}
          >
            {text.restore}
          </Button>
        )}
      </span>
    </li>
  )
}

type WhatProps = {
  version: number
  /** Whether the section has not changed since. */
  isCurrent: boolean
  /** The present value of the section, whose keys are shown. */
  value: Value
}

/** The changes of a version in the section. */
function What({ version, isCurrent, value }: WhatProps) {
  const { data, isError, refetch } = useQuery(versionQuery(version))
  if (!data)
    return isError ? (
      <LoadAgain text={history.loadFailed} onRetry={() => inBackground(refetch())} />
    ) : (
      <SkeletonRows label={history.loading} rows={1} />
    )
  const keys = keysOf(value)
  const isIn = (one: string, other: string) => `${one}/`.startsWith(`${other}/`)
  const changes = data.changes.filter(({ key }) => keys.some((one) => isIn(key, one) || isIn(one, key)))
  const shown = isCurrent && 'specialDays' in value ? value : undefined
  return (
    <ul>
      {versionSentences(changes, shown).map((sentence) => (
        <li key={sentence}>{sentence}</li>
      ))}
    </ul>
  )
}
