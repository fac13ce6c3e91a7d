import type { Locator, Page } from '@playwright/test'
import type { Translate, Words } from './translator'

type Options = { exact?: boolean; name?: Words; hasText?: Words; hasNotText?: Words }

/** The methods whose first argument is a text on the screen. */
const byWords = new Set(['getByText', 'getByLabel', 'getByTitle', 'getByPlaceholder', 'getByAltText'])

/**
 * Wraps a page, or a part of one, so that a scene can find elements in the language of the page by their English texts.
 * The wrapper calls `type` with each text that the scene types.
 */
export function translatedPage<T extends Page | Locator>(
  target: T,
  translate: Translate,
  type: (text: string) => void,
): T {
  return new Proxy(target, {
    get(_, name: string) {
      const member: unknown = Reflect.get(target, name)
      if (typeof member !== 'function') return member
      if (name === 'constructor') return member
      return (...args: unknown[]) => {
        if (name === 'fill') type(String(args[0]))
        const result: unknown = member.apply(target, translateArguments(name, args, translate))
        return isLocator(result) ? translatedPage(result, translate, type) : result
      }
    },
  })
}

function translateArguments(name: string, args: unknown[], translate: Translate): unknown[] {
  const [first, second, ...rest] = args
  const options = (second ?? {}) as Options
  if (byWords.has(name)) return [translate(first as Words, options.exact), second, ...rest]
  if (name === 'filter') return [inLanguage(first as Options, translate)]
  if (name === 'getByRole' || name === 'locator') return [first, inLanguage(options, translate), ...rest]
  return args
}

const inLanguage = ({ name, hasText, hasNotText, ...options }: Options, translate: Translate): Options => ({
  ...options,
  ...(name !== undefined && { name: translate(name, options.exact) }),
  ...(hasText !== undefined && { hasText: translate(hasText) }),
  ...(hasNotText !== undefined && { hasNotText: translate(hasNotText) }),
})

const isLocator = (value: unknown): value is Locator =>
  typeof value === 'object' && value !== null && 'getByRole' in value && 'nth' in value
