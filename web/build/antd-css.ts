import { createHash } from 'node:crypto'
import { runnerImport, type Plugin } from 'vite'

type Module = typeof import('../src/theme/antd-styles.tsx')

const id = 'virtual:antd-css'
const resolved = '\0virtual:antd-css.js'

/** The name of the file with one part of Ant Design's styles, before its hash. */
export const antdFile = (part: 'entry' | 'desk') => `assets/antd-${part}-`

/**
 * Writes Ant Design's styles to files at build time, so that browsers do not generate them. `virtual:antd-css` exports
 * their addresses. In development it exports null, and the styles are generated at run time. Tests have no styles:
 * jsdom would compare each of their thousands of rules with every element that a query passes.
 */
export function antdCss(): Plugin {
  let building = false
  return {
    name: 'baari:antd-css',
    configResolved({ command }) {
      building = command === 'build'
    },
    resolveId: (source) => (source === id ? resolved : undefined),
    async load(source) {
      if (source !== resolved) return
      if (process.env.VITEST) return `export const stylesheets = { entry: '', desk: '' }`
      if (!building) return 'export const stylesheets = null'
      const styles = Object.entries(await makeStyles()).map(([part, css]) => {
        const hash = createHash('sha256').update(css).digest('base64url').slice(0, 8)
        const fileName = `${antdFile(part as 'entry' | 'desk')}${hash}.css`
        this.emitFile({ type: 'asset', fileName, source: css })
        return [part, `/${fileName}`]
      })
      return `export const stylesheets = ${JSON.stringify(Object.fromEntries(styles))}`
    },
  }
}

async function makeStyles() {
  const { module } = await runnerImport<Module>('./src/theme/antd-styles.tsx', {
    resolve: { tsconfigPaths: true },
    plugins: [antdCss()],
  })
  return module.antdStyles()
}
