import { fileURLToPath } from 'node:url'
import { pages } from './pages.ts'

/** What the bundler tells of a module. */
type Graph = { getModuleInfo(id: string): { importedIds: string[] } | null }

const root = fileURLToPath(new URL('..', import.meta.url))

const staffPages = pages.map(({ page }) => page).filter((page) => page !== 'landing')

/** The files that several pages share, the most shared one first, and which of the pages need what lies in it. */
const files: { name: string; shared: (needing: string[]) => boolean }[] = [
  { name: 'common', shared: (needing) => needing.includes('every page') && needing.length > 1 },
  { name: 'public', shared: (needing) => needing.includes('landing') && needing.length > 1 },
  { name: 'staff', shared: (needing) => staffPages.every((page) => needing.includes(page)) },
]

/**
 * Groups of modules that several pages share, so that a page needs few files: each costs a slow phone a round trip.
 * What only some pages share is left to the bundler.
 */
export function sharedFiles() {
  let reached: Map<string, Set<string>> | undefined
  const needing = (id: string, graph: Graph) => {
    reached ??= reach(graph)
    return [...reached].filter(([, modules]) => modules.has(id)).map(([page]) => page)
  }
  return files.map(({ name, shared }, index) => ({
    name: (id: string, graph: Graph) => (shared(needing(id, graph)) ? name : null),
    priority: files.length - index,
  }))
}

function reach(graph: Graph): Map<string, Set<string>> {
  const all = [{ page: 'every page', modules: ['src/main.tsx'] }, ...pages]
  return new Map(all.map(({ page, modules }) => [page, closure(graph, modules)]))
}

/**
 * Everything of ours that modules import at once, but not themselves: they are files of their own. Libraries are left to
 * the bundler, which knows what of them is used.
 */
function closure(graph: Graph, modules: string[]): Set<string> {
  const found = new Set<string>()
  const visit = (id: string) => {
    for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) {
      if (found.has(imported) || imported.includes('/node_modules/')) continue
      found.add(imported)
      visit(imported)
    }
  }
  modules.forEach((name) => visit(root + name))
  return found
}
