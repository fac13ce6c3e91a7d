import { describe, expect, it } from 'vitest'

const sources = import.meta.glob<string>('../**/*.{ts,tsx}', {
  query: '?raw',
  import: 'default',
  eager: true,
})
const { './antd-styles.tsx': styles = '', ...others } = sources

/** What a source takes from Ant Design, types left out. */
const takenBy = (source: string) =>
  [...source.matchAll(/^import \{([^}]*)\} from 'antd'/gm)]
    .flatMap(([, names = '']) => names.split(','))
    .map((name) => name.trim())
    .filter((name) => name !== '' && !name.startsWith('type '))

describe('the styles that the build makes', () => {
  it('know every component in use: one that is not drawn there has no style in production', () => {
    const used = new Set(Object.values(others).flatMap(takenBy))
    expect(used.size).toBeGreaterThan(10)
    // Toasts are drawn by their panel; what has a small letter otherwise draws nothing.
    const components = [...used, 'Message'].filter((name) => /^[A-Z]/.test(name))
    expect(components.filter((name) => !new RegExp(`<${name}[\\s./>]`).test(styles))).toEqual([])
  })
})
