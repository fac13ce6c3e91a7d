import { useEffect, useRef } from 'react'
import { useLocation } from 'react-router'
import { carryInput } from '@/language'
import { languages, type Language } from '@/locales/languages'
import { fill, locale, messages } from '@/messages'
import { Icon } from './icon'
import './language-menu.css'

const text = messages.language

/**
 * The languages that the office offers, as links: the web server keeps the chosen language in a cookie. The list is
 * drawn when it is opened, in fonts of the system: a page fetches no font for languages that it does not use.
 */
export function LanguageMenu({ offered = [] }: { offered?: readonly Language[] | undefined }) {
  const menu = useRef<HTMLDetailsElement>(null)
  const { search } = useLocation()
  useEffect(() => {
    const close = (event: Event) => {
      const open = menu.current
      if (!open?.open) return
      const escaped = event instanceof KeyboardEvent && event.key === 'Escape'
      if (escaped) open.querySelector('summary')?.focus()
      if (escaped || (event.target instanceof Node && !open.contains(event.target))) open.open = false
    }
    const events = ['keydown', 'pointerdown', 'focusin'] as const
    events.forEach((name) => document.addEventListener(name, close))
    return () => events.forEach((name) => document.removeEventListener(name, close))
  }, [])

  if (offered.length < 2) return null
  const current = languages[locale].name
  return (
    <details className="language-menu" ref={menu}>
      <summary aria-label={fill(text.current, { name: current })}>
        <Icon name="language" size={17} />
        {current}
      </summary>
      <ul>
        {offered.map((name) => (
          <li key={name}>
            <a
              href={hrefOf(search, name)}
              hrefLang={name}
              aria-current={name === locale ? 'true' : undefined}
              onClick={carryInput}
            >
              <LanguageName name={name} />
            </a>
          </li>
        ))}
      </ul>
    </details>
  )
}

/** The name of a language in that language, and whether its translation is a draft. */
export function LanguageName({ name }: { name: Language }) {
  return (
    <span className="language-name">
      <span lang={name}>{languages[name].name}</span>
      {languages[name].draft ? <small>{text.draft}</small> : null}
    </span>
  )
}

/** The address of this page in another language. */
function hrefOf(search: string, language: Language): string {
  const query = new URLSearchParams(search)
  query.set('lang', language)
  return `?${query.toString()}`
}
