/** `long`: half of the published average wait or more. `tooLong`: the published average or more. */
export type WaitLevel = 'short' | 'long' | 'tooLong'

export function waitLevel(minutes: number, published: number): WaitLevel {
  if (minutes >= published) return 'tooLong'
  return minutes >= published / 2 ? 'long' : 'short'
}
