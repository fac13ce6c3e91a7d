package account

import (
	_ "embed"
	"errors"
	"strings"
	"sync"
	"unicode/utf16"
)

// MaxPassword is the longest password, in UTF-16 units as browsers count.
const MaxPassword = 128

// Why a password is refused.
var (
	ErrPasswordShort  = errors.New("the password is too short")
	ErrPasswordLong   = errors.New("the password is too long")
	ErrPasswordCommon = errors.New("the password is too common")
)

// commonPasswords is the head of the list `passwords` of zxcvbn 4.4.2; see common-passwords.license.txt.
//
//go:embed common-passwords.txt
var commonPasswords string

var common = sync.OnceValue(func() map[string]bool {
	set := map[string]bool{"baari": true}
	for word := range strings.Lines(commonPasswords) {
		set[fold(strings.TrimSuffix(word, "\n"))] = true
	}
	return set
})

// PasswordRule says which passwords may be chosen. There is no rule of composition: length and not being
// guessed first are what helps.
type PasswordRule struct {
	Min    int    // in UTF-16 units
	Office string // the office's name, nobody's password
}

// CheckLength refuses a password that is too short or long.
func (r PasswordRule) CheckLength(password string) error {
	switch length := len(utf16.Encode([]rune(password))); {
	case length < r.Min:
		return ErrPasswordShort
	case length > MaxPassword:
		return ErrPasswordLong
	}
	return nil
}

// Check refuses a password that is too short or long, or that everybody would try first, with the errors above.
func (r PasswordRule) Check(password, name, email string) error {
	if err := r.CheckLength(password); err != nil {
		return err
	}
	word := fold(password)
	local, _, _ := strings.Cut(email, "@")
	for _, own := range []string{r.Office, name, local} {
		if own != "" && word == fold(own) {
			return ErrPasswordCommon
		}
	}
	if common()[word] {
		return ErrPasswordCommon
	}
	return nil
}

// TooLong reports whether nobody can have such a password.
func TooLong(password string) bool { return len(utf16.Encode([]rune(password))) > MaxPassword }

func fold(word string) string { return strings.ToLower(strings.ToUpper(word)) }
