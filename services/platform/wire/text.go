package wire

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Text is what became of a text somebody typed: normalised to NFC and trimmed, otherwise as typed.
type Text struct {
	Value   string
	Length  int  // in runes
	Empty   bool // nothing visible in it
	Illegal bool // control characters, bidi controls or broken UTF-8, at the edges too
}

// Clean normalises s. Newline and tab are legal only where multiline is true; ZWJ and ZWNJ always are,
// because Indian scripts need them.
func Clean(s string, multiline bool) Text {
	value := strings.TrimSpace(norm.NFC.String(s))
	text := Text{Value: value, Length: utf8.RuneCountInString(value), Empty: true, Illegal: !utf8.ValidString(s)}
	for _, r := range s {
		if forbidden(r, multiline) {
			text.Illegal = true
		}
		if visible(r) {
			text.Empty = false
		}
	}
	return text
}

func forbidden(r rune, multiline bool) bool {
	if r == '\n' || r == '\t' {
		return !multiline
	}
	return unicode.Is(unicode.Cc, r) || unicode.Is(unicode.Bidi_Control, r)
}

// brailleBlank is a symbol by its category and yet shows nothing.
const brailleBlank = '\u2800'

func visible(r rune) bool {
	return unicode.IsGraphic(r) && !unicode.IsSpace(r) && r != brailleBlank &&
		!unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}
