package auth

import (
	"crypto/rand"
	"crypto/sha256"
)

// alphabet has the 62 characters of ids and tokens.
const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

// Lengths of random texts: 190 bits for ids, session tokens and stop tokens, 142 bits for reset tokens and device
// marks.
const (
	idLength    = 32
	resetLength = 24
)

// newID returns a random id for a user, an account, a session or an email change.
func newID() string { return randomText(idLength) }

// newToken returns a random session token, or a token that stops an email change.
func newToken() string { return randomText(idLength) }

func randomText(length int) string {
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

// digest returns the SHA-256 of a token or an e-mail address, stored where the text itself must not be.
func digest(text string) []byte {
	sum := sha256.Sum256([]byte(text))
	return sum[:]
}
