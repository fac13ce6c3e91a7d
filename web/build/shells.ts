import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { runnerImport, type Plugin } from 'vite'
import type { Language } from '../src/locales/languages'
import type { PublicTexts } from '../src/messages.ts'
import { readMessages, translated } from './catalogues.ts'
import { readManifest, type Manifest } from './pages.ts'

type Module = typeof import('../src/shell.tsx')

/**
 * A placeholder for each text of the office. The placeholder of a phone number is numeric, because its link is built
 * from it.
 */
const ticketOf = (index: number) => ({ name: `[[service${index}]]`, est_minutes: `[[minutes${index}]]` })
const office = {
  brand: '[[brand]]',
  area: '[[area]]',
  city: '[[city]]',
  phone: '+0000000000',
  claims: { clients: '[[clients]]', years: '[[years]]', support: '[[support]]' },
  services: [ticketOf(0), ticketOf(1)],
  languages: ['en', 'hi'],
}

/** Writes the first view of the public pages in each language. The web server fills in the office and sends both. */
export function shells(): Plugin {
  let outDir = 'dist'
  return {
    name: 'baari:shells',
    apply: 'build',
    configResolved(config) {
      outDir = config.build.outDir
    },
    async closeBundle() {
      const manifest = await readManifest(outDir)
      const shells: Record<string, Record<string, string>> = {}
      for (const name of ['en', ...translated]) {
        const drawn = Object.entries(await draw(name)).map(([path, html]) => [
          path,
          withBuiltNames(html, manifest),
        ])
        shells[name] = Object.fromEntries(drawn) as Record<string, string>
      }
      await writeFile(join(outDir, 'shells.json'), JSON.stringify(shells))
    },
  }
}

/** Replaces image names with the names that the build assigned, and removes preloads. */
export const withBuiltNames = (html: string, manifest: Manifest) =>
  html
    .replace(/<link rel="preload"[^>]*>/g, '') // the web server names the files that a page needs
    .replace(/"\/(src\/assets\/[^"#]+)/g, (_, file: string) => `"/${manifest[file]?.file}`)

/** Draws the first views in a language, by path. The modules are evaluated again, with the texts of that language. */
async function draw(name: string) {
  if (name !== 'en') {
    const messages = readMessages(name).public as unknown as PublicTexts
    globalThis.translation = { language: name as Language, messages }
  }
  const { module } = await runnerImport<Module>('./src/shell.tsx', {
    resolve: { tsconfigPaths: true },
    plugins: [unstyled],
  })
  globalThis.translation = undefined
  return module.shells(office as unknown as Parameters<Module['shells']>[0])
}

/** The styles are already part of the build. */
export const unstyled: Plugin = {
  name: 'baari:unstyled',
  enforce: 'pre',
  resolveId: (source) => (source.endsWith('.css') ? '\0unstyled' : undefined),
  load: (id) => (id === '\0unstyled' ? '' : undefined),
}
