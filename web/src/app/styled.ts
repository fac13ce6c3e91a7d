import { stylesheets } from 'virtual:antd-css'

/**
 * Waits for a part of Ant Design's styles. The web server names it in the head of the pages that need it; whoever comes
 * from another page gets it here. It stands before our own styles, which may then change what it says.
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
