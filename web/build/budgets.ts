import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Plugin } from 'vite'
import { entry, files, filesOf, pages, readManifest } from './pages.ts'

/** Fails the build when a page's scripts and styles exceed its budget, and prints the size of each page. */
export function budgets(): Plugin {
  let outDir = 'dist'
  return {
    name: 'baari:budgets',
    apply: 'build',
    configResolved(config) {
      outDir = config.build.outDir
    },
    async closeBundle() {
      const manifest = await readManifest(outDir)
      for (const screen of pages) {
        const { page, budget } = screen
        const names = new Set([
          ...files(manifest, [entry]),
          ...(await filesOf(outDir, manifest, { ...screen, images: [] })),
        ])
        const weight = await weigh(outDir, names)
        this.info(`${page}: ${weight.toFixed(1)} of ${budget} KiB`)
        if (weight > budget) this.error(`${page} weighs ${weight.toFixed(1)} KiB, its budget is ${budget}`)
      }
    },
  }
}

async function weigh(outDir: string, names: Set<string>): Promise<number> {
  const sources = await Promise.all([...names].map((name) => readFile(join(outDir, name))))
  return sources.reduce((sum, source) => sum + gzipSync(source, { level: 9 }).length, 0) / 1024
}
