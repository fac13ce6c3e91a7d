import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Plugin } from 'vite'

type Chunk = { file: string; css?: string[]; imports?: string[] }
type Manifest = Record<string, Chunk>

const staff = ['src/app/providers.tsx', 'src/app/dashboard.tsx']

/** What a page may weigh, in KiB of gzip: all scripts and styles it needs before it is shown. */
const pages = [
  { page: 'landing', modules: ['src/screens/landing/landing.tsx'], budget: 120 },
  { page: 'sign-in', modules: ['src/app/providers.tsx', 'src/screens/login/login.tsx'], budget: 260 },
  { page: 'receptionist', modules: [...staff, 'src/screens/receptionist/receptionist.tsx'], budget: 440 },
  { page: 'pa', modules: [...staff, 'src/screens/pa/pa.tsx'], budget: 440 },
  { page: 'consultant', modules: [...staff, 'src/screens/consultant/consultant.tsx'], budget: 440 },
  { page: 'admin', modules: [...staff, 'src/screens/admin/admin.tsx'], budget: 440 },
]

/** Fails a build in which a page weighs more than its budget, and prints what each weighs. */
export function budgets(): Plugin {
  let outDir = 'dist'
  return {
    name: 'baari:budgets',
    apply: 'build',
    configResolved(config) {
      outDir = config.build.outDir
    },
    async closeBundle() {
      const manifest = JSON.parse(await readFile(join(outDir, '.vite', 'manifest.json'), 'utf8')) as Manifest
      for (const { page, modules, budget } of pages) {
        const weight = await weigh(outDir, files(manifest, ['index.html', ...modules]))
        this.info(`${page}: ${weight.toFixed(1)} of ${budget} KiB`)
        if (weight > budget) this.error(`${page} weighs ${weight.toFixed(1)} KiB, its budget is ${budget}`)
      }
    },
  }
}

/** The files of modules and of everything they import at once. */
function files(manifest: Manifest, modules: string[]): Set<string> {
  const found = new Set<string>()
  const visit = (name: string) => {
    const chunk = manifest[name]
    if (!chunk) throw new Error(`the build has no ${name}`)
    if (found.has(chunk.file)) return
    found.add(chunk.file)
    chunk.css?.forEach((style) => found.add(style))
    chunk.imports?.forEach(visit)
  }
  modules.forEach(visit)
  return found
}

async function weigh(outDir: string, names: Set<string>): Promise<number> {
  const sources = await Promise.all([...names].map((name) => readFile(join(outDir, name))))
  return sources.reduce((sum, source) => sum + gzipSync(source, { level: 9 }).length, 0) / 1024
}
