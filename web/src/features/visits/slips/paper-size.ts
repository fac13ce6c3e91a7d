/** The papers of a token's slip: rolls of 58 and 80 mm, and A6. */
export const papers = ['58', '80', 'a6'] as const
export type Paper = (typeof papers)[number]

/** The pages of a paper, the smallest first. */
export type Sheet = {
  /** What a line holds, in letters of the widest script. */
  letters: number
  /** How many lines each page holds. The last page, for longer texts, has no number here. */
  lines: readonly number[]
}

/** Counts the lines of a text. A word that does not fit begins a line; a word longer than a line is split. */
function linesOf(text: string, letters: number): number {
  let lines = 1
  let used = 0
  for (const { length } of text.split(/\s+/)) {
    if (used > 0 && used + 1 + length <= letters) {
      used += 1 + length
      continue
    }
    if (used > 0) lines += 1
    lines += Math.max(0, Math.ceil(length / letters) - 1)
    used = length % letters || Math.min(length, letters)
  }
  return lines
}

/** The smallest page that holds the texts, counted from 1. Printers need the height of a page before they print. */
export function pageFor(texts: readonly string[], { letters, lines }: Sheet): number {
  const needed = texts.reduce((sum, text) => sum + linesOf(text, letters), 0)
  const page = lines.findIndex((held) => needed <= held)
  return page < 0 ? lines.length + 1 : page + 1
}
