import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Plugin } from 'vite'
import { entry, files, filesOf, pages, readManifest } from './pages.ts'

/**
 * Writes a manifest for the web server: the files that each page needs besides those of index.html. The server names
 * them in the page's head, so that the browser fetches them in parallel and not one after the other.
 */
export function needs(): Plugin {
  let outDir = 'dist'
  return {
    name: 'baari:needs',
    apply: 'build',
    configResolved(config) {
      outDir = config.build.outDir
    },
    async closeBundle() {
      const manifest = await readManifest(outDir)
      const common = files(manifest, [entry])
      const note = await Promise.all(
        pages.map(async (page) => [
          page.path,
          [...(await filesOf(outDir, manifest, page))]
            .filter((file) => !common.has(file))
            .map((file) => `/${file}`),
        ]),
      )
      await writeFile(join(outDir, 'needs.json'), JSON.stringify(Object.fromEntries(note)))
    },
  }
}
