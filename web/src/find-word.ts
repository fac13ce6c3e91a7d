import { inBackground } from '@/in-background'
import { once } from '@/once'

let soundsLike: ((typed: string, word: string) => boolean) | undefined

/** Loads the search across scripts, which no first view needs. Until then words are found by spelling only. */
export const loadSounds = once(async () => {
  ;({ soundsLike } = await import('@/skeleton'))
})

inBackground(loadSounds())

/** A text for comparison: apostrophes and hyphens are those of a keyboard, and invisible characters are left out. */
export const folded = (text: string) =>
  text
    .normalize('NFC')
    .replace(/\p{Cf}/gu, '')
    .replace(/[‘’ʼʹ´`′＇]/g, "'")
    .replace(/[\p{Pd}\u2212]/gu, '-')
    .toLocaleLowerCase('en-IN')

/** Whether a typed word occurs in a text, or sounds like one of its words. Both arguments are results of `folded`. */
export function findsWord(typed: string, text: string): boolean {
  // If the file could not be loaded at the start, this requests it again.
  if (!soundsLike) inBackground(loadSounds())
  return text.includes(typed) || text.split(/\s+/).some((word) => soundsLike?.(typed, word))
}
