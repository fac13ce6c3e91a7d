import { fileURLToPath } from 'node:url'
import { pages } from './pages.ts'

/** The bundler's data about a module. */
type Graph = { getModuleInfo(id: string): { importedIds: string[] } | null }

const root = fileURLToPath(new URL('..', import.meta.url))

const staffPages = pages.map(({ page }) => page).filter((page) => page !== 'landing')

/** The files that several pages share, with the pages that need each; the most shared come first. */
const files: { name: string; shared: (needing: string[]) => boolean }[] = [
  { name: 'common', shared: (needing) => needing.includes('every page') && needing.length > 1 },
  { name: 'public', shared: (needing) => needing.includes('landing') && needing.length > 1 },
  { name: 'staff', shared: (needing) => staffPages.every((page) => needing.includes(page)) },
]

/**
 * Groups modules that several pages share, so that a page loads few files: each file costs a slow phone a round trip.
 * Modules that only some pages share are left to the bundler.
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
 * All modules of the application that the given modules import statically. The given modules have files of their own.
 * Libraries are left to the bundler, which knows which exports are used.
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
