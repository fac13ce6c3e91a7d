import { indicStandIns, standIns } from './stand-ins.ts'

const scripts = ['Devanagari', 'Tamil', 'Kannada', 'Telugu'] as const

/**
 * Anek draws Latin and the Indian scripts as one family; a script without a file has the system's font. The page's own
 * script comes first. Its file also has the joiners, so no other file is fetched for them.
 */
const fontsOf = (own: (typeof scripts)[number]) => {
  const indic = [own, ...scripts.filter((script) => script !== own)].map(
    (script) => `'Anek ${script} Variable'`,
  )
  return [...latin, ...indic, ...systemFonts].join(',')
}

const latin = ["'Anek Latin Variable'", ...standIns]
const systemFonts = [...indicStandIns, 'system-ui', "'Noto Sans'", 'sans-serif']

/**
 * The fonts of a page until its first view is painted. Files of Indian scripts are large: on a slow phone they would
 * delay the text.
 */
export const firstViewFonts = [...latin, ...systemFonts].join(',')

/** The fonts by the language of the page; languages without an entry have those of `en`. */
export const fonts = {
  en: fontsOf('Devanagari'),
  ta: fontsOf('Tamil'),
  kn: fontsOf('Kannada'),
  te: fontsOf('Telugu'),
}

/** The fonts of the page, which build/palette-css.ts sets. */
export const fontFamily = 'var(--b-font)'
