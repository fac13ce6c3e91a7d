// Package sheet writes CSV for spreadsheet programs: UTF-8 with a byte order mark, lines that end with CRLF, all fields
// quoted, no field that a program would evaluate as a formula, and no number that would lose digits. Every CSV file of
// the product is written here, or by web/src/features/audit/csv.ts with the same guard. Start with Writer.
package sheet

import (
	"bufio"
	"io"
	"regexp"
	"strings"
	"unicode/utf8"

	"baari.dev/services/platform/wire"
)

// Writer writes rows. The first error is sticky: it is returned by Flush, and later writes do nothing.
type Writer struct {
	out *bufio.Writer
}

// byteOrderMark marks the text as UTF-8 for spreadsheet programs.
const byteOrderMark = "\uFEFF"

// NewWriter returns a Writer to out and writes the byte order mark.
func NewWriter(out io.Writer) *Writer {
	w := &Writer{bufio.NewWriterSize(out, 32<<10)}
	_, _ = w.out.WriteString(byteOrderMark)
	return w
}

// Write adds a row.
func (w *Writer) Write(fields ...string) error {
	for i, field := range fields {
		if i > 0 {
			_ = w.out.WriteByte(',')
		}
		_ = w.out.WriteByte('"')
		_, _ = w.out.WriteString(strings.ReplaceAll(Guard(field), `"`, `""`))
		_ = w.out.WriteByte('"')
	}
	_, err := w.out.WriteString("\r\n")
	return err
}

// Flush writes the buffered rows and returns the first error.
func (w *Writer) Flush() error { return w.out.Flush() }

// triggers are the first characters that make a spreadsheet read a field as a formula, and their full-width forms.
const triggers = "=+-@\t\r\x00＝＋－＠"

// changed matches numbers of which a spreadsheet would drop leading zeros, or digits after the fifteenth.
var changed = regexp.MustCompile(`^(?:0[0-9]+|[0-9]{16,})$`)

// Guard puts ' before a field that a spreadsheet would evaluate as a formula or change as a number. A formula is also
// found after invisible characters, because a spreadsheet may remove them first. See
// https://owasp.org/www-community/attacks/CSV_Injection.
func Guard(field string) string {
	shown := strings.TrimLeftFunc(field, func(r rune) bool { return !wire.Visible(r) })
	if changed.MatchString(field) {
		return "'" + field
	}
	for _, text := range []string{field, shown} {
		first, size := utf8.DecodeRuneInString(text)
		if size > 0 && strings.ContainsRune(triggers, first) {
			return "'" + field
		}
	}
	return field
}
