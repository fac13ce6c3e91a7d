package wire

import (
	"regexp"
	"strings"
	"unicode"

	"baari.dev/services/platform/fault"
)

// Phone numbers are normalised: separators, the country code and invisible characters from an address book are removed,
// and digits of other scripts become ASCII. The web has the same rule in web/src/ui/ten-digits.ts; both are tested with
// testdata/numbers.tsv.
var (
	scheme      = regexp.MustCompile(`^(?i:tel:)([^;]*)(?:;.*)?$`)
	countryCode = regexp.MustCompile(`^(?:\+|00|0)?91(0?[0-9]{10})$`)
	trunk       = regexp.MustCompile(`^0([0-9]{10})$`)
	tenDigits   = regexp.MustCompile(`^[0-9]{10}$`)
)

// PhoneWrong is the message for a text that is no phone number.
var PhoneWrong = fault.NewMessage(fault.CodeInvalidPhone, "Please enter a valid 10-digit phone number")

// CleanPhone returns the ten digits of a phone number that was typed or pasted. ok is false for any other text.
func CleanPhone(typed string) (digits string, ok bool) {
	digits = countryCode.ReplaceAllString(PlainDigits(typed), "$1")
	digits = trunk.ReplaceAllString(digits, "$1")
	return digits, IsPhone(digits)
}

// IsPhone reports whether text is a number as it is stored: ten ASCII digits.
func IsPhone(text string) bool { return tenDigits.MatchString(text) }

// PlainDigits returns a text without the separators between digits and without invisible characters. Its digits become
// ASCII digits. Of a tel: link, only the number is left.
func PlainDigits(typed string) string {
	seen := strings.Map(func(r rune) rune {
		if unicode.In(r, unicode.Cf, unicode.White_Space) {
			return -1
		}
		return r
	}, typed)
	return strings.Map(plainDigit, scheme.ReplaceAllString(seen, "$1"))
}

func plainDigit(r rune) rune {
	switch {
	case unicode.Is(unicode.Pd, r), strings.ContainsRune("\u2212.()/,", r):
		return -1
	case r == '\uff0b': // a full-width plus
		return '+'
	case unicode.Is(unicode.Nd, r):
		return '0' + valueOf(r)
	}
	return r
}

// valueOf returns the value of a decimal digit. In Unicode, the ten digits of each script are consecutive, from zero to
// nine; the digits of two scripts may be adjacent.
func valueOf(digit rune) (value rune) {
	for unicode.Is(unicode.Nd, digit-value-1) {
		value++
	}
	return value % 10
}
