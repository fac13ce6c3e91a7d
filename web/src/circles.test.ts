import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

type Graph = ReadonlyMap<string, readonly string[]>

const imports = /\b(?:from|import)\s*\(?\s*'([^']+)'/g

/** The imports of each module of src, including type imports and lazy imports. */
const modules: Graph = new Map(
  globSync('src/**/*.{ts,tsx}')
    .filter((file) => !/\.(test|d)\.tsx?$/.test(file))
    .map((file) => {
      const paths = [...readFileSync(file, 'utf8').matchAll(imports)].map(([, path = '']) => path)
      return [nameOf(file), paths.map((path) => nameOf(resolved(path, file)))]
    }),
)

function nameOf(file: string) {
  return file.replace(/\.tsx?$/, '')
}

function resolved(path: string, from: string) {
  return path.startsWith('@/') ? path.replace('@', 'src') : join(dirname(from), path)
}

/** The modules of one import cycle, in order, with the first module repeated at the end; empty if there is none. */
function circleIn(graph: Graph): string[] {
  const left = new Map(graph)
  const leadsOn = (name: string) => left.get(name)?.some((one) => left.has(one)) ?? false
  for (let before = 0; before !== left.size;) {
    before = left.size
    for (const name of left.keys()) if (!leadsOn(name)) left.delete(name)
  }
  const way: string[] = []
  let [at] = left.keys()
  while (at !== undefined && !way.includes(at)) {
    way.push(at)
    at = left.get(at)?.find((one) => left.has(one))
  }
  return at === undefined ? [] : [...way.slice(way.indexOf(at)), at]
}

test('no module imports itself through others', () => {
  expect(modules.get('src/main')).toContain('src/app/app')
  expect(modules.get('src/app/router')).toContain('src/screens/landing/landing')
  expect(circleIn(modules)).toEqual([])
})

test('a circle is found', () => {
  const graph = { page: ['row'], row: ['menu', 'icon'], menu: ['dialog'], dialog: ['row'], icon: [] }
  expect(circleIn(new Map(Object.entries(graph)))).toEqual(['row', 'menu', 'dialog', 'row'])
})
