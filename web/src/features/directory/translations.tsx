import { Button, Form, Input } from 'antd'
import { useState } from 'react'
import { languages, type Language } from '@/locales/languages'
import { fill } from '@/messages'
import { messages } from '@/admin-messages'
import type { Service } from './models'
import './translations.css'

const text = messages.serviceTexts

/** The languages that a service can be translated to: all that the office offers, except English. */
const targetsOf = (offered: readonly Language[]) => offered.filter((name) => name !== 'en')

type MissingProps = { service: Service; offered: readonly Language[] }

/** Warns that a service, or one of its papers, lacks a name in some language. */
export function MissingNames({ service, offered }: MissingProps) {
  const targets = targetsOf(offered)
  const all = targets.length
  const count = targets.filter((name) => service.texts[name]?.name).length
  const papers = targets.filter((name) => service.papers.every(({ labels }) => labels[name])).length
  return (
    <>
      {count < all ? <small className="small-line">{fill(text.missing, { count, all })}</small> : null}
      {papers < all ? (
        <small className="small-line">{fill(text.papersMissing, { count: papers, all })}</small>
      ) : null}
    </>
  )
}

/** The privacy notice of the office document. Its own text is English. */
export type Notice = { translations?: Readonly<Record<string, unknown>> }

/** Warns that the privacy notice lacks a translation in some language. */
export function MissingNotice({
  notice: { translations = {} },
  offered,
}: {
  notice: Notice
  offered: readonly Language[]
}) {
  return <Missing message={text.noticeMissing} from={offered} has={(name) => Boolean(translations[name])} />
}

/** The office document's texts for the landing page. */
export type HomeWords = {
  whyUs: readonly { texts?: Readonly<Record<string, { title: string; text: string }>> }[]
  certifications: readonly string[]
  certificationTexts?: Readonly<Record<string, Readonly<Record<string, string>>>>
}

/** Warns that the reasons or the certifications of the landing page lack a translation in some language. */
export function MissingHome({ office, offered }: { office: HomeWords; offered: readonly Language[] }) {
  const { whyUs, certifications, certificationTexts = {} } = office
  const has = (name: Language) =>
    whyUs.every(({ texts }) => texts?.[name]?.title && texts[name].text) &&
    certifications.every((certification) => certificationTexts[name]?.[certification])
  return <Missing message={text.homeMissing} from={offered} has={has} />
}

type LacksProps = {
  message: typeof text.noticeMissing | typeof text.homeMissing
  from: readonly Language[]
  has: (language: Language) => boolean
}

/** Names the languages that a text of the office document lacks. */
function Missing({ message, from, has }: LacksProps) {
  const missing = targetsOf(from).filter((name) => !has(name))
  if (missing.length === 0) return null
  const names = missing.map((name) => languages[name].name).join(', ')
  return <p className="names-missing small-line">{fill(message, { languages: names })}</p>
}

type FieldsProps = {
  offered: readonly Language[]
  /** Whether the fields are shown from the start. */
  open: boolean
  longestName: number
  longestDescription: number
}

/**
 * The fields of a service in the other languages, as a part of its form. Until the fields are shown, a save does not
 * change the translations.
 */
export function TranslationFields({ offered, open, longestName, longestDescription }: FieldsProps) {
  const targets = targetsOf(offered)
  const [shown, setShown] = useState(open)
  if (targets.length === 0) return null
  if (!shown) return <Button onClick={() => setShown(true)}>{text.title}</Button>
  return (
    <div className="translations">
      <p>{text.hint}</p>
      {targets.map((language, index) => (
        <div key={language}>
          <Form.Item
            name={['texts', language, 'name']}
            label={fill(text.nameIn, { language: languages[language].name })}
          >
            <Input lang={language} maxLength={longestName} autoFocus={!open && index === 0} />
          </Form.Item>
          <Form.Item
            name={['texts', language, 'description']}
            label={fill(text.descriptionIn, { language: languages[language].name })}
          >
            <Input.TextArea lang={language} rows={2} maxLength={longestDescription} />
          </Form.Item>
        </div>
      ))}
    </div>
  )
}
