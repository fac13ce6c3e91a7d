import { Button } from 'antd'
import { Suspense, useState } from 'react'
import { chunk } from '@/chunk'
import { languages, type Language } from '@/locales/languages'
import { messages } from '@/staff-messages'
import { Icon } from '@/ui/icon'
import './visitor-notice.css'

const VisitorNotice = chunk(async () => (await import('./visitor-notice')).VisitorNotice)

type Props = {
  /** The visitor's language. */
  language: Language
  /** The languages that the office offers. */
  offered: readonly Language[]
  /** Called when the visitor has a request about their own data. */
  onRequest: () => void
}

/** Opens the office's privacy notice for a visitor, to be read, read aloud or printed. */
export function NoticeLine({ language, offered, onRequest }: Props) {
  const [open, setOpen] = useState(false)
  return (
    <div className="notice-line">
      <Button type="link" icon={<Icon name="shield" size={16} />} onClick={() => setOpen(true)}>
        <span>
          {messages.visitorNotice.title}: <span lang={language}>{languages[language].name}</span>
        </span>
      </Button>
      {open ? (
        <Suspense fallback={null}>
          <VisitorNotice
            language={language}
            offered={offered}
            onClose={() => setOpen(false)}
            onRequest={() => {
              setOpen(false)
              onRequest()
            }}
          />
        </Suspense>
      ) : null}
    </div>
  )
}
