import { createReadStream, existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { Plugin } from 'vite'

/** Puts the office document beside index.html, for a page that is hosted without a backend. */
export function officeDocument(file: string): Plugin {
  return {
    name: 'baari:office-document',
    configureServer(server) {
      server.middlewares.use('/office.json', (_request, response) => {
        createReadStream(file).pipe(response)
      })
    },
    async generateBundle() {
      if (existsSync(file)) {
        this.emitFile({ type: 'asset', fileName: 'office.json', source: await readFile(file) })
      } else {
        this.warn(`${file} is missing: built without office.json`)
      }
    },
  }
}
