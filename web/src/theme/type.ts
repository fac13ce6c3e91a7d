import { indicStandIns, standIns } from './stand-ins.ts'

const scripts = ['Devanagari', 'Tamil', 'Kannada', 'Telugu'] as const

/**
 * Anek draws Latin and the Indian scripts as one family; a script without its file falls back to the system's. A page's
 * own script is the first: it also has the joiners, which are in every file, and no other file is fetched for them.
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
 * The fonts of a first view until it is painted: the files of Indian scripts are large, and a slow phone would show
 * its text later for them.
 */
export const firstViewFonts = [...latin, ...systemFonts].join(',')

/** The fonts of a page by the language of the page; `en` is that of the others. */
export const fonts = {
  en: fontsOf('Devanagari'),
  ta: fontsOf('Tamil'),
  kn: fontsOf('Kannada'),
  te: fontsOf('Telugu'),
}

/** The fonts of the page, which build/palette-css.ts sets. */
export const fontFamily = 'var(--b-font)'
