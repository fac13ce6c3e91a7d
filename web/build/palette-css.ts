import type { Plugin } from 'vite'
import { cssVars } from '../src/theme/palette.ts'
import { standInCss } from '../src/theme/stand-ins.ts'
import { firstViewFonts, fonts } from '../src/theme/type.ts'

const id = 'virtual:palette.css'
const resolved = '\0virtual:palette.css'

const block = (selector: string, vars: Record<string, string>) =>
  `${selector}{${Object.entries(vars)
    .map(([name, value]) => `${name}:${value}`)
    .join(';')}}`

function css(): string {
  const { en, ...others } = fonts
  const light = block(':root', { '--b-font': en, ...cssVars('light') })
  const inLanguage = Object.entries(others).map(([language, list]) =>
    block(`:root:lang(${language})`, { '--b-font': list }),
  )
  const dark = block(':root[data-theme="dark"]', cssVars('dark'))
  const unpainted = block('#shell:not([data-painted])', {
    '--b-font': firstViewFonts,
    'font-family': firstViewFonts,
  })
  return `${light}\n${inLanguage.join('\n')}\n${unpainted}\n${dark}\n${standInCss()}\n`
}

/**
 * Converts the palette to custom properties for both themes, so that each colour is defined once, and adds the fonts
 * that draw the text until Anek has loaded.
 */
export function paletteCss(): Plugin {
  return {
    name: 'baari:palette-css',
    resolveId: (source) => (source === id ? resolved : undefined),
    load: (source) => (source === resolved ? css() : undefined),
  }
}
