import Bowser from 'bowser'
import { fill, messages } from '@/messages'

const text = messages.settings.devices

/** What a browser calls itself, in words that its owner knows: Chrome on Android. A program is told by its own first word. */
export function deviceOf(userAgent: string): string {
  const { browser, os } = userAgent ? Bowser.parse(userAgent) : {}
  if (browser?.name)
    return os?.name ? fill(text.browserOn, { browser: browser.name, system: os.name }) : browser.name
  return /^[\w.-]+/.exec(userAgent)?.[0] ?? text.unknown
}
