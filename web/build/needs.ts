import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Plugin } from 'vite'
import { entry, files, filesOf, pages, readManifest } from './pages.ts'

/**
 * Writes a note for the web server: which files each page needs besides those of index.html. It names them in the page's
 * head, so that the browser fetches all at once and not each when the one before has asked for it.
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
