import { Form, type FormInstance } from 'antd'
import { Suspense, useEffect, useId, useState } from 'react'
import { chunk } from '@/chunk'
import type { NewVisit } from '@/api/types'
import type { GivenClass } from '@/features/visits/parts/row-menu'
import { languages as names, type Language } from '@/locales/languages'
import { messages } from '@/staff-messages'
import { Filled } from '@/ui/filled'
import { Icon } from '@/ui/icon'
import { useShortcuts } from '@/ui/shortcuts'
import type { MoreProps } from './form-more'

const load = () => import('./form-more')

const FormMore = chunk(async () => (await load()).FormMore)

const text = messages.visits.form

type Props = MoreProps & { isOpen: boolean; onOpen: (isOpen: boolean) => void }

/** The folded fields of the registration. The line that opens them shows the class and the language. */
export function More({ isOpen, onOpen, ...fields }: Props) {
  const id = useId()
  // Once opened, the fields stay mounted.
  const [wasOpen, setWasOpen] = useState(isOpen)
  if (isOpen && !wasOpen) setWasOpen(true)
  useEffect(() => {
    load().catch(() => undefined) // If this fails, opening the fields loads them, or the page, again.
  }, [])
  return (
    <>
      <Form.Item name="language" noStyle>
        <MoreLine
          form={fields.form}
          offered={fields.languages}
          isOpen={isOpen}
          controls={id}
          onToggle={() => onOpen(!isOpen)}
        />
      </Form.Item>
      <div id={id} hidden={!isOpen}>
        {wasOpen ? (
          <Suspense fallback={null}>
            <FormMore {...fields} />
          </Suspense>
        ) : null}
      </div>
    </>
  )
}

type LineProps = {
  form: FormInstance<NewVisit>
  /** The languages that the office offers, its default first. */
  offered: readonly Language[]
  isOpen: boolean
  controls: string
  onToggle: () => void
  /** The visitor's language; undefined for the office's default, until a language is chosen. */
  value?: Language
  onChange?: (language: Language) => void
}

/**
 * The line that opens the fields. F4 chooses the next language for the visitor, even while the fields are folded. The
 * focus does not move, so the language is announced.
 */
function MoreLine({ form, offered, isOpen, controls, onToggle, value, onChange }: LineProps) {
  const of = Form.useWatch<GivenClass | undefined>('class', { form, preserve: true })
  const language = value ?? offered[0]
  useShortcuts(
    offered.length < 2
      ? {}
      : {
          F4: () => {
            const next = offered[(offered.findIndex((name) => name === language) + 1) % offered.length]
            if (next) onChange?.(next)
          },
        },
  )
  const priority = messages.life.classes[of ?? 'normal']
  return (
    <button
      type="button"
      className="visit-form-more"
      aria-expanded={isOpen}
      aria-controls={controls}
      onClick={onToggle}
    >
      <Icon name="down" size={16} />
      <span>
        <Filled
          message={text.more}
          values={{
            values: (
              <>
                {priority}
                {offered.length > 1 && language ? <LanguageName of={language} /> : null}
              </>
            ),
          }}
        />
      </span>
    </button>
  )
}

const LanguageName = ({ of }: { of: Language }) => (
  <span aria-live="polite">
    {', '}
    <span lang={of}>{names[of].name}</span>
  </span>
)
