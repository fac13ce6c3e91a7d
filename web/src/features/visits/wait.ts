/** How a wait is to be seen: short, from half of the published wait on long, from the whole of it on too long. */
export type WaitLevel = 'short' | 'long' | 'tooLong'

export function waitLevel(minutes: number, published: number): WaitLevel {
  if (minutes >= published) return 'tooLong'
  return minutes >= published / 2 ? 'long' : 'short'
}
