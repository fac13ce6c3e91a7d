import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Plugin } from 'vite'
import { languages } from '../src/locales/languages.ts'
import { readManifest } from './pages.ts'

const folder = 'src/locales'
const prefix = 'virtual:catalogue/'

/** Size budget of the script of a language, in KiB of gzip. */
const budget = 20

/** The languages with a folder of translations. */
const translated = Object.keys(languages).filter((name) => name !== 'en' && existsSync(join(folder, name)))

/**
 * Makes a script of each language, which sets `translation` for src/messages.ts. A page in that language loads it
 * before the application. It is no import of the application: pages in English do not know it, and a top-level await
 * would disable the bundler's optimization of chunks. Writes the names of the scripts to languages.json for the web
 * server. The development server is in the language of the environment variable BAARI_LANG.
 */
export function catalogues(): Plugin {
  let outDir = 'dist'
  let building = false
  return {
    name: 'baari:catalogues',
    configResolved(config) {
      outDir = config.build.outDir
      building = config.command === 'build'
    },
    buildStart() {
      if (!building) return
      for (const name of translated) this.emitFile({ type: 'chunk', id: prefix + name, name })
    },
    resolveId: (source) => (source.startsWith(prefix) ? source : undefined),
    load(id) {
      if (!id.startsWith(prefix)) return
      const name = id.slice(prefix.length)
      return { code: script(name), moduleSideEffects: true }
    },
    transformIndexHtml(html) {
      const name = process.env.BAARI_LANG ?? 'en'
      if (building || !translated.includes(name)) return html
      const attrs = { type: 'module', src: `/@id/${prefix}${name}` }
      return [{ tag: 'script', attrs, injectTo: 'head-prepend' }]
    },
    async closeBundle() {
      if (!building) return
      const manifest = await readManifest(outDir)
      const files = translated.map((name) => [name, manifest[prefix + name]?.file ?? ''] as const)
      for (const [name, file] of files) {
        const weight = gzipSync(readFileSync(join(outDir, file)), { level: 9 }).length / 1024
        this.info(`language ${name}: ${weight.toFixed(1)} of ${budget} KiB`)
        if (weight > budget) this.error(`language ${name} weighs ${weight.toFixed(1)} KiB`)
      }
      const note = Object.fromEntries(files.map(([name, file]) => [name, `/${file}`]))
      await writeFile(join(outDir, 'languages.json'), JSON.stringify(note))
    },
  }
}

function script(name: string): string {
  const files = readdirSync(join(folder, name)).map((file) => readFileSync(join(folder, name, file), 'utf8'))
  const messages = Object.assign({}, ...files.map((file) => JSON.parse(file) as object)) as object
  return `globalThis.translation = ${JSON.stringify({ language: name, messages })}`
}
