/** A position in the feed of visits: `visits=<epoch>:<seq>`. */
const source = 'visits='

let newestEvent: string | undefined
let oldestResponse: string | undefined

const visitsPart = (position: string) => position.split(';').find((one) => one.startsWith(source))

/** Reports whether the first position precedes the second. Positions of different epochs count as preceding. */
function before(one: string, other: string): boolean {
  const [epoch, seq] = one.split(':')
  const [otherEpoch, otherSeq] = other.split(':')
  return epoch !== otherEpoch || Number(seq) < Number(otherSeq)
}

/** Stores the feed position of a live event. */
export function recordEventPosition(position: string) {
  newestEvent = visitsPart(position) ?? newestEvent
}

/** The position that a refetch must include, so that counts and queues are not older than the event that caused it. */
export const feedMin = () => newestEvent

/** Stores the feed position of a response. */
export function recordResponsePosition(feedSeq: string | null) {
  if (feedSeq && (oldestResponse === undefined || before(feedSeq, oldestResponse))) oldestResponse = feedSeq
}

/** Reports whether a response predates the opening of the stream at this position, so that it may lack a change. */
export function responsesPredate(position: string): boolean {
  const opened = visitsPart(position)
  return opened !== undefined && oldestResponse !== undefined && before(oldestResponse, opened)
}

/** Resets all positions, as for a new session. */
export function resetPositions() {
  newestEvent = undefined
  oldestResponse = undefined
}
