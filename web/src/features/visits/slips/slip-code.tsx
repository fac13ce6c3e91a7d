import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { linkQuery } from '@/features/visits/data/visitor-link'
import { inBackground } from '@/in-background'
import english from '@/locales/en/visitor-link.json'
import { messages } from '@/staff-messages'
import { QrCode } from './qr-code'
import './slip-code.css'

type Props = { id: string; language: string }

type Texts = { scan: string }
const catalogues = import.meta.glob<Texts>(
  ['@/locales/*/visitor-link.json', '!@/locales/en/visitor-link.json'],
  {
    import: 'visitorLink',
  },
)

/** The QR code of the visitor's own page, on a slip or receipt. Without the link, there is no code. */
export function SlipCode({ id, language }: Props) {
  const { data, isPending } = useQuery(linkQuery(id))
  const scan = useScan(language)
  if (isPending || scan === undefined) return null
  return (
    <div data-slip-code="">
      {data ? (
        <>
          <QrCode className="slip-code" text={data.link.url} label={messages.visitorLink.code} />
          <p>{scan}</p>
        </>
      ) : null}
    </div>
  )
}

/**
 * Texts already fetched, kept here because a ticket is mounted again when the browser lays the page out for printing.
 */
const fetched = new Map<string, string>()

/** The instruction beside the code, in the language of the slip; undefined until the text is fetched. */
function useScan(language: string): string | undefined {
  const [, setLoaded] = useState('')
  useEffect(() => {
    let current = true
    const load = Object.entries(catalogues).find(([file]) => file.includes(`/${language}/`))?.[1]
    inBackground(
      Promise.resolve(load?.() ?? english.visitorLink).then(({ scan }) => {
        fetched.set(language, scan)
        if (current) setLoaded(language)
      }),
    )
    return () => {
      current = false
    }
  }, [language])
  return fetched.get(language)
}
