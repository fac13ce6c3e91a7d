package audit

import (
	"cmp"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode"

	"baari.dev/services/platform/wire"
)

// search is what a filter's text searches for: a visit's token, or words, each of which must begin a word of the
// visitor's name. At most one of the fields is set.
type search struct {
	token string
	words string // a tsquery
}

// typedToken is a token as people type it, without the characters that PlainDigits removes: T024, t24, 24, A007.
var typedToken = regexp.MustCompile(`^([A-HT]?)0*([1-9][0-9]{0,8})$`)

func searchOf(text string) search {
	typed := typedToken.FindStringSubmatch(strings.ToUpper(wire.PlainDigits(text)))
	if typed == nil {
		return search{words: prefixes(text)}
	}
	number, _ := strconv.Atoi(typed[2]) // typedToken allows nine digits at most
	return search{token: fmt.Sprintf("%s-%03d", cmp.Or(typed[1], "T"), number)}
}

// prefixes returns the tsquery that matches a name if each word of text is the beginning of a word in the name. The
// words have only letters, digits and marks, so that none has a character with a meaning in a tsquery.
func prefixes(text string) string {
	words := strings.FieldsFunc(text, func(r rune) bool {
		return !unicode.In(r, unicode.Letter, unicode.Digit, unicode.Mark)
	})
	for i, word := range words {
		words[i] = "'" + word + "':*"
	}
	return strings.Join(words, " & ")
}
