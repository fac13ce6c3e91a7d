import type { BrowserContext } from '@playwright/test'
import type { English } from '@/locales/english'
import type { Language } from '@/locales/languages'
import { keptWords } from '@/test/catalogues'
import { readMessages } from '../build/catalogues'

/** Every text of a language. */
export function messagesOf(language: Language): English {
  const texts = readMessages(language)
  return { ...texts.public, ...texts.staff, ...texts.admin } as unknown as English
}

type Node = string | Node[] | { [key: string]: Node }

const accents: Record<string, string> = { a: 'á', e: 'é', i: 'í', o: 'ó', u: 'ú', y: 'ý' }

/** Some 40 % longer: each vowel is doubled, with an accent, and each consonant is marked. Placeholders stay. */
const pseudo = (text: string) =>
  text.replace(/\{\w+\}|[A-Za-z][A-Za-z0-9]*/g, (word) =>
    word.startsWith('{') || keptWords.has(word) ? word : word.replace(/[a-z]/gi, marked),
  )

function marked(letter: string): string {
  const accent = accents[letter.toLowerCase()]
  return accent ? accent + accent : `${letter}\u0301`
}

const everyText = (node: Node, change: (text: string) => string): Node => {
  if (typeof node === 'string') return change(node)
  if (Array.isArray(node)) return node.map((inner) => everyText(inner, change))
  return Object.fromEntries(Object.entries(node).map(([key, inner]) => [key, everyText(inner, change)]))
}

export const pseudoMessages = everyText(messagesOf('en') as unknown as Node, pseudo) as unknown as English

/** The pages of a browser that are in Hindi get the pseudo-locale in its place. */
export async function speakPseudo(context: BrowserContext) {
  const contentType = 'text/javascript'
  const texts = JSON.stringify(pseudoMessages)
  await context.route('**/assets/hi-public-*.js', (route) =>
    route.fulfill({ contentType, body: `globalThis.translation = { language: 'hi', messages: ${texts} }` }),
  )
  for (const part of ['staff', 'admin'])
    await context.route(`**/assets/hi-${part}-*.js`, (route) =>
      route.fulfill({ contentType, body: `export default ${texts}` }),
    )
}
