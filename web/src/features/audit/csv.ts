/** Invisible text at the start of a cell, which a spreadsheet may drop. services/platform/sheet has the same rules. */
const unseen = /^[\p{C}\p{Z}\p{White_Space}\p{Default_Ignorable_Code_Point}\u2800]+/u
const formula = /^[=+\-@\t\r\0＝＋－＠]/
/** Matches a number whose leading zeros, or digits after the fifteenth, a spreadsheet would drop. */
const changed = /^(?:0\d+|\d{16,})$/

/** Puts an apostrophe before a value that a spreadsheet would run as a formula or change as a number. */
export const guarded = (value: string) =>
  [value, value.replace(unseen, '')].some((text) => formula.test(text)) || changed.test(value)
    ? `'${value}`
    : value

const quoted = (value: string) => `"${guarded(value).replaceAll('"', '""')}"`

/** Rows as CSV for spreadsheets: a byte order mark, CRLF after each line, quotes around each field. */
export const csvOf = (rows: readonly (readonly string[])[]) =>
  `\ufeff${rows.map((row) => `${row.map(quoted).join(',')}\r\n`).join('')}`
