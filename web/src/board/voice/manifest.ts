/** The position of each clip in the bytes of a pack: offset and length. */
export type Manifest = { clips: Readonly<Record<string, readonly [number, number]>> }
