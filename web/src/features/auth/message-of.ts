/** The message of a thrown value: empty when it has none or is not an error. */
export const messageOf = (raised: unknown) => (raised instanceof Error ? raised.message : '')
