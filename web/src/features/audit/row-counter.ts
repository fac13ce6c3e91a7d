const quote = 0x22
const lineFeed = 0x0a

/**
 * Counts the rows of a CSV file, without the header, while the file is received. A line feed within quotes is part of
 * a note, not the end of a row.
 */
export function rowCounter() {
  let lines = 0
  let quoted = false
  const rows = () => Math.max(0, lines - 1)
  return {
    rows,
    /** Adds the next bytes and returns the number of complete rows. */
    add(bytes: Uint8Array): number {
      for (const byte of bytes) {
        if (byte === quote) quoted = !quoted
        else if (byte === lineFeed && !quoted) lines += 1
      }
      return rows()
    },
  }
}
