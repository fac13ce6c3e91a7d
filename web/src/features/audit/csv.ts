/** A value that a spreadsheet would take for a formula begins with an apostrophe. */
const quoted = (value: string) =>
  `"${(/^[=+\-@\t\r]/.test(value) ? `'${value}` : value).replaceAll('"', '""')}"`

/** Rows as CSV for spreadsheets: with a byte order mark, lines end with CRLF, every field is quoted. */
export const csvOf = (rows: readonly (readonly string[])[]) =>
  `\ufeff${rows.map((row) => `${row.map(quoted).join(',')}\r\n`).join('')}`
