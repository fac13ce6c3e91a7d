package account

import (
	"regexp"
	"strings"
)

// maxEmail is the length in bytes of the longest address that SMTP carries (RFC 5321, 4.5.3.1.3: 256 with brackets).
const maxEmail = 254

// email is better-auth's pattern: ASCII, a domain with a dot, no surrounding blanks.
var email = regexp.MustCompile(`^[A-Za-z0-9_'+\-.]*[A-Za-z0-9_+\-]@([A-Za-z0-9][A-Za-z0-9\-]*\.)+[A-Za-z]{2,}$`)

// ValidEmail reports whether address has the form of an e-mail address.
func ValidEmail(address string) bool {
	return len(address) <= maxEmail && email.MatchString(address) &&
		!strings.HasPrefix(address, ".") && !strings.Contains(address, "..")
}

// FoldEmail returns the form in which addresses are stored and compared: lower case.
func FoldEmail(address string) string { return strings.ToLower(address) }
