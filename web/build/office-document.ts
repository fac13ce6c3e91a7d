import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { Plugin } from 'vite'

const id = 'virtual:office'
const resolved = '\0virtual:office.json'

/**
 * Embeds the office document in index.html, which paints it before any response arrives, and writes a copy beside it
 * for a page hosted without a backend. Baari's web server embeds the document of its own OFFICE_FILE instead.
 * Tests import it as `virtual:office`.
 */
export function officeDocument(file: string): Plugin {
  return {
    name: 'baari:office-document',
    resolveId: (source) => (source === id ? resolved : undefined),
    load: (source) => (source === resolved ? readFile(file, 'utf8') : undefined),
    transformIndexHtml: async () => [
      {
        tag: 'script',
        attrs: { type: 'application/json', id: 'office' },
        children: (await readFile(file, 'utf8')).replaceAll('<', '\\u003c'),
        injectTo: 'head',
      },
    ],
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
