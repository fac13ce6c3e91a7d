import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const files = Object.keys(import.meta.glob('../**/*.css'))
const sheets = files.map((path) =>
  readFileSync(`src/${path.replace('../', '').replace('./', 'theme/')}`, 'utf8'),
)

type Rule = { selector: string; declarations: string }

/** The rules of a style sheet, including those within at-rules. */
function rulesOf(sheet: string): Rule[] {
  const plain = sheet.replaceAll(/\/\*[\s\S]*?\*\//g, '')
  return [...plain.matchAll(/([^{};]+)\{([^{}]*)\}/g)].map(([, selector = '', declarations = '']) => ({
    selector: selector.trim().replaceAll(/\s+/g, ' '),
    declarations,
  }))
}

const rules = sheets.flatMap(rulesOf)

/** The selectors of a list, which may have commas within parentheses. */
const selectorsOf = (list: string) => list.split(/,(?![^(]*\))/).map((selector) => selector.trim())

/** Tokens, figures and the letters of a code: Latin in every language. */
const latin = [
  '.board-time',
  '.board-token',
  '.next-token',
  '.call-time',
  '.call-also',
  '.call-token',
  '.call-counter',
  '.pair-code',
  '.trail code',
  '.kbd',
  '.token',
  '.token-also',
  '.token-large',
  '.page-count b',
  '.ticket-number',
  '.stat-value',
  '.vertical-ticket-number',
  '.pairing-code',
  '.session-timer',
  '.missing-mark',
  '.ld-strip dd',
  '.token-slip-number',
]

/** Pages of a fixed height. paper-size.ts counts the lines that fill them. */
const paper = [
  '.receipt-slip',
  '.receipt-a6-2',
  '.receipt-a6-3',
  '.token-slip',
  '.token-slip-a6-3',
  '.token-slip-a6-3 :is(.token-slip-papers, .token-slip-foot, .token-slip-notice)',
  '.token-slip-also',
]

const exempt = [...latin, ...paper]

/** Whether a selector is that of a heading, whose line height indic-type.css sets with `!important`. */
const isHeading = (selector: string) => /(^|[\s>])(h[1-4]|:is\(h\d(, h\d)*\))$/.test(selector)

const lineOf = ({ declarations }: Rule) =>
  /(?:^|[;\s])line-height:\s*([^;]+)/.exec(declarations)?.[1]?.trim() ??
  /(?:^|[;\s])font:[^;]*?\/\s*(max\([^;]*?\)\)|[\d.]+)/.exec(declarations)?.[1]

/** Whether a line is high enough for the script: it uses the script's height, or a value that is as large. */
function holds(line: string, { declarations }: Rule): boolean {
  if (/^max\([\d.]+(px)?, var\(--(text|label)-line\)( \* 1em)?\)( !important)?$/.test(line)) return true
  const size = Number(/font-size:\s*([\d.]+)px/.exec(declarations)?.[1])
  if (line.endsWith('px')) return parseFloat(line) >= 1.35 * size
  return parseFloat(line) >= 1.6
}

const own = new Set(rulesOf(readFileSync('src/theme/indic-type.css', 'utf8')).map(({ selector }) => selector))
const lower = rules.flatMap((rule) => {
  const line = lineOf(rule)
  if (line === undefined || own.has(rule.selector) || holds(line, rule)) return []
  return selectorsOf(rule.selector).filter((selector) => !isHeading(selector) || line.includes('important'))
})

test('no rule sets a line lower than an Indian script, but for tokens, figures and paper', () => {
  expect(rules.length).toBeGreaterThan(500)
  expect(lower.filter((selector) => selector !== 'body' && !exempt.includes(selector))).toEqual([])
})

test('every exception is one', () => {
  expect(exempt.filter((selector) => !lower.includes(selector))).toEqual([])
})

test('the heights of the scripts are those of pages, and of elements in another language', () => {
  const indian = ':is(:lang(hi), :lang(kn), :lang(ta), :lang(te), :lang(mr))'
  const of = (selector: string) => rules.find((rule) => rule.selector === selector)?.declarations
  expect(of(indian)).toMatch(/--text-line: 1\.6;\s+--label-line: 1\.35;/)
  expect(of(':lang(en)')).toMatch(/--text-line: 0;\s+--label-line: 0;/)
  expect(of(`:root${indian} body`)).toContain('line-height: 1.6')
  expect(of(`:is(h1, h2, h3, h4)${indian}`)).toContain('line-height: 1.35 !important')
})

test('no rule capitalises Indian scripts or spaces their letters', () => {
  const set = /(letter-spacing|text-transform):\s*([^;]+)/g
  const indian = rules.find(({ selector }) => selector.startsWith(':is(:lang(hi)'))?.declarations ?? ''
  expect([...indian.matchAll(set)].map(([text]) => text)).toEqual([
    'letter-spacing: normal !important',
    'text-transform: none !important',
  ])
  // No other rule, in a style sheet or on an element, takes precedence.
  const others = rules.filter(({ declarations }) => declarations !== indian)
  const above = others.filter(({ declarations }) =>
    [...declarations.matchAll(set)].some(([, , value = '']) => value.includes('!important')),
  )
  expect(above).toEqual([])
  const sources = import.meta.glob<string>(['../**/*.{ts,tsx}', '!../**/*.test.*'], {
    query: '?raw',
    import: 'default',
    eager: true,
  })
  const inline = Object.entries(sources).filter(([, source]) =>
    /\b(letterSpacing|textTransform|lineHeight):/.test(source),
  )
  expect(inline.map(([path]) => path)).toEqual(['./theme.ts'])
})

test('every page has the rules of the scripts', () => {
  for (const entry of ['src/main.tsx', 'src/board/main.ts'])
    expect(readFileSync(entry, 'utf8')).toContain("import '@/theme/indic-type.css'")
})
