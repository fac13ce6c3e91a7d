import type { Plugin } from 'vite'

const component = /@ant-design\/icons\/es\/components\/AntdIcon(Light)?\.js/
const named = /\{\s*role: "img",\s*"aria-label": icon\.name\s*\}/

/**
 * Hides Ant Design's icons from screen readers, except those with a label of ours: an icon stands beside a text or in a
 * labelled button, and its own label is an English name such as `close-circle` in every language.
 */
export function silentIcons(): Plugin {
  return {
    name: 'baari:silent-icons',
    transform(code, id) {
      if (!component.test(id)) return undefined
      if (!named.test(code)) this.error(`${id} does not label its icons as expected`)
      const silent = code.replace(
        named,
        'restProps["aria-label"] ? { role: "img" } : { "aria-hidden": true }',
      )
      return { code: silent, map: null }
    },
  }
}
