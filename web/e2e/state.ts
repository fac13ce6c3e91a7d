import type { Page } from '@playwright/test'
import { drop } from '../scenes/scene'

/**
 * Prevents the time-outs of requests and of toasts on public pages, so that their states last while a test checks them.
 */
export function stopClocks() {
  AbortSignal.timeout = () => new AbortController().signal
  const later = window.setTimeout.bind(window)
  const toasts = [2_000, 4_000]
  window.setTimeout = ((act: () => void, ms = 0, ...rest: []) =>
    toasts.includes(ms) ? 0 : later(act, ms, ...rest)) as typeof window.setTimeout
}

/**
 * Keeps a toast open by an event as if the pointer were on it. The real pointer would go through the toast to the
 * elements below.
 */
export async function holdToast(page: Page) {
  const toast = page.locator('.ant-message-notice').last()
  if (!(await toast.isVisible())) return
  // The toast may disappear just now. The caller checks afterwards whether the state has ended with it.
  await toast.dispatchEvent('mouseover', undefined, { timeout: 1_000 }).catch(() => undefined)
}

export async function leave(page: Page) {
  await drop(page)
  await page.close()
}
