import type { ReactNode } from 'react'
import type { Office } from '@/api/office'
import { locale, messages } from '@/messages'
import { OfficeWords } from '@/ui/office-words'
import { StatusTag } from '@/ui/status-tag'
import { Token } from '@/ui/token'
import { Drawing } from './drawing'
import { Seal } from './seal'
import { SectionHead } from './section-head'
import './why-us.css'

const text = messages.landing.why
const drawings: readonly ReactNode[] = [
  <QueueOfTokens key="queue" />,
  <Drawing name="files" key="files" />,
  <Drawing name="checklist" key="checklist" />,
  <Drawing name="lamp" key="lamp" />,
]

type Props = { office: Pick<Office, 'whyUs' | 'certifications' | 'certificationTexts'> }

/** The office's reasons, each with a drawing, and its certifications as stamps. */
export function WhyUs({ office: { whyUs: reasons, certifications, certificationTexts } }: Props) {
  return (
    <section className="ld-why" id="why">
      <div className="ld-section">
        <SectionHead title={text.title} lead={text.lead} />
        <div className="ld-reasons">
          {reasons.map(({ title, text: words, texts }, index) => (
            <article key={title}>
              <div className="ld-reason-art" aria-hidden="true">
                {drawings[index % drawings.length]}
              </div>
              <h3>
                <OfficeWords text={title} translation={texts?.[locale]?.title} />
              </h3>
              <p>
                <OfficeWords text={words} translation={texts?.[locale]?.text} />
              </p>
            </article>
          ))}
        </div>
        <div className="ld-certificates">
          <h3>{text.certifications}</h3>
          <ul>
            {certifications.map((certification, index) => {
              const translation = certificationTexts?.[locale]?.[certification]
              return (
                <li key={certification} lang={translation ? locale : 'en'}>
                  <Seal words={translation ?? certification} place={index} />
                </li>
              )
            })}
          </ul>
        </div>
      </div>
    </section>
  )
}

/** A drawing of three tokens, each with a status. */
function QueueOfTokens() {
  return (
    <div className="ld-queue">
      <span>
        <Token token="T-041" />
        <StatusTag status="completed" />
      </span>
      <span>
        <Token token="T-042" />
        <StatusTag status="in-session" />
      </span>
      <span>
        <Token token="T-043" />
        <StatusTag status="approved" />
      </span>
    </div>
  )
}
