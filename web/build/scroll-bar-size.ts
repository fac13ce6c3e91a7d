import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

const ours = fileURLToPath(new URL('../src/ui/scroll-bar-size.ts', import.meta.url))

/** Replaces Ant Design's measurement of scroll bars with ours: theirs does not work on a page with a style nonce. */
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
