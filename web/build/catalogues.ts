import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Plugin } from 'vite'
import { languages } from '../src/locales/languages.ts'
import { files, readManifest, type Manifest } from './pages.ts'

const folder = 'src/locales'
const prefix = 'virtual:catalogue/'

/** Size budget of the script of a language, in KiB of gzip. */
const budget = 20

/** The languages with a folder of translations. */
export const translated = Object.keys(languages).filter(
  (name) => name !== 'en' && existsSync(join(folder, name)),
)

/** Ant Design's texts in a language, as named in the manifest. */
const antdTexts = (name: string) =>
  name === 'te' ? `${folder}/antd-te.ts` : `node_modules/antd/es/locale/${name}_IN.js`

/**
 * Makes a script of each language, which sets `translation` for src/messages.ts. A page in that language loads it
 * before the application. It is no import of the application: pages in English do not know it, and a top-level await
 * would disable the bundler's optimization of chunks. Writes what the pages of a language need to languages.json for
 * the web server. The development server is in the language of the environment variable BAARI_LANG.
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
      const code = `globalThis.translation = ${JSON.stringify({ language: name, messages: readMessages(name) })}`
      return { code, moduleSideEffects: true }
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
      const needed = translated.map((name) => [name, needsOf(manifest, name)] as const)
      for (const [name, { script }] of needed) {
        const weight = gzipSync(readFileSync(join(outDir, script)), { level: 9 }).length / 1024
        this.info(`language ${name}: ${weight.toFixed(1)} of ${budget} KiB`)
        if (weight > budget) this.error(`language ${name} weighs ${weight.toFixed(1)} KiB`)
      }
      await writeFile(join(outDir, 'languages.json'), JSON.stringify(Object.fromEntries(needed)))
    },
  }
}

/** What the web server adds to the pages of a language. */
function needsOf(manifest: Manifest, name: string) {
  return {
    script: `/${manifest[prefix + name]?.file ?? ''}`,
    staff: [...files(manifest, [antdTexts(name)])].map((file) => `/${file}`),
    staffLogin: readMessages(name).landing.staffLogin,
  }
}

type Node = string | Node[] | Texts
type Texts = { [key: string]: Node }

/** The texts of a language. A text that it lacks is in English. */
export function readMessages(name: string) {
  const texts = (language: string) =>
    Object.assign(
      {},
      ...readdirSync(join(folder, language)).map(
        (file) => JSON.parse(readFileSync(join(folder, language, file), 'utf8')) as Texts,
      ),
    ) as Texts
  return over(texts('en'), texts(name)) as Texts & { landing: { staffLogin: string } }
}

/** The first texts, replaced by those of the second at the same places. */
function over(texts: Node, others: Node | undefined): Node {
  if (typeof texts === 'string' || typeof others !== 'object') return others ?? texts
  const at = (key: string | number) => (others as Texts)[key]
  if (Array.isArray(texts)) return texts.map((text, index) => over(text, at(index)))
  return Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, over(text, at(key))]))
}
