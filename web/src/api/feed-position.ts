/**
 * A position in the feed of visits has the form `visits=<epoch>:<seq>`. A position in several feeds joins them with
 * semicolons.
 */
const source = 'visits='

let newestEvent: string | undefined
let oldestResponse: string | undefined

const visitsPart = (position: string) => position.split(';').find((one) => one.startsWith(source))

/** Reports whether the first position is before the second. A position of another epoch counts as before. */
function before(one: string, other: string): boolean {
  const [epoch, seq] = one.split(':')
  const [otherEpoch, otherSeq] = other.split(':')
  return epoch !== otherEpoch || Number(seq) < Number(otherSeq)
}

export function recordEventPosition(position: string) {
  newestEvent = visitsPart(position) ?? newestEvent
}

/**
 * The position that the answer to a refetch must include, so that its counts and queues are not older than the event
 * that caused the refetch.
 */
export const feedMin = () => newestEvent

/** Stores the feed position of a response, if it is older than the stored one. */
export function recordResponsePosition(feedSeq: string | null) {
  if (feedSeq && (oldestResponse === undefined || before(feedSeq, oldestResponse))) oldestResponse = feedSeq
}

/**
 * Reports whether a response was older than the position at which the stream was opened. It may then lack a change that
 * the stream does not send.
 */
export function responsesPredate(position: string): boolean {
  const opened = visitsPart(position)
  return opened !== undefined && oldestResponse !== undefined && before(oldestResponse, opened)
}

export function resetPositions() {
  newestEvent = undefined
  oldestResponse = undefined
}
