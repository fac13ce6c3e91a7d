import { serverNow } from '@/clock'
import { inBackground } from '@/in-background'
import { officeDay } from './office-day'

const checkEveryMs = 5_000
/** The age in milliseconds from which a document is read again when its page becomes visible. */
const oldMs = 60_000

type Watch = {
  zone: () => string
  /** When the document was last read, in milliseconds by this computer's clock. */
  readAt: () => number
  read: () => Promise<void>
}

/**
 * Reads the office document again at the office's midnight, and when a page with an old document becomes visible.
 * Returns a function that ends it.
 */
export function watchOffice({ zone, readAt, read }: Watch): () => void {
  const today = () => officeDay(new Date(serverNow()), zone())
  let day = today()
  const timer = setInterval(() => {
    if (day === today()) return
    day = today()
    inBackground(read())
  }, checkEveryMs)
  const shown = () => {
    if (document.visibilityState === 'visible' && Date.now() - readAt() > oldMs) inBackground(read())
  }
  document.addEventListener('visibilitychange', shown)
  return () => {
    clearInterval(timer)
    document.removeEventListener('visibilitychange', shown)
  }
}
