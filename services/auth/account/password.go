package account

import (
	"errors"
	"strings"
	"unicode/utf16"
)

// product is refused as a password, like the office's name.
const product = "baari"

// MaxPassword is the longest password, in UTF-16 units as browsers count.
const MaxPassword = 128

// Why a password is refused.
var (
	ErrPasswordShort  = errors.New("the password is too short")
	ErrPasswordLong   = errors.New("the password is too long")
	ErrPasswordCommon = errors.New("the password is too common")
)

// PasswordRule says which passwords may be chosen. It asks for no mix of characters: length, and not being among the
// first guesses, is what helps (NIST SP 800-63B, 3.1.1.2).
type PasswordRule struct {
	Min    int    // in UTF-16 units
	Office string // the office's name, rejected as a password
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

// Check refuses a password that is too short or long, that is among the common breached ones, or that is the product's,
// the office's or the person's own name or the local part of the address, with the errors above.
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

// TooLong reports whether the password is longer than any accepted one.
func TooLong(password string) bool { return len(utf16.Encode([]rune(password))) > MaxPassword }

// Fold is the form in which passwords are compared with the refused ones: lower case, via upper case, so that letters
// with several lower-case forms become one.
func Fold(word string) string { return strings.ToLower(strings.ToUpper(word)) }
