// Package seal encrypts the personal data that lobby stores, with keys derived from LOBBY_KEY.
package seal

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/ecdh"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
)

// Box seals and opens texts with AES-256-GCM.
type Box struct {
	gcm  cipher.AEAD
	mark []byte
}

// New returns a Box with keys derived from key.
func New(key []byte) *Box {
	block, err := aes.NewCipher(derived(key, "seal"))
	if err != nil {
		panic(err) // the derived key has 32 bytes
	}
	gcm, err := cipher.NewGCM(block)
	if err != nil {
		panic(err) // AES has blocks of 16 bytes
	}
	return &Box{gcm: gcm, mark: derived(key, "mark")}
}

func derived(key []byte, purpose string) []byte {
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(purpose))
	return mac.Sum(nil)
}

// Seal encrypts a text for the row with this id. The result can be opened for that row only.
func (b *Box) Seal(id string, text []byte) []byte {
	nonce := make([]byte, b.gcm.NonceSize())
	_, _ = rand.Read(nonce) // never fails, see crypto/rand
	return b.gcm.Seal(nonce, nonce, text, []byte(id))
}

// ErrBroken is returned for a value that was not sealed with this key for this row.
var ErrBroken = errors.New("it was not sealed with this key for this row")

// Open decrypts what Seal has encrypted for the row with this id.
func (b *Box) Open(id string, sealed []byte) ([]byte, error) {
	size := b.gcm.NonceSize()
	if len(sealed) < size {
		return nil, ErrBroken
	}
	text, err := b.gcm.Open(nil, sealed[:size], sealed[size:], []byte(id))
	if err != nil {
		return nil, ErrBroken
	}
	return text, nil
}

// Mark returns a value by which rows with the same text can be found, and which does not reveal the text.
func (b *Box) Mark(text string) []byte {
	mac := hmac.New(sha256.New, b.mark)
	mac.Write([]byte(text))
	return mac.Sum(nil)
}

// PushKeys returns the key pair by which push services know the sender of web push (VAPID). Both keys are of P-256, in
// base64url.
func PushKeys(key []byte) (private, public string) {
	for try := "vapid"; ; try += "'" { // one in 2^32 texts gives no valid private key
		pair, err := ecdh.P256().NewPrivateKey(derived(key, try))
		if err == nil {
			encode := base64.RawURLEncoding.EncodeToString
			return encode(pair.Bytes()), encode(pair.PublicKey().Bytes())
		}
	}
}
