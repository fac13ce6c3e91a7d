import type { Page } from '@playwright/test'
import { drop } from '../scenes/scene'

/** Toasts of the public page and pending calls stay while they are checked. */
export function stopClocks() {
  AbortSignal.timeout = () => new AbortController().signal
  const later = window.setTimeout.bind(window)
  const toasts = [2_000, 4_000]
  window.setTimeout = ((act: () => void, ms = 0, ...rest: []) =>
    toasts.includes(ms) ? 0 : later(act, ms, ...rest)) as typeof window.setTimeout
}

/** A toast stays while the pointer is on it. The real pointer goes through toasts, to what is below. */
export async function holdToast(page: Page) {
  const toast = page.locator('.ant-message-notice').last()
  if (!(await toast.isVisible())) return
  // It may end just then: whether that ends the state is judged afterwards.
  await toast.dispatchEvent('mouseover', undefined, { timeout: 1_000 }).catch(() => undefined)
}

export async function leave(page: Page) {
  await drop(page)
  await page.close()
}
