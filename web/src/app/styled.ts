import { stylesheets } from 'virtual:antd-css'

/**
 * Waits for a part of Ant Design's styles. The web server preloads it on the pages that need it; client-side routing
 * loads it here. The stylesheet is inserted before our own styles, which may override it.
 */
export async function styled(part: 'entry' | 'desk'): Promise<void> {
  const href = stylesheets?.[part]
  if (!href || document.querySelector(`link[rel="stylesheet"][href="${href}"]`)) return
  const link = document.createElement('link')
  link.rel = 'stylesheet'
  link.href = href
  await new Promise((loaded, failed) => {
    link.onload = loaded
    link.onerror = failed
    document.head.prepend(link)
  })
}
