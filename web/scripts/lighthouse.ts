// Measures the landing page and the sign-in screen of a running system with Lighthouse, as a mid-range phone on a slow
// network with an empty cache. Compares the medians of the runs with the goals of lighthouse-result.ts. `baari verify
// --nightly lighthouse` runs it. The status is 1 when a page is below its goal.
import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { promisify } from 'node:util'

import {
  addressOf,
  categories,
  lineOf,
  median,
  missed,
  pages,
  parse,
  type Result,
} from './lighthouse-result.ts'

const run = promisify(execFile)

function setting(name: string, value = process.env[name]): string {
  if (!value) throw new Error(`${name} is not set`)
  return value
}

const baseURL = setting('BAARI_URL')
const program = setting('BAARI_LIGHTHOUSE') // Lighthouse's program for Node
const chromium = setting('BAARI_CHROMIUM')
const file = setting('BAARI_LIGHTHOUSE_FILE') // gets all runs as JSON
const runs = Number(process.env.BAARI_LIGHTHOUSE_RUNS ?? 5) // number for each page in each language
// These three use fonts of three scripts.
const languages = (process.env.BAARI_LIGHTHOUSE_LANGUAGES ?? 'en,hi,ta').split(',')
const largestAnswer = 64 << 20 // bytes

async function measure(page: string) {
  const { stdout } = await run(
    process.execPath,
    [
      program,
      baseURL + page,
      '--output=json',
      '--quiet',
      '--no-enable-error-reporting',
      `--only-categories=${categories.join(',')}`,
      '--chrome-flags=--headless=new --no-sandbox',
    ],
    { env: { ...process.env, CHROME_PATH: chromium }, maxBuffer: largestAnswer },
  )
  return parse(stdout)
}

const results: Result[] = []
for (const language of languages) {
  for (const { path, goal } of pages) {
    const page = addressOf(path, language)
    const all = []
    for (let n = 0; n < runs; n++) all.push(await measure(page))
    const result = { page, goal, runs: all, median: median(all) }
    results.push(result)
    console.log(lineOf(result))
  }
}
await mkdir(dirname(file), { recursive: true })
await writeFile(file, JSON.stringify(results, null, 2))
console.log(`all runs: ${file}`)
if (results.length === 0 || runs < 1 || results.some((result) => missed(result).length > 0))
  process.exitCode = 1
