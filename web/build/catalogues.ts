import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Plugin } from 'vite'
import { languages } from '../src/locales/languages.ts'
import { entry, files, readManifest, type Manifest } from './pages.ts'

const folder = 'src/locales'
const prefix = 'virtual:catalogue/'

/**
 * The scripts of a language: `public` has the texts of the pages before sign-in, `staff` those of the dashboards,
 * `admin` those of the tabs that only an admin opens, and `settings` those of the office's settings. The budgets are
 * in KiB of gzip, some above the largest script of November 2026: a text in an Indian script takes about 15 bytes, and
 * each new screen adds texts.
 */
const budgets = { public: 9, staff: 15, admin: 12, settings: 8 } as const
type Part = keyof typeof budgets
const parts = Object.keys(budgets) as Part[]
const moduleOf = (part: Part, name: string) => `${prefix}${part}/${name}`

/** The module that loads the staff's texts, as named in the manifest. */
const staffTexts = 'src/staff-texts.ts'

/** The languages with a folder of translations. */
export const translated = Object.keys(languages).filter(
  (name) => name !== 'en' && existsSync(join(folder, name)),
)

/** Ant Design's texts in a language, as named in the manifest. */
const antdTexts = (name: string) =>
  name === 'te' ? `${folder}/antd-te.ts` : `node_modules/antd/es/locale/${name}_IN.js`

/**
 * Builds the scripts of each language. The script with the public texts sets `translation` for src/messages.ts, and a
 * page in that language loads it before the application. The application does not import it: pages in English must not
 * load it, and a top-level await would disable the bundler's optimization of chunks. src/staff-texts.ts loads the
 * staff's and the admin's texts before the first dashboard that needs them. The files that each language needs are
 * written to languages.json for the web server. The development server uses the language of the environment variable
 * BAARI_LANG.
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
      for (const name of translated)
        for (const part of parts)
          this.emitFile({ type: 'chunk', id: moduleOf(part, name), name: `${name}-${part}` })
    },
    resolveId: (source) => (source.startsWith(prefix) ? source : undefined),
    load(id) {
      if (!id.startsWith(prefix)) return
      const [part, name = ''] = id.slice(prefix.length).split('/')
      const texts = readMessages(name)
      if (part !== 'public') return `export default ${JSON.stringify(texts[part as Part])}`
      const code = `globalThis.translation = ${JSON.stringify({ language: name, messages: texts.public })}`
      return { code, moduleSideEffects: true }
    },
    transformIndexHtml(html) {
      const name = process.env.BAARI_LANG ?? 'en'
      if (building || !translated.includes(name)) return html
      const attrs = { type: 'module', src: `/@id/${moduleOf('public', name)}` }
      return [{ tag: 'script', attrs, injectTo: 'head-prepend' }]
    },
    async closeBundle() {
      if (!building) return
      const manifest = await readManifest(outDir)
      for (const name of translated) {
        for (const part of parts) {
          const script = readFileSync(join(outDir, fileOf(manifest, part, name)))
          const weight = gzipSync(script, { level: 9 }).length / 1024
          this.info(`language ${name}, ${part}: ${weight.toFixed(1)} of ${budgets[part]} KiB`)
          if (weight > budgets[part]) this.error(`language ${name}, ${part}, weighs ${weight.toFixed(1)} KiB`)
        }
      }
      const needed = Object.fromEntries(translated.map((name) => [name, needsOf(manifest, name)]))
      await writeFile(join(outDir, 'languages.json'), JSON.stringify(needed))
    },
  }
}

/** The script of a language. */
const fileOf = (manifest: Manifest, part: Part, name: string) => {
  const chunk = manifest[moduleOf(part, name)]
  if (!chunk) throw new Error(`the build has no ${moduleOf(part, name)}`)
  return chunk.file
}

/** What the web server adds to the pages of a language. */
function needsOf(manifest: Manifest, name: string) {
  const common = files(manifest, [entry])
  const neededBy = (module: string) =>
    [...files(manifest, [module])].filter((file) => !common.has(file)).map((file) => `/${file}`)
  return {
    script: `/${fileOf(manifest, 'public', name)}`,
    staff: neededBy(antdTexts(name)),
    dashboard: [...neededBy(staffTexts), ...neededBy(moduleOf('staff', name))],
    staffLogin: readMessages(name).public.landing.staffLogin,
  }
}

type Node = string | Node[] | Texts
type Texts = { [key: string]: Node }

/** The files of src/locales/en that a list of texts imports. */
const filesOf = (list: string) =>
  [...readFileSync(join(folder, list), 'utf8').matchAll(/'\.\/en\/(.+)'/g)].map(([, file = '']) => file)

/** The files with the texts of each part. All others are the staff's. */
const publicFiles = filesOf('en-public.ts')
const adminFiles = filesOf('en-admin.ts')
const settingsFiles = filesOf('en-settings.ts')
const named = [...publicFiles, ...adminFiles, ...settingsFiles]

/** The board and a desk without network load their texts themselves. */
const ownFiles = ['board.json', 'offline-desk.json']

/** The texts of a language by script. Missing texts are in English. */
export function readMessages(name: string) {
  const all = readdirSync(join(folder, 'en')).filter((file) => !ownFiles.includes(file))
  return {
    public: textsOf(name, publicFiles) as Texts & { landing: { staffLogin: string } },
    staff: textsOf(
      name,
      all.filter((file) => !named.includes(file)),
    ),
    admin: textsOf(name, adminFiles),
    settings: textsOf(name, settingsFiles),
  }
}

function textsOf(name: string, names: readonly string[]): Texts {
  const read = (language: string, file: string) => {
    const path = join(folder, language, file)
    return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Texts) : {}
  }
  return Object.assign({}, ...names.map((file) => over(read('en', file), read(name, file)))) as Texts
}

/** The first object, with the texts that the second one has in the same places. */
function over(texts: Node, others: Node | undefined): Node {
  if (typeof texts === 'string' || typeof others !== 'object') return others ?? texts
  const at = (key: string | number) => (others as Texts)[key]
  if (Array.isArray(texts)) return texts.map((text, index) => over(text, at(index)))
  return Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, over(text, at(key))]))
}
