import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build, type Plugin } from 'vite'
import { paletteCss } from './palette-css.ts'
import { files, type Manifest } from './pages.ts'

/** The module that board.html loads, as named in the manifest. */
const entry = 'board.html'
const manifestFile = '.vite/board.json'
/** Size budget of scripts and styles, in KiB of gzip. */
const budget = 90

/**
 * Builds the board of the waiting room. The board is a page of its own that shares no script with the application,
 * because it needs little of it. Also writes the list of files that its service worker keeps.
 */
export function board(): Plugin {
  let outDir = 'dist'
  return {
    name: 'baari:board',
    apply: 'build',
    configResolved(config) {
      outDir = config.build.outDir
    },
    closeBundle: {
      order: 'pre',
      sequential: true,
      async handler() {
        await build({
          configFile: false,
          logLevel: 'warn',
          publicDir: false,
          plugins: [paletteCss()],
          resolve: { tsconfigPaths: true },
          build: {
            outDir,
            emptyOutDir: false,
            target: 'baseline-widely-available',
            assetsInlineLimit: 0,
            manifest: manifestFile,
            rolldownOptions: { input: entry },
          },
        })
        const manifest = JSON.parse(await readFile(join(outDir, manifestFile), 'utf8')) as Manifest
        const own = [...files(manifest, [entry])]
        const weight = await weigh(outDir, own)
        this.info(`board: ${weight.toFixed(1)} of ${budget} KiB`)
        if (weight > budget) this.error(`board weighs ${weight.toFixed(1)} KiB, its budget is ${budget}`)
        await writeWorker(outDir, [...own, ...assetsOf(manifest)])
      },
    },
  }
}

async function weigh(outDir: string, names: readonly string[]): Promise<number> {
  const sources = await Promise.all(names.map((name) => readFile(join(outDir, name))))
  return sources.reduce((sum, source) => sum + gzipSync(source, { level: 9 }).length, 0) / 1024
}

/** The font and the images that every board shows. Fonts of other scripts are kept once they are used. */
const assetsOf = (manifest: Manifest) =>
  Object.values(manifest)
    .map(({ file }) => file)
    .filter((file) => /anek-latin-[^/]*\.woff2$|\.svg$/.test(file) && !file.includes('rupee'))

async function writeWorker(outDir: string, names: readonly string[]) {
  const kept = ['/theme.js', '/mark.svg', ...new Set(names.map((name) => `/${name}`))]
  const page = await readFile(join(outDir, entry), 'utf8')
  const hash = createHash('sha256').update(page).digest('hex').slice(0, 12)
  const path = join(outDir, 'board-sw.js')
  const worker = (await readFile(path, 'utf8'))
    .replace("cacheName = 'board'", `cacheName = 'board-${hash}'`)
    .replace('files = []', `files = ${JSON.stringify(kept)}`)
  await writeFile(path, worker)
}
