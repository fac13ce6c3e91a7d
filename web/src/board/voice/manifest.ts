/** Where the clips of a pack are. */
export type Manifest = { clips: Readonly<Record<string, readonly [number, number]>> }
