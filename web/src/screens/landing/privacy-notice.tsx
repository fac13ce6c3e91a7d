import { useId, useRef } from 'react'
import type { Office } from '@/api/office'
import { noticeIn } from '@/features/office/notice'
import { locale, messages } from '@/messages'
import './privacy-notice.css'

const text = messages.landing.notice

/** The button that opens the office's privacy notice, and the notice in a native dialog. */
export function PrivacyNotice({ notice }: { notice: Office['notice'] }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const title = useId()
  const { title: heading, paragraphs, language: written } = noticeIn(notice, locale)
  const language = written === locale ? undefined : written
  return (
    <>
      <p className="ld-notice">
        {text.intro}{' '}
        <button type="button" className="ld-link" onClick={() => dialog.current?.showModal()}>
          {text.open}
        </button>
      </p>
      <dialog className="ld-dialog" ref={dialog} aria-labelledby={title} closedby="any">
        <div className="ld-dialog-head">
          <h2 id={title} lang={language}>
            {heading}
          </h2>
          <button
            type="button"
            className="ld-button ld-button-ink ld-button-small"
            onClick={() => dialog.current?.close()}
          >
            {text.close}
          </button>
        </div>
        {paragraphs.map((paragraph) => (
          <p key={paragraph} lang={language}>
            {paragraph}
          </p>
        ))}
        <p lang={locale === 'en' ? undefined : 'en'}>{notice.contact}</p>
      </dialog>
    </>
  )
}
