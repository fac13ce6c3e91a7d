import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

const ours = fileURLToPath(new URL('../src/ui/scroll-bar-size.ts', import.meta.url))

/** Puts our own measure of scroll bars in the place of Ant Design's, which a page with a style nonce cannot use. */
export function scrollBarSize(): Plugin {
  return {
    name: 'baari:scroll-bar-size',
    enforce: 'pre',
    resolveId(source, importer) {
      const asked = source.endsWith('/getScrollBarSize') && importer?.includes('@rc-component/util')
      return asked ? ours : undefined
    },
  }
}
