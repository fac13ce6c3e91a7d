import { useQuery } from '@tanstack/react-query'
import { Select } from 'antd'
import { useEffect, useState, type ReactNode } from 'react'
import { Link, useSearchParams } from 'react-router'
import { useDrafts } from '@/drafts'
import { inBackground } from '@/in-background'
import { messages } from '@/settings-messages'
import { LoadAgain } from '@/ui/load-again'
import { Panel, PanelBody } from '@/ui/panel'
import { SkeletonRows } from '@/ui/skeleton-rows'
import { useIsPhone } from '@/ui/use-is-phone'
import { isSection, sectionKeys, type SectionKey } from './data/document'
import { withdrawUndo } from './data/mutations'
import { settingsQuery } from './data/queries'
import { Editor } from './editor/editor'
import { draftName, draftNames } from './editor/use-editor'
import { forms } from './sections'
import './office-settings.css'

const text = messages.officeSettings

type Props = {
  /** The numbers of the consultants' desks, for the section of the desks. */
  deskNumbers: ReactNode
  /** Shown in the head: shows the checklist of the first day again. */
  extra?: ReactNode
}

/** The office's settings: a list of sections, and the form of the section in the address. */
export function OfficeSettings({ deskNumbers, extra }: Props) {
  const { data: settings, isError, refetch } = useQuery(settingsQuery)
  const [search] = useSearchParams()
  const asked = search.get('section')
  const [section, setSection] = useState<SectionKey>('hours')
  // The address of another page has no section. The page keeps the last one until it is shown again.
  if (isSection(asked) && asked !== section) setSection(asked)
  useEffect(() => {
    if (settings) withdrawUndo(settings)
  }, [settings])
  return (
    <Panel title={text.title} extra={extra}>
      {isError && !settings ? (
        <LoadAgain text={text.loadFailed} onRetry={() => inBackground(refetch())} />
      ) : null}
      {settings || isError ? null : <SkeletonRows label={text.loading} rows={8} />}
      {settings ? (
        <PanelBody>
          <div className="settings">
            <SectionList section={section} />
            <Editor key={section} section={section} settings={settings}>
              {forms[section]({ settings, deskNumbers })}
            </Editor>
          </div>
        </PanelBody>
      ) : null}
    </Panel>
  )
}

/** The sections as links; on a phone as a select. Sections with input that is not saved are marked. */
function SectionList({ section }: { section: SectionKey }) {
  const phone = useIsPhone()
  const [search, setSearch] = useSearchParams()
  const drafts = useDrafts(draftNames).map(({ name }) => name)
  const addressOf = (key: SectionKey) => {
    const next = new URLSearchParams(search)
    next.set('section', key)
    return next
  }
  const labelOf = (key: SectionKey) =>
    drafts.includes(draftName(key)) ? `${text.sections[key]} (${text.unsaved})` : text.sections[key]
  if (phone)
    return (
      <Select<SectionKey>
        aria-label={text.list}
        virtual={false}
        options={sectionKeys.map((key) => ({ value: key, label: labelOf(key) }))}
        value={section}
        onChange={(key) => setSearch(addressOf(key), { replace: true })}
      />
    )
  return (
    <nav className="side-list place-links" aria-label={text.list}>
      <ul>
        {sectionKeys.map((key) => (
          <li key={key}>
            <Link
              to={`?${addressOf(key).toString()}`}
              replace
              {...(key === section ? { 'aria-current': 'page' as const } : {})}
            >
              {labelOf(key)}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
