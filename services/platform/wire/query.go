package wire

import (
	"net/url"
	"strconv"

	"baari.dev/services/platform/fault"
)

// Number returns the whole number from 1 to most in a parameter of a query, or otherwise if the parameter is absent. It
// rejects the parameter with wrong if it has another text.
func Number(query url.Values, name string, otherwise, most int, wrong fault.Message, rejected *fault.Fields) int {
	text := query.Get(name)
	if text == "" {
		return otherwise
	}
	number, err := strconv.Atoi(text)
	if err != nil || number < 1 || number > most {
		rejected.Reject(name, wrong)
	}
	return number
}
