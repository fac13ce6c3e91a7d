import { standIns } from './stand-ins.ts'

const scripts = ['Devanagari', 'Tamil', 'Kannada', 'Telugu'] as const

/**
 * Anek draws Latin and the Indian scripts as one family; a script without its file falls back to the system's. A page's
 * own script is the first: it also has the joiners, which are in every file, and no other file is fetched for them.
 */
const fontsOf = (own: (typeof scripts)[number]) =>
  [
    "'Anek Latin Variable'",
    ...standIns,
    ...[own, ...scripts.filter((script) => script !== own)].map((script) => `'Anek ${script} Variable'`),
    'system-ui',
    "'Noto Sans'",
    'sans-serif',
  ].join(',')

/** The fonts of a page by the language of the page; `en` is that of the others. */
export const fonts = {
  en: fontsOf('Devanagari'),
  ta: fontsOf('Tamil'),
  kn: fontsOf('Kannada'),
  te: fontsOf('Telugu'),
}

/** The fonts of the page, which build/palette-css.ts sets. */
export const fontFamily = 'var(--b-font)'
