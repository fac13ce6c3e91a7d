package account

import (
	"regexp"
	"strings"
)

// maxEmail is the longest address that mail can be sent to.
const maxEmail = 254

// email is better-auth's: ASCII, a dotted domain, nothing around it.
var email = regexp.MustCompile(`^[A-Za-z0-9_'+\-.]*[A-Za-z0-9_+\-]@([A-Za-z0-9][A-Za-z0-9\-]*\.)+[A-Za-z]{2,}$`)

// ValidEmail reports whether address looks like one.
func ValidEmail(address string) bool {
	return len(address) <= maxEmail && email.MatchString(address) &&
		!strings.HasPrefix(address, ".") && !strings.Contains(address, "..")
}

// FoldEmail is the form in which addresses are stored and compared.
func FoldEmail(address string) string { return strings.ToLower(address) }
