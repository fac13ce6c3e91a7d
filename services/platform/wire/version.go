package wire

import (
	"strconv"
	"strings"

	"baari.dev/services/platform/fault"
)

var versionWrong = fault.NewMessage(fault.CodeInvalidNumber, "The version is a whole number")

// Version returns the version that the caller expects, from the header If-Match ("3", in quotes) or from the body. It
// returns nil when neither has it.
func Version(field Field[int64], header string, rejected *fault.Fields) *int64 {
	if field.Wrong {
		rejected.Reject("version", versionWrong)
	}
	if header != "" && header != "*" {
		version, err := strconv.ParseInt(strings.Trim(header, `"`), 10, 64)
		if err != nil {
			rejected.Reject("version", versionWrong)
		}
		return &version
	}
	if !field.Present {
		return nil
	}
	return &field.Value
}
