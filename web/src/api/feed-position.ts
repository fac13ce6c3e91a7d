/** A place in the feed of visits: `visits=<epoch>:<seq>`. */
const source = 'visits='

let newestEvent: string | undefined
let oldestAnswer: string | undefined

const visitsPart = (position: string) => position.split(';').find((one) => one.startsWith(source))

/** True when the first place lies before the second; places of two epochs cannot be compared and count as before. */
function before(one: string, other: string): boolean {
  const [epoch, seq] = one.split(':')
  const [otherEpoch, otherSeq] = other.split(':')
  return epoch !== otherEpoch || Number(seq) < Number(otherSeq)
}

/** Remembers how far the feed is, from the position of a live event. */
export function reached(position: string) {
  newestEvent = visitsPart(position) ?? newestEvent
}

/** What a refetch must be at least as new as: counts and queues are never older than the event that caused it. */
export const feedMin = () => newestEvent

/** Notes how far an answer was. */
export function answered(feedSeq: string | null) {
  if (feedSeq && (oldestAnswer === undefined || before(feedSeq, oldestAnswer))) oldestAnswer = feedSeq
}

/** Whether something was answered before the stream opened at this position, so that a change may have been missed. */
export function answersAreBehind(position: string): boolean {
  const opened = visitsPart(position)
  return opened !== undefined && oldestAnswer !== undefined && before(oldestAnswer, opened)
}

/** Starts anew, as another person's session does. */
export function forgetFeed() {
  newestEvent = undefined
  oldestAnswer = undefined
}
