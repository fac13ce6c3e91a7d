/**
 * Fonts of the system that draw the text until Anek has loaded, scaled to its width and height: else lines would break
 * elsewhere, and the page would move when Anek replaces them. Most machines have one of them: Android has Roboto,
 * Windows and macOS have Arial, and a minimal Linux has DejaVu.
 */
const systemFonts = {
  Roboto: { regular: ['Roboto', 'Roboto Regular'], bold: ['Roboto Bold'], scales: [97, 73.5, 90, 103] },
  Arial: {
    regular: ['Arial', 'Liberation Sans'],
    bold: ['Arial Bold', 'Liberation Sans Bold'],
    scales: [97, 69, 85, 100],
  },
  DejaVu: { regular: ['DejaVu Sans'], bold: ['DejaVu Sans Bold'], scales: [86, 58, 72.5, 83] },
} as const

/** The faces that each font gets. `scales` has a value for each face: Anek's width in percent of the font's width. */
const styles = [
  { cut: 'regular', weight: '400 599', stretch: '75% 112%' },
  { cut: 'bold', weight: '600 800', stretch: '75% 82%' },
  { cut: 'bold', weight: '600 800', stretch: '83% 100%' },
  { cut: 'bold', weight: '600 800', stretch: '101% 112%' },
] as const

/** Anek's ascent and descent, in percent of the font size. */
const ascent = 90
const descent = 20

type SystemFont = keyof typeof systemFonts

const fonts = Object.keys(systemFonts) as SystemFont[]
const familyOf = (font: SystemFont) => `'${font} for Anek'`

/** The families of the stand-ins. A browser skips a family whose font the system does not have. */
export const standIns = fonts.map(familyOf)

function facesOf(font: SystemFont): string[] {
  return styles.map(({ cut, weight, stretch }, index) => {
    const scale = systemFonts[font].scales[index] ?? 100
    const ofScaled = (percent: number) => `${((100 * percent) / scale).toFixed(1)}%`
    return rule({
      'font-family': familyOf(font),
      'font-weight': weight,
      'font-stretch': stretch,
      src: systemFonts[font][cut].map((name) => `local('${name}')`).join(),
      'size-adjust': `${scale}%`,
      'ascent-override': ofScaled(ascent),
      'descent-override': ofScaled(descent),
      'line-gap-override': '0%',
      // The characters of anek-latin.woff2.
      'unicode-range': 'U+20-7E,U+A0',
    })
  })
}

/**
 * The stand-ins for Indian scripts, with the fonts of Android and Linux. `scales` are Anek's width over Noto's in
 * percent, regular and bold: the mean of the catalogue's texts. So scaled, most lines are at least as long as in Anek.
 * `ascent` and `descent` are Anek's.
 */
const indicFonts = {
  Devanagari: { scales: [105, 102], ascent: 102.5, descent: 70, range: 'U+900-97F' },
  Tamil: { scales: [98, 94], ascent: 97.5, descent: 42.5, range: 'U+B80-BFF' },
  Kannada: { scales: [98, 95], ascent: 102.5, descent: 65, range: 'U+C80-CFF' },
  Telugu: { scales: [107, 103], ascent: 90, descent: 60, range: 'U+C00-C7F' },
} as const

type Script = keyof typeof indicFonts

const scripts = Object.keys(indicFonts) as Script[]
const indicFamilyOf = (script: Script) => `'Noto for Anek ${script}'`

/** The families of the stand-ins for Indian scripts. In a list of fonts they follow Anek's own families. */
export const indicStandIns = scripts.map(indicFamilyOf)

function indicFacesOf(script: Script): string[] {
  const { scales, ascent, descent, range } = indicFonts[script]
  return (['Regular', 'Bold'] as const).map((cut, index) => {
    const scale = scales[index] ?? 100
    return rule({
      'font-family': indicFamilyOf(script),
      'font-weight': cut === 'Bold' ? '600 800' : '100 599',
      src: [`Noto Sans ${script} ${cut}`, `NotoSans${script}-${cut}`]
        .map((name) => `local('${name}')`)
        .join(),
      'size-adjust': `${scale}%`,
      'ascent-override': `${((100 * ascent) / scale).toFixed(1)}%`,
      'descent-override': `${((100 * descent) / scale).toFixed(1)}%`,
      'line-gap-override': '0%',
      'unicode-range': range,
    })
  })
}

const rule = (face: Record<string, string>) =>
  `@font-face{${Object.entries(face)
    .map(([name, value]) => `${name}:${value}`)
    .join(';')}}`

export const standInCss = () => [...fonts.flatMap(facesOf), ...scripts.flatMap(indicFacesOf)].join('\n')
