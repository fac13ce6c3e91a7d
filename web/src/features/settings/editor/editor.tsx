import { Button } from 'antd'
import { useEffect, useId, useRef, useState } from 'react'
import { sessionStore } from '@/api/session-store'
import type { SectionKey, Settings } from '@/features/settings/data/document'
import { FormContext } from '@/features/settings/fields/form'
import { VersionsDrawer } from '@/features/settings/versions/versions-drawer'
import { fill } from '@/messages'
import { messages } from '@/settings-messages'
import { useOfficeTime } from '@/ui/office-time'
import type { ReactNode } from 'react'
import { Conflict } from './conflict'
import { Foot } from './foot'
import { useEditor } from './use-editor'

const text = messages.officeSettings

/** Writes the office document of the installation to a file. */
const command = 'baarictl office export'

type Props = {
  section: SectionKey
  settings: Settings
  /** The fields of the section. */
  children: ReactNode
}

/** A section: who changed it last, its form, what the input changes, and its versions. */
export function Editor({ section, settings, children }: Props) {
  const id = useId()
  const editor = useEditor(section, settings)
  const [showsVersions, setShowsVersions] = useState(false)
  const readOnly = settings.mode === 'file'
  const foot = editor.conflict.length > 0 ? 'conflict' : editor.before ? 'changes' : undefined
  const heading = useFocusAfter(foot)
  const { changedBy } = settings.sections[section]
  return (
    <section aria-labelledby={id}>
      <div className="settings-head">
        <h3 id={id} ref={heading} tabIndex={-1}>
          {text.sections[section]}
        </h3>
        <ChangedBy {...settings.sections[section]} />
        <Button onClick={() => setShowsVersions(true)}>{text.versions}</Button>
      </div>
      <p>
        {text.about[section]} {fill(text.shownOn, { places: text.places[section] })}
      </p>
      {readOnly ? <p className="setting-entry">{fill(text.inFile, { command })}</p> : null}
      <form
        className="settings-form"
        onSubmit={(event) => {
          event.preventDefault()
          editor.save()
        }}
      >
        <FormContext
          value={{
            value: editor.value,
            id,
            readOnly,
            offered: settings.sections.languages.value.languages,
            errors: editor.errors,
            change: editor.change,
          }}
        >
          {children}
        </FormContext>
        {foot === 'conflict' ? (
          <Conflict editor={editor} by={changedBy} isOwn={changedBy?.id === sessionStore.user()?.id} />
        ) : editor.before ? (
          <Foot section={section} editor={editor} before={editor.before} />
        ) : null}
      </form>
      {showsVersions ? (
        <VersionsDrawer section={section} settings={settings} onClose={() => setShowsVersions(false)} />
      ) : null}
    </section>
  )
}

/** The heading, which gets the focus when the foot goes with the button that was pressed. It is not scrolled to. */
function useFocusAfter(foot: string | undefined) {
  const heading = useRef<HTMLHeadingElement>(null)
  const shown = useRef(foot)
  useEffect(() => {
    const isGone = shown.current !== undefined && shown.current !== foot
    shown.current = foot
    if (isGone && document.activeElement === document.body) heading.current?.focus({ preventScroll: true })
  }, [foot])
  return heading
}

type ChangedProps = { changedAt: string; changedBy: { name: string } | null }

function ChangedBy({ changedAt, changedBy }: ChangedProps) {
  const time = useOfficeTime()
  const when = { day: time.day(changedAt), time: time.time(changedAt) }
  return (
    <small>
      {changedBy ? fill(text.changedBy, { name: changedBy.name, ...when }) : fill(text.changedBySystem, when)}
    </small>
  )
}
