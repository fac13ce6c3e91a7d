import Bowser from 'bowser'
import { fill } from '@/messages'
import { messages } from '@/staff-messages'

const text = messages.settings.browsers

/**
 * The display name of a browser, such as Chrome on Android. For other programs it is the first word of the user agent.
 */
export function browserOf(userAgent: string): string {
  const { browser, os } = userAgent ? Bowser.parse(userAgent) : {}
  if (browser?.name)
    return os?.name ? fill(text.browserOn, { browser: browser.name, system: os.name }) : browser.name
  return /^[\w.-]+/.exec(userAgent)?.[0] ?? text.unknown
}
