import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { Plugin } from 'vite'

const id = 'virtual:office'
const resolved = '\0virtual:office.json'

/**
 * Puts the office document beside index.html, for a page that is hosted without a backend, and into the bundle
 * as `virtual:office`, which is painted before any document has been read.
 */
export function officeDocument(file: string): Plugin {
  return {
    name: 'baari:office-document',
    resolveId: (source) => (source === id ? resolved : undefined),
    load: (source) => (source === resolved ? readFile(file, 'utf8') : undefined),
    configureServer(server) {
      server.middlewares.use('/office.json', (_request, response) => {
        createReadStream(file).pipe(response)
      })
    },
    async generateBundle() {
      this.emitFile({ type: 'asset', fileName: 'office.json', source: await readFile(file) })
    },
  }
}
