import { Button, Modal, Select } from 'antd'
import { useState } from 'react'
import { createPortal } from 'react-dom'
import { isLanguage } from '@/language'
import { languages, type Language } from '@/locales/languages'
import { messages } from '@/staff-messages'
import { Icon } from '@/ui/icon'
import { useReturnFocus } from '@/ui/use-return-focus'
import { noticeIn } from './notice'
import { useOffice } from './use-office'

const text = messages.visitorNotice

type Props = {
  language: Language
  offered: readonly Language[]
  onClose: () => void
  onRequest: () => void
}

/** The privacy notice for a visitor at the desk: large, printable, and in a language that is chosen here. */
export function VisitorNotice({ language: first, offered, onClose, onRequest }: Props) {
  const { notice, brand } = useOffice()
  const [language, setLanguage] = useState<string>(first)
  useReturnFocus()
  const shown = noticeIn(notice, language)
  const choices = [...new Set<string>(['en', ...offered, ...Object.keys(notice.translations ?? {})])]
  const body = (
    <>
      {shown.paragraphs.map((paragraph) => (
        <p key={paragraph}>{paragraph}</p>
      ))}
      <p lang="en">{notice.contact}</p>
    </>
  )
  return (
    <Modal
      open
      title={<span lang={shown.language}>{shown.title}</span>}
      width="min(760px, 96vw)"
      onCancel={onClose}
      footer={
        <div className="notice-foot">
          <Select
            aria-label={text.language}
            value={language}
            options={choices.map((value) => ({ value, label: <span lang={value}>{nameOf(value)}</span> }))}
            onChange={setLanguage}
          />
          <Button onClick={onRequest}>{text.request}</Button>
          <Button icon={<Icon name="printer" size={18} />} onClick={() => window.print()}>
            {text.print}
          </Button>
        </div>
      }
    >
      <div className="notice-text" lang={shown.language}>
        {body}
      </div>
      {createPortal(
        <div className="notice-sheet" lang={shown.language} aria-hidden="true">
          <p className="notice-brand">{brand}</p>
          <p className="notice-title">{shown.title}</p>
          {body}
        </div>,
        document.body,
      )}
    </Modal>
  )
}

/** The name of a language in that language. A notice may be in more languages than the screens. */
const nameOf = (language: string) =>
  isLanguage(language)
    ? languages[language].name
    : (new Intl.DisplayNames(language, { type: 'language' }).of(language) ?? language)
