import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { antdFile } from './antd-css.ts'

const staff = ['src/app/providers.tsx', 'src/app/dashboard.tsx']

type Page = {
  page: string
  path: string
  /** What is loaded besides the entry. */
  modules: string[]
  /** The parts of Ant Design's styles. */
  antd: readonly ('entry' | 'desk')[]
  /** Images of the first view. */
  images?: string[]
  /** Size budget of scripts and styles, in KiB of gzip. */
  budget: number
}

const both = ['entry', 'desk'] as const
const ticket = ['src/assets/rosette.svg']

/** The screens that have an address. */
export const pages: Page[] = [
  {
    page: 'landing',
    path: '/',
    modules: ['src/screens/landing/landing.tsx'],
    antd: [],
    images: ticket,
    budget: 120,
  },
  {
    page: 'sign-in',
    path: '/login',
    modules: ['src/app/providers.tsx', 'src/screens/login/login.tsx'],
    antd: ['entry'],
    images: ticket,
    budget: 260,
  },
  {
    page: 'receptionist',
    path: '/dashboard/receptionist',
    modules: [...staff, 'src/screens/receptionist/receptionist.tsx'],
    antd: both,
    budget: 436.5,
  },
  {
    page: 'pa',
    path: '/dashboard/pa',
    modules: [...staff, 'src/screens/pa/pa.tsx'],
    antd: both,
    budget: 440,
  },
  {
    page: 'consultant',
    path: '/dashboard/consultant',
    modules: [...staff, 'src/screens/consultant/consultant.tsx'],
    antd: both,
    budget: 440,
  },
  {
    page: 'admin',
    path: '/dashboard/admin',
    modules: [...staff, 'src/screens/admin/admin.tsx'],
    antd: both,
    budget: 440,
  },
]

/** The module that index.html loads, as named in the manifest. */
export const entry = 'index.html'

type Chunk = { file: string; css?: string[]; imports?: string[] }
export type Manifest = Record<string, Chunk>

export async function readManifest(outDir: string): Promise<Manifest> {
  return JSON.parse(await readFile(join(outDir, '.vite', 'manifest.json'), 'utf8')) as Manifest
}

/** The files of the given modules and of everything they import statically. */
export function files(manifest: Manifest, modules: string[]): Set<string> {
  const found = new Set<string>()
  const visit = (name: string) => {
    const chunk = manifest[name]
    if (!chunk) throw new Error(`the build has no ${name}`)
    if (found.has(chunk.file)) return
    found.add(chunk.file)
    chunk.css?.forEach((style) => found.add(style))
    chunk.imports?.forEach(visit)
  }
  modules.forEach(visit)
  return found
}

/** All files that a page loads. Ant Design's styles come before ours, which may override them. */
export async function filesOf(outDir: string, manifest: Manifest, page: Page): Promise<Set<string>> {
  const assets = await readdir(join(outDir, 'assets'))
  const styles = page.antd.map((part) => {
    const file = assets.map((name) => `assets/${name}`).find((name) => name.startsWith(antdFile(part)))
    if (!file) throw new Error(`the build has no ${antdFile(part)}*.css`)
    return file
  })
  return new Set([...styles, ...files(manifest, [...(page.images ?? []), ...page.modules])])
}
