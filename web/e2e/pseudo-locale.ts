import type { BrowserContext } from '@playwright/test'
import type { English } from '@/locales/english'
import { keptWords } from '@/test/catalogues'
import { readMessages } from '../build/catalogues'

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

export const pseudoMessages = everyText(readMessages('en'), pseudo) as unknown as English

/** The pages of a browser that are in Hindi get the pseudo-locale in its place. */
export async function speakPseudo(context: BrowserContext) {
  const body = `globalThis.translation = ${JSON.stringify({ language: 'hi', messages: pseudoMessages })}`
  await context.route('**/assets/hi-*.js', async (route) => {
    const answer = await route.fetch()
    // Ant Design's and the calendar's names of months have such names, too.
    if (!(await answer.text()).includes('globalThis.translation')) return route.fulfill({ response: answer })
    return route.fulfill({ contentType: 'text/javascript', body })
  })
}
