package account

import (
	"errors"
	"strings"
	"unicode/utf16"
)

// product is the name of the product. It is rejected as a password, like the office's name.
const product = "baari"

// MaxPassword is the length of the longest password, in UTF-16 units as browsers count.
const MaxPassword = 128

// The errors of PasswordRule.
var (
	ErrPasswordShort  = errors.New("the password is too short")
	ErrPasswordLong   = errors.New("the password is too long")
	ErrPasswordCommon = errors.New("the password is too common")
)

// PasswordRule decides which passwords are accepted. It requires no mix of characters: NIST SP 800-63B, 3.1.1.2 asks
// for length and a list of rejected passwords instead.
type PasswordRule struct {
	Min    int    // UTF-16 units
	Office string // the office's name, rejected as a password
}

// CheckLength returns ErrPasswordShort or ErrPasswordLong for a password of a length that is not accepted.
func (r PasswordRule) CheckLength(password string) error {
	switch length := len(utf16.Encode([]rune(password))); {
	case length < r.Min:
		return ErrPasswordShort
	case length > MaxPassword:
		return ErrPasswordLong
	}
	return nil
}

// Check returns an error of CheckLength, or ErrPasswordCommon for a breached password, the name of the product, of the
// office or of the user, or the local part of the user's address.
func (r PasswordRule) Check(password, name, email string) error {
	if err := r.CheckLength(password); err != nil {
		return err
	}
	word := Fold(password)
	local, _, _ := strings.Cut(email, "@")
	for _, own := range []string{product, r.Office, name, local} {
		if own != "" && word == Fold(own) {
			return ErrPasswordCommon
		}
	}
	if Breached(password) {
		return ErrPasswordCommon
	}
	return nil
}

// TooLong reports whether a password is longer than MaxPassword.
func TooLong(password string) bool { return len(utf16.Encode([]rune(password))) > MaxPassword }

// Fold returns the form in which passwords are compared with rejected ones: upper case, then lower case, so that
// letters with several lower-case forms become equal.
func Fold(word string) string { return strings.ToLower(strings.ToUpper(word)) }
