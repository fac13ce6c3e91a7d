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
	Illegal bool // control characters, bidi controls or broken UTF-8
}

// Clean normalises s. Newline and tab are legal only where multiline is true; ZWJ and ZWNJ always are,
// because Indian scripts need them.
func Clean(s string, multiline bool) Text {
	s = strings.TrimSpace(norm.NFC.String(s))
	text := Text{Value: s, Length: utf8.RuneCountInString(s), Empty: true, Illegal: !utf8.ValidString(s)}
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
	if r == '\n' || r == '\t' || r == '\r' {
		return !multiline
	}
	return unicode.Is(unicode.Cc, r) || unicode.Is(unicode.Bidi_Control, r) || unicode.Is(unicode.Cs, r)
}

func visible(r rune) bool {
	return unicode.IsGraphic(r) && !unicode.IsSpace(r) && !unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r)
}
