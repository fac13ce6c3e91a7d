package wire

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"baari.dev/services/platform/fault"
)

// Text is the result of Clean: the text as typed, but normalised to NFC and trimmed.
type Text struct {
	Value   string
	Length  int  // number of runes
	Empty   bool // the text has no visible character
	Illegal bool // the text has a character that Clean forbids, or is not valid UTF-8
}

// Clean normalises s. Newline and tab are legal only where multiline is true; ZWJ and ZWNJ always are, because Indian
// scripts need them. Forbidden are a leading byte order mark and, even where they are trimmed away, control characters,
// bidi controls, line and paragraph separators, interlinear annotation, and deprecated format and tag characters.
func Clean(s string, multiline bool) Text {
	value := strings.TrimSpace(norm.NFC.String(s))
	text := Text{
		Value:   value,
		Length:  utf8.RuneCountInString(value),
		Empty:   true,
		Illegal: !utf8.ValidString(s) || strings.HasPrefix(value, byteOrderMark),
	}
	for _, r := range s {
		if forbidden(r, multiline) {
			text.Illegal = true
		}
		if Visible(r) {
			text.Empty = false
		}
	}
	return text
}

// TextRule says which texts a field accepts.
type TextRule struct {
	Field         string
	Most          int           // characters
	Multiline     bool          // newline and tab are legal
	Missing       fault.Message // error if the field has no visible character; zero value: the field is optional
	Illegal, Long fault.Message
}

// Read returns the cleaned text of a field. If the rule does not allow the text, Read adds the error to rejected.
func (r TextRule) Read(field Field[string], rejected *fault.Fields) string {
	text := Clean(field.Value, r.Multiline)
	missing := !field.Present || field.Wrong || text.Empty && !text.Illegal
	switch {
	case missing && r.Missing.Code != "":
		rejected.Reject(r.Field, r.Missing)
	case field.Wrong || text.Illegal:
		rejected.Reject(r.Field, r.Illegal)
	case text.Length > r.Most:
		rejected.Reject(r.Field, r.Long)
	}
	return text.Value
}

// address matches what a mail program turns into a link: a web address, a mail address, or a name in a common domain.
var address = regexp.MustCompile(`(?i)@|://|\bwww\.|[\pL\pN-]{2,}\.(com|net|org|info|biz|in|co|io|me|app|dev|xyz|top|` +
	`site|online|shop|store|club|live|link|click|page|ru|cn|tk|to|ly)\b`)

// HasAddress reports whether a text contains an address or a link. A person's name may not contain one, because the
// office's mails contain the name, and mail programs turn addresses into links.
func HasAddress(s string) bool { return address.MatchString(norm.NFKC.String(s)) }

// Trim removes invisible characters at both ends of a text, such as the space after an address that was pasted.
func Trim(s string) string { return strings.TrimFunc(s, func(r rune) bool { return !Visible(r) }) }

func forbidden(r rune, multiline bool) bool {
	if r == '\n' || r == '\t' {
		return !multiline
	}
	return unicode.In(r, unicode.Cc, unicode.Bidi_Control, misleading)
}

const byteOrderMark = "\uFEFF"

// misleading are characters that are invisible or make a text look different from what is stored: separators that some
// programs show as newlines, and format characters that Unicode deprecates or reserves for protocols (Unicode 16, 23.2
// to 23.9).
var misleading = &unicode.RangeTable{
	R16: []unicode.Range16{
		{Lo: 0x2028, Hi: 0x2029, Stride: 1}, // line and paragraph separator
		{Lo: 0x206A, Hi: 0x206F, Stride: 1}, // deprecated format characters
		{Lo: 0xFFF9, Hi: 0xFFFB, Stride: 1}, // interlinear annotation
	},
	R32: []unicode.Range32{{Lo: 0xE0000, Hi: 0xE007F, Stride: 1}}, // tags
}

// brailleBlank is an invisible character that Unicode classifies as a symbol.
const brailleBlank = '\u2800'

// Visible reports whether r is visible: neither white space nor a character that renderers ignore.
func Visible(r rune) bool {
	return unicode.IsGraphic(r) && !unicode.IsSpace(r) && r != brailleBlank &&
		!unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}
