package outbox

import (
	"bytes"
	"encoding/base64"
)

// Signer signs what a source publishes and verifies what its other replicas have published, as identity.Keys does.
type Signer interface {
	Sign(message []byte) []byte
	// Verifies reports whether signature is a signature of message by the service that source names.
	Verifies(source string, message, signature []byte) bool
}

// The signature is the first member of a message, so that replicas of the previous release read the rest unchanged.
const (
	signatureBegins = `{"signature":"`
	signatureEnds   = `",`
)

// Signed returns object as a message for a channel: its first member is a signature of the channel's name and object.
func Signed(signer Signer, channel string, object []byte) []byte {
	signature := base64.StdEncoding.EncodeToString(signer.Sign(signedText(channel, object)))
	message := make([]byte, 0, len(signatureBegins)+len(signature)+len(signatureEnds)+len(object))
	message = append(message, signatureBegins...)
	message = append(message, signature...)
	message = append(message, signatureEnds...)
	return append(message, object[1:]...)
}

// Verified returns the object of a message. It reports false if the signature is not valid, because any client of Redis
// can publish messages.
func Verified(
	verifies func(message, signature []byte) bool, channel, message string,
) (object []byte, signed bool) {
	rest, found := bytes.CutPrefix([]byte(message), []byte(signatureBegins))
	encoded, rest, ended := bytes.Cut(rest, []byte(signatureEnds))
	if !found || !ended {
		return nil, false
	}
	signature, err := base64.StdEncoding.DecodeString(string(encoded))
	if err != nil {
		return nil, false
	}
	object = append([]byte{'{'}, rest...)
	return object, verifies(signedText(channel, object), signature)
}

// signedText includes the channel, so that a message is not valid on another channel.
func signedText(channel string, object []byte) []byte {
	return append([]byte(channel+"\n"), object...)
}
