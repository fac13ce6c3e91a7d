import type { BrowserContext } from '@playwright/test'
import type { English } from '@/locales/english'
import type { Language } from '@/locales/languages'
import type { Texts } from '@/test/catalogue-lint'
import { pseudoCatalogue } from '@/test/pseudo-locale'
import { readMessages } from '../build/catalogues'

export function messagesOf(language: Language): English {
  const texts = readMessages(language)
  return { ...texts.public, ...texts.staff, ...texts.admin } as unknown as English
}

export const pseudoMessages = pseudoCatalogue(messagesOf('en') as unknown as Texts) as unknown as English

/** Makes the pages of a browser context show the pseudo-locale in place of Hindi. */
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
