import { Button } from 'antd'
import { useEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import { messages } from '@/admin-messages'
import { inBackground } from '@/in-background'
import type { Language } from '@/locales/languages'
import { Icon } from '@/ui/icon'
import { Panel, PanelBody } from '@/ui/panel'
import { QrCode } from './qr-code'
import './slip.css'
import './poster.css'

const text = messages.visitorPages.poster

type Texts = { poster: { ask: string } }
const catalogues = import.meta.glob<Texts>('@/locales/*/visitor-pages.json', { import: 'visitorPages' })

type Props = { brand: string; languages: readonly Language[]; on: boolean }

/** The poster for the door, on A4: the QR code of the page on which visitors ask for a token. */
export function Poster({ brand, languages, on }: Props) {
  const asked = useAsked(languages)
  const address = `${location.origin}/q/join`
  const code = <QrCode className="poster-code" text={address.toUpperCase()} label={text.code} />
  return (
    <Panel
      title={text.title}
      extra={
        on ? (
          <Button type="primary" icon={<Icon name="printer" size={18} />} onClick={() => window.print()}>
            {text.print}
          </Button>
        ) : null
      }
    >
      <PanelBody>
        <p>{on ? text.hint : text.off}</p>
        {on ? (
          <>
            <div className="poster-preview">{code}</div>
            <p>
              <a href={address}>{address}</a>
            </p>
          </>
        ) : null}
      </PanelBody>
      {on
        ? createPortal(
            <div className="slip poster" aria-hidden="true">
              <h1>{brand}</h1>
              {code}
              {asked.map(({ language, ask }) => (
                <p key={language} lang={language}>
                  {ask}
                </p>
              ))}
              <p className="poster-address">{address}</p>
            </div>,
            document.body,
          )
        : null}
    </Panel>
  )
}

/** What to do with the QR code, in each language that the office offers. */
function useAsked(languages: readonly Language[]) {
  const [asked, setAsked] = useState<{ language: string; ask: string }[]>([])
  const wanted = languages.join(' ')
  useEffect(() => {
    let current = true
    const fetched = wanted.split(' ').map(async (language) => {
      const [, load] = Object.entries(catalogues).find(([file]) => file.includes(`/${language}/`)) ?? []
      return { language, ask: (await load?.())?.poster.ask ?? text.ask }
    })
    inBackground(
      Promise.all(fetched).then((all) => {
        if (current) setAsked(all)
      }),
    )
    return () => {
      current = false
    }
  }, [wanted])
  return asked
}
