import { Button, Input } from 'antd'
import { Fragment, useState } from 'react'
import { without, type Pointer } from '@/features/settings/data/pointer'
import { languages, type Language } from '@/locales/languages'
import { fill } from '@/messages'
import { messages } from '@/settings-messages'
import { useSectionForm } from './form'
import { FieldError, useFieldError } from './setting'

const text = messages.officeSettings.fields

/** The languages of the screens besides English, in which the texts of the document are written. */
export const others = (Object.keys(languages) as Language[]).filter((language) => language !== 'en')

type Props = {
  /** What is translated, such as the name of a holiday. */
  name: string
  /** Where the document has the text in a language, for its error. */
  at: (language: Language) => Pointer
  textIn: (language: Language) => string
  most?: number
  /** The number of lines of a longer text. */
  rows?: number
  onChange: (language: Language, text: string) => void
}

/** The fields of a text in the other languages, shown after a click. */
export function TextsIn({ name, at, textIn, most, rows, onChange }: Props) {
  const { readOnly } = useSectionForm()
  const fieldError = useFieldError()
  const [opened, setOpened] = useState(false)
  const shown = opened || others.some((language) => fieldError(at(language)).shown.error !== undefined)
  const fields = others.map((language) => {
    const label = fill(text.inLanguage, { setting: name, language: languages[language].name })
    const { control, shown: wrong } = fieldError(at(language))
    const props = {
      ...control,
      lang: language,
      disabled: readOnly,
      value: textIn(language),
      ...(most === undefined ? {} : { maxLength: most }),
    }
    return (
      <Fragment key={language}>
        <label>
          <span>{label}</span>
          {rows ? (
            <Input.TextArea
              {...props}
              rows={rows}
              onChange={({ target }) => onChange(language, target.value)}
            />
          ) : (
            <Input {...props} onChange={({ target }) => onChange(language, target.value)} />
          )}
        </label>
        <FieldError {...wrong} />
      </Fragment>
    )
  })
  return (
    <>
      <Button size="small" type="text" aria-expanded={shown} onClick={() => setOpened(!shown)}>
        {text.inLanguages}
      </Button>
      {shown ? <div className="setting-texts">{fields}</div> : null}
    </>
  )
}

type Texts = Readonly<Partial<Record<string, string>>> | undefined

/** The translations with another one; an empty one is left out. */
export function withTextIn(texts: Texts, language: string, changed: string): Record<string, string> {
  const rest: Record<string, string> = without((texts ?? {}) as Record<string, string>, language)
  return changed === '' ? rest : { ...rest, [language]: changed }
}
