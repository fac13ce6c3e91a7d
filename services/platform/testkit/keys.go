package testkit

import (
	"crypto/sha256"
	"encoding/base64"
	"strings"

	"baari.dev/services/platform/identity"
)

// callers are the names that have a key in tests.
var callers = []string{
	"auth", "visits", "directory", "audit", "realtime", "lobby", "operator", "shop", "till", "reader",
}

// PrivateKey returns the private key of a caller in tests, as SERVICE_KEY has it. A name outside PublicKeys has one,
// too.
func PrivateKey(name string) string {
	seed := sha256.Sum256([]byte("the key of " + name + " in tests"))
	return base64.StdEncoding.EncodeToString(seed[:])
}

// PublicKeys returns the public keys of all callers in tests, as SERVICE_PUBLIC_KEYS has them.
func PublicKeys() string {
	entries := make([]string, len(callers))
	for i, name := range callers {
		entries[i] = name + "=" + privateKey(name).Public()
	}
	return strings.Join(entries, ",")
}

// Keys returns what the service name signs and verifies with in tests.
func Keys(name string) identity.Keys {
	keys := identity.Keys{Name: name, Private: privateKey(name)}
	if err := keys.Public.UnmarshalText([]byte(PublicKeys())); err != nil {
		panic(err) // they are made above
	}
	return keys
}

func privateKey(name string) (key identity.PrivateKey) {
	if err := key.UnmarshalText([]byte(PrivateKey(name))); err != nil {
		panic(err)
	}
	return key
}
