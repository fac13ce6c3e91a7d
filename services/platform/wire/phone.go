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

// CleanPhone returns the ten digits of a number as it was typed or pasted. ok is false if it is no such number.
func CleanPhone(typed string) (digits string, ok bool) {
	digits = countryCode.ReplaceAllString(PlainDigits(typed), "$1")
	digits = trunk.ReplaceAllString(digits, "$1")
	return digits, IsPhone(digits)
}

// IsPhone reports whether text is a number as it is stored: ten ASCII digits.
func IsPhone(text string) bool { return tenDigits.MatchString(text) }

// PlainDigits returns a text without separators of digits and without invisible characters, its digits in ASCII. A link
// such as tel: is reduced to its number.
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

// valueOf returns the value of a decimal digit. Unicode has the digits of each script in a run from zero to nine; some
// runs are adjacent.
func valueOf(digit rune) (value rune) {
	for unicode.Is(unicode.Nd, digit-value-1) {
		value++
	}
	return value % 10
}
