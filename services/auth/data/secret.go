package data

import (
	"crypto/rand"
	"crypto/sha256"
)

// alphabet has the 62 characters of ids and tokens.
const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

// idLength is the length of ids, session tokens and stop tokens: 190 bits.
const idLength = 32

// LinkLength is the length of the tokens in reset links, and of the nonces in the marks of browsers: 142 bits.
const LinkLength = 24

// NewID returns a random id for a user, an account, a session or an email change.
func NewID() string { return RandomText(idLength) }

// NewToken returns a random session token, or a token that stops an email change.
func NewToken() string { return RandomText(idLength) }

// RandomText returns a random text of letters and digits.
func RandomText(length int) string {
	text := make([]byte, 0, length)
	random := make([]byte, length)
	for len(text) < length {
		_, _ = rand.Read(random) // never fails: see crypto/rand
		for _, b := range random {
			if int(b) < 4*len(alphabet) && len(text) < length { // larger bytes would make some characters more likely
				text = append(text, alphabet[int(b)%len(alphabet)])
			}
		}
	}
	return string(text)
}

// Digest returns the SHA-256 of a token or an e-mail address, stored where the text itself must not be.
func Digest(text string) []byte {
	sum := sha256.Sum256([]byte(text))
	return sum[:]
}
