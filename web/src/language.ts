import { useEffect, useState } from 'react'
import { languages, type Language } from '@/locales/languages'
import { read, remove, tabKeys, write } from '@/storage'

export const isLanguage = (name: unknown): name is Language =>
  typeof name === 'string' && Object.hasOwn(languages, name)

/** The cookie by which the web server chooses the language of the next page; see gateway/webserver/language.go. */
const cookie = 'baari_lang'

const yearSeconds = 365 * 24 * 60 * 60

/** The first offered language among those of the address, the cookie and the browser's preferences. */
export function preferredLanguage(offered: readonly Language[]): Language | undefined {
  const kept = document.cookie.split('; ').find((one) => one.startsWith(`${cookie}=`))
  const wanted = [
    new URLSearchParams(location.search).get('lang'),
    kept?.slice(cookie.length + 1),
    ...navigator.languages.map((tag) => tag.split('-')[0]),
  ]
  return wanted.find((name): name is Language => isLanguage(name) && offered.includes(name))
}

/** Stores the language for the next page. Returns whether the language is new and the browser has stored it. */
export function keepLanguage(language: Language): boolean {
  const kept = `${cookie}=${language}`
  const has = () => document.cookie.split('; ').includes(kept)
  if (has()) return false
  const secure = location.protocol === 'https:' ? '; Secure' : ''
  document.cookie = `${kept}; Path=/; Max-Age=${yearSeconds}; SameSite=Lax${secure}`
  return has()
}

type Input = Record<string, string>

const forms = new Map<string, () => Input>()

/** Keeps the input of the forms of this page for the page in another language. */
export function carryInput() {
  const input = [...forms].map(([name, values]) => [name, values()] as const)
  write(tabKeys.carried, JSON.stringify(Object.fromEntries(input)))
}

function carried(name: string): Input {
  try {
    const all = JSON.parse(read(tabKeys.carried) ?? '{}') as Partial<Record<string, Input>>
    return all[name] ?? {}
  } catch {
    return {}
  }
}

/**
 * Returns, once, the input that was typed into a form before the page changed its language. It is for forms
 * that need no account. `values` returns the present input, without secrets.
 */
export function useCarriedInput(name: string, values: () => Input): Input {
  const [input] = useState(() => carried(name))
  useEffect(() => {
    remove(tabKeys.carried)
    forms.set(name, values)
    return () => void forms.delete(name)
  }, [name, values])
  return input
}
