import { describe, expect, it } from 'vitest'

const sources = import.meta.glob<string>('../**/*.{ts,tsx}', {
  query: '?raw',
  import: 'default',
  eager: true,
})
const { './antd-styles.tsx': styles = '', ...others } = sources

/** The names that a source imports from Ant Design, without types. */
const takenBy = (source: string) =>
  [...source.matchAll(/^import \{([^}]*)\} from 'antd'/gm)]
    .flatMap(([, names = '']) => names.split(','))
    .map((name) => name.trim())
    .filter((name) => name !== '' && !name.startsWith('type '))

describe('the styles of the build', () => {
  it('include every component in use: a missing one has no style in production', () => {
    const used = new Set(Object.values(others).flatMap(takenBy))
    expect(used.size).toBeGreaterThan(10)
    // `Message` stands for the toasts. Names in lower case are not components.
    const components = [...used, 'Message'].filter((name) => /^[A-Z]/.test(name))
    expect(components.filter((name) => !new RegExp(`<${name}[\\s./>]`).test(styles))).toEqual([])
  })
})
