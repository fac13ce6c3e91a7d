/** Lighthouse's categories, scored from 0 to 100. */
export const categories = ['performance', 'accessibility', 'best-practices', 'seo'] as const

type Category = (typeof categories)[number]

/** The pages to measure, with the lowest score that each may have in each category. */
export const pages: { path: string; goal: Record<Category, number> }[] = [
  { path: '/', goal: { performance: 98, accessibility: 98, 'best-practices': 98, seo: 98 } },
  { path: '/login', goal: { performance: 90, accessibility: 100, 'best-practices': 100, seo: 100 } },
]

/** The audits that measure, by the names of their figures. */
const metrics = {
  FCP: 'first-contentful-paint',
  LCP: 'largest-contentful-paint',
  TBT: 'total-blocking-time',
  CLS: 'cumulative-layout-shift',
}

/** Scores by category, metrics in milliseconds, and Lighthouse's index of the machine's speed during the run. */
export type Figures = Record<string, number>

/** One run of Lighthouse; faults are the audits that cost points. */
export type Run = { figures: Figures; faults: string[] }

/** A page's runs in a language, and their median, number by number. */
export type Result = { page: string; goal: Figures; median: Figures; runs: Run[] }

/** The part of Lighthouse's answer that is read here. */
type Answer = {
  environment?: { benchmarkIndex?: number }
  runtimeError?: { code: string; message: string }
  categories: Partial<Record<string, { score: number | null; auditRefs: { id: string; weight?: number }[] }>>
  audits: Partial<Record<string, { score?: number | null; numericValue?: number }>>
}

/** Reads an answer; throws when the page could not be judged. */
export function parse(text: string): Run {
  const answer = JSON.parse(text) as Answer
  if (answer.runtimeError?.code) throw new Error(`Lighthouse could not judge: ${answer.runtimeError.message}`)
  const run: Run = { figures: { machine: answer.environment?.benchmarkIndex ?? 0 }, faults: [] }
  for (const [name, audit] of Object.entries(metrics))
    run.figures[name] = answer.audits[audit]?.numericValue ?? 0
  for (const name of categories) {
    const category = answer.categories[name]
    if (typeof category?.score !== 'number') throw new Error(`Lighthouse gave no points for ${name}`)
    run.figures[name] = Math.round(category.score * 100)
    for (const { id, weight = 0 } of category.auditRefs) {
      const score = answer.audits[id]?.score
      if (weight > 0 && typeof score === 'number' && score < 1) run.faults.push(id)
    }
  }
  return run
}

/**
 * The median of each figure separately, so that one slow run does not change it. For an even count, it is the lower
 * middle.
 */
export function median(runs: Run[]): Figures {
  const names = new Set(runs.flatMap(({ figures }) => Object.keys(figures)))
  return Object.fromEntries(
    [...names].map((name) => {
      const values = runs.map(({ figures }) => figures[name] ?? 0).toSorted((a, b) => a - b)
      return [name, values[Math.floor((values.length - 1) / 2)] ?? 0]
    }),
  )
}

/** The categories in which the median is below the goal. */
export const missed = ({ median: got, goal }: Pick<Result, 'median' | 'goal'>) =>
  categories.filter((category) => (got[category] ?? 0) < (goal[category] ?? 0))

/** The address of a page in a language, without the host. */
export const addressOf = (path: string, language: string) =>
  `${path}?${new URLSearchParams({ lang: language }).toString()}`

/** One line about a page: its medians, and whether they reach the goal. */
export function lineOf(result: Result): string {
  const { page, goal, median: got } = result
  const scores = categories.map((name) => `${name} ${got[name] ?? 0} of ${goal[name] ?? 0}`)
  const below = missed(result)
  const seconds = (name: string) => `${name} ${((got[name] ?? 0) / 1000).toFixed(1)} s`
  const times = [seconds('FCP'), seconds('LCP'), `TBT ${Math.round(got.TBT ?? 0)} ms`]
  const rest = [`CLS ${(got.CLS ?? 0).toFixed(3)}`, `machine ${Math.round(got.machine ?? 0)}`]
  return [
    page,
    ...scores,
    ...times,
    ...rest,
    below.length > 0 ? `below in ${below.join(', ')}` : 'reached',
  ].join('  ')
}
