/** What was raised says of itself: empty when it has nothing to say or is no error, whatever its type promises. */
export const messageOf = (raised: unknown) => (raised instanceof Error ? raised.message : '')
