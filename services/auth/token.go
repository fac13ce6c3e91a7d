package auth

import "crypto/rand"

// alphabet has the letters of ids and tokens, 62 of them.
const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

// Lengths of random texts: 190 bits for ids and session tokens, 142 for tokens that live an hour.
const (
	idLength    = 32
	resetLength = 24
)

// newID makes the id of a user, an account or a session.
func newID() string { return randomText(idLength) }

// newToken makes a session token.
func newToken() string { return randomText(idLength) }

func randomText(length int) string {
	text := make([]byte, 0, length)
	random := make([]byte, length)
	for len(text) < length {
		_, _ = rand.Read(random) // never fails: see crypto/rand
		for _, b := range random {
			if int(b) < 4*len(alphabet) && len(text) < length { // the rest would make some letters likelier
				text = append(text, alphabet[int(b)%len(alphabet)])
			}
		}
	}
	return string(text)
}
