package testkit

import (
	"crypto/sha256"
	"encoding/base64"
	"strings"

	"baari.dev/services/platform/identity"
)

// callers are the names of the callers whose public keys are in PublicKeys.
var callers = []string{
	"auth", "visits", "directory", "audit", "realtime", "lobby", "operator", "shop", "till", "reader",
}

// PrivateKey returns the private key of a caller in tests, in the form of SERVICE_KEY. Any name has a key, also one
// that is not in PublicKeys.
func PrivateKey(name string) string {
	seed := sha256.Sum256([]byte("the key of " + name + " in tests"))
	return base64.StdEncoding.EncodeToString(seed[:])
}

// PublicKeys returns the public keys of all callers in tests, in the form of SERVICE_PUBLIC_KEYS.
func PublicKeys() string {
	entries := make([]string, len(callers))
	for i, name := range callers {
		entries[i] = name + "=" + privateKey(name).Public()
	}
	return strings.Join(entries, ",")
}

// Keys returns the keys with which the service of that name signs and verifies in tests.
func Keys(name string) identity.Keys {
	keys := identity.Keys{Name: name, Private: privateKey(name)}
	if err := keys.Public.UnmarshalText([]byte(PublicKeys())); err != nil {
		panic(err) // PublicKeys makes a valid text
	}
	return keys
}

func privateKey(name string) (key identity.PrivateKey) {
	if err := key.UnmarshalText([]byte(PrivateKey(name))); err != nil {
		panic(err)
	}
	return key
}
