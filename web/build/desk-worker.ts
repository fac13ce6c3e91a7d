import { createHash } from 'node:crypto'
import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build, type Plugin } from 'vite'
import { entry, files, filesOf, pages, readManifest, type Manifest } from './pages.ts'

const source = 'src/offline/worker.ts'
const worker = 'desk-sw.js'
/** Size budget of the service worker, in KiB of gzip, without its list. */
const budget = 6
/** Size budget of the files that it keeps, in MiB. */
const mostKept = 4

/** The page that a desk opens without the server, and what else it shows there. */
const page = '/dashboard/receptionist'
const loose = ['/theme.js', '/start.js', '/mark.svg', '/desk.webmanifest']

/**
 * Files that no module imports: fonts, also those for slips in a visitor's language, and the scripts that pages in
 * another language load before the application.
 */
const beside = /^anek-.*\.woff2$|^rosette.*\.svg$|^\w\w-public-.*\.js$/

/** Builds the service worker of paired desks, and writes into it the page of reception with its files. */
export function deskWorker(): Plugin {
  let outDir = 'dist'
  return {
    name: 'baari:desk-worker',
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
          define: { 'process.env.NODE_ENV': '"production"' },
          build: {
            outDir,
            emptyOutDir: false,
            target: 'baseline-widely-available',
            rolldownOptions: { input: source, output: { format: 'iife', entryFileNames: worker } },
          },
        })
        const path = join(outDir, worker)
        const script = await readFile(path, 'utf8')
        const weight = gzipSync(script, { level: 9 }).length / 1024
        this.info(`service worker of desks: ${weight.toFixed(1)} of ${budget} KiB`)
        if (weight > budget) this.error(`the service worker of desks weighs ${weight.toFixed(1)} KiB`)
        const kept = await keptFiles(outDir)
        const size = await sizeOf(outDir, kept)
        this.info(`kept by desks: ${size.toFixed(2)} of ${mostKept} MiB, ${kept.length} files`)
        if (size > mostKept) this.error(`desks keep ${size.toFixed(2)} MiB`)
        await writeFile(path, script.replaceAll('KEPT', JSON.stringify(await entriesOf(outDir, kept))))
      },
    },
  }
}

type Chunk = Manifest[string] & { dynamicImports?: string[]; assets?: string[] }

/** The files of reception's page, and of what its screen loads later. */
async function keptFiles(outDir: string): Promise<string[]> {
  const manifest = (await readManifest(outDir)) as Record<string, Chunk>
  const reception = pages.find(({ path }) => path === page)
  if (!reception) throw new Error(`there is no page ${page}`)
  const found = new Set([...files(manifest, [entry]), ...(await filesOf(outDir, manifest, reception))])
  const later = laterOf(manifest, reception.modules)
  for (const file of files(manifest, later)) found.add(file)
  const assets = await readdir(join(outDir, 'assets'))
  const shown = assets.filter((file) => beside.test(file))
  return [...found, ...shown.map((file) => `assets/${file}`)]
}

/** The modules that the given ones import lazily, and those that these import lazily in turn. */
function laterOf(manifest: Record<string, Chunk>, modules: readonly string[]): string[] {
  const seen = new Set<string>()
  const later = new Set<string>()
  const visit = (name: string) => {
    if (seen.has(name) || name === entry) return
    seen.add(name)
    const { imports = [], dynamicImports = [] } = manifest[name] ?? {}
    imports.forEach(visit)
    for (const one of dynamicImports) {
      later.add(one)
      visit(one)
    }
  }
  modules.forEach(visit)
  return [...later]
}

async function sizeOf(outDir: string, names: readonly string[]): Promise<number> {
  const sizes = await Promise.all(names.map(async (name) => (await stat(join(outDir, name))).size))
  return sizes.reduce((sum, size) => sum + size, 0) / 1024 / 1024
}

/** A file with a hash in its name never changes. The page and the other files get the hash of the build. */
async function entriesOf(outDir: string, names: readonly string[]) {
  const html = await readFile(join(outDir, entry), 'utf8')
  const revision = createHash('sha256').update(html).update(names.join()).digest('hex').slice(0, 12)
  return [
    ...[page, ...loose].map((url) => ({ url, revision })),
    ...[...new Set(names)].map((name) => ({ url: `/${name}`, revision: null })),
  ]
}
