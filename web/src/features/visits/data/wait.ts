/** The class of a wait: long from half of the published average wait on, too long from the whole of it on. */
export type WaitLevel = 'short' | 'long' | 'tooLong'

export function waitLevel(minutes: number, published: number): WaitLevel {
  if (minutes >= published) return 'tooLong'
  return minutes >= published / 2 ? 'long' : 'short'
}
