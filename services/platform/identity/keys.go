package identity

import (
	"crypto/ed25519"
	"encoding/base64"
	"errors"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"baari.dev/services/platform/fault"
)

// serviceTokenLife is the validity of a token between services.
const serviceTokenLife = 60 * time.Second

// clockLeeway is the difference between the clocks of two services that is allowed in addition to the validity.
const clockLeeway = 5 * time.Second

// headerToken is the header of the token that is signed with the service's key. During an upgrade the header
// Authorization has a token that is signed with the shared secret, for replicas of the previous release.
const headerToken = "Service-Token"

var (
	// errLongLived is the cause in the fault for a token that is valid too long and could be used long if stolen.
	errLongLived = errors.New("the service token is valid for more than a minute")
	// errForeignName is the cause in the fault for a token whose subject has no public key here.
	errForeignName = errors.New("no public key is known for the name in the service token")
	errPrivateKey  = errors.New("it is no Ed25519 seed: 32 bytes in base64")
	errPublicKeys  = errors.New("it is no list of NAME=KEY, with Ed25519 public keys of 32 bytes in base64")
)

// PrivateKey is an Ed25519 key as SERVICE_KEY has it: its seed in base64.
type PrivateKey struct{ key ed25519.PrivateKey }

// UnmarshalText reads the base64 of a seed. Its error does not repeat the text.
func (p *PrivateKey) UnmarshalText(text []byte) error {
	seed, err := base64.StdEncoding.DecodeString(string(text))
	if err != nil || len(seed) != ed25519.SeedSize {
		return errPrivateKey
	}
	p.key = ed25519.NewKeyFromSeed(seed)
	return nil
}

// IsZero reports whether there is no key.
func (p PrivateKey) IsZero() bool { return p.key == nil }

// Public returns the public key in base64, as SERVICE_PUBLIC_KEYS has it.
func (p PrivateKey) Public() string {
	public, _ := p.key.Public().(ed25519.PublicKey)
	return base64.StdEncoding.EncodeToString(public)
}

// PublicKeys are the public keys by the name of their service. A service has two public keys while its key is replaced.
type PublicKeys map[string][]ed25519.PublicKey

// UnmarshalText reads a list like "auth=KEY,visits=KEY:KEY", separated by commas or white space.
func (p *PublicKeys) UnmarshalText(text []byte) error {
	keys := PublicKeys{}
	entries := strings.FieldsFunc(string(text), func(c rune) bool { return c == ',' || c <= ' ' })
	for _, entry := range entries {
		name, list, found := strings.Cut(entry, "=")
		if !found || name == "" {
			return errPublicKeys
		}
		for encoded := range strings.SplitSeq(list, ":") {
			key, err := base64.StdEncoding.DecodeString(encoded)
			if err != nil || len(key) != ed25519.PublicKeySize {
				return errPublicKeys
			}
			keys[name] = append(keys[name], key)
		}
	}
	*p = keys
	return nil
}

// Has reports whether the public keys of the named service include the public key that belongs to key.
func (p PublicKeys) Has(name string, key PrivateKey) bool {
	public := key.key.Public()
	return slices.ContainsFunc(p[name], func(known ed25519.PublicKey) bool { return known.Equal(public) })
}

// Verifies reports whether signature is a signature of message by a key of the named service.
func (p PublicKeys) Verifies(name string, message, signature []byte) bool {
	return slices.ContainsFunc(p[name], func(key ed25519.PublicKey) bool {
		return ed25519.Verify(key, message, signature)
	})
}

// Keys has what a service signs and verifies with: its own private key, and the public keys of all services.
type Keys struct {
	Name    string // the service's name
	Private PrivateKey
	Public  PublicKeys
	// Secret is shared by all services of the previous release; "" when no replica of that release runs any more.
	Secret string
}

// Verifies reports whether signature is a signature of message by the service that source names.
func (k Keys) Verifies(source string, message, signature []byte) bool {
	return k.Public.Verifies(source, message, signature)
}

// Sign returns the signature of message by the service.
func (k Keys) Sign(message []byte) []byte { return ed25519.Sign(k.Private.key, message) }

// Token returns a token with which the service can call the service named audience for a minute.
func (k Keys) Token(audience string) (string, error) {
	if k.Private.IsZero() {
		return "", errPrivateKey
	}
	return jwt.NewWithClaims(jwt.SigningMethodEdDSA, k.claims(audience)).SignedString(k.Private.key)
}

func (k Keys) claims(audience string) jwt.RegisteredClaims {
	now := time.Now()
	return jwt.RegisteredClaims{
		Issuer: "baari", Subject: k.Name, Audience: jwt.ClaimStrings{audience},
		IssuedAt: jwt.NewNumericDate(now), ExpiresAt: jwt.NewNumericDate(now.Add(serviceTokenLife)),
	}
}

// Authorize adds the token for audience to the headers of a request. If there is a shared secret, the header
// Authorization has the token that replicas of the previous release verify.
func (k Keys) Authorize(header http.Header, audience string) error {
	token, err := k.Token(audience)
	if err != nil {
		return err
	}
	if k.Secret == "" {
		header.Set("Authorization", "Bearer "+token)
		return nil
	}
	header.Set(headerToken, token)
	shared, err := jwt.NewWithClaims(jwt.SigningMethodHS256, k.claims(audience)).SignedString([]byte(k.Secret))
	header.Set("Authorization", "Bearer "+shared)
	return err
}

// ServiceTokens verifies tokens of calls to the service that owns keys. Many calls have the same token, and verifying a
// signature costs more than the rest of a small call. A verified token is therefore cached until it expires.
type ServiceTokens struct {
	keys Keys

	mu    sync.Mutex
	known map[string]serviceToken
}

type serviceToken struct {
	caller  string
	shared  bool // signed with the shared secret
	expires time.Time
}

// mostKnown bounds the cache, which is emptied when it is full. Each client signs a new token every ten seconds.
const mostKnown = 1000

// NewServiceTokens returns a verifier of the tokens of calls to the service that owns keys.
func NewServiceTokens(keys Keys) *ServiceTokens {
	return &ServiceTokens{keys: keys, known: map[string]serviceToken{}}
}

// Verify returns the service that signed the request's token, and whether it signed with the shared secret. A holder of
// that secret can sign as any service. Verify returns fault.ErrUnauthorized unless the token is for this service and
// valid for at most a minute.
func (t *ServiceTokens) Verify(r *http.Request) (caller string, shared bool, err error) {
	text := r.Header.Get(headerToken)
	if text == "" {
		text = Bearer(r)
	}
	now := time.Now()
	t.mu.Lock()
	token, known := t.known[text]
	t.mu.Unlock()
	if known && now.Before(token.expires) {
		return token.caller, token.shared, nil
	}
	if token, err = t.keys.verify(text); err != nil {
		return "", false, err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.known) >= mostKnown {
		clear(t.known)
	}
	t.known[text] = token
	return token.caller, token.shared, nil
}

// verify verifies a token by the keys of all services, or by the shared secret.
func (k Keys) verify(text string) (token serviceToken, err error) {
	if k.Secret != "" {
		if token, err = k.parse(text, "HS256", k.sharedKey); err == nil {
			token.shared = true
			return token, nil
		}
	}
	return k.parse(text, "EdDSA", k.publicKeys)
}

func (k Keys) parse(text, method string, key jwt.Keyfunc) (token serviceToken, err error) {
	var claims jwt.RegisteredClaims
	_, err = jwt.ParseWithClaims(text, &claims, key,
		jwt.WithValidMethods([]string{method}), jwt.WithAudience(k.Name), jwt.WithIssuer("baari"),
		jwt.WithExpirationRequired(), jwt.WithLeeway(clockLeeway))
	if err != nil {
		return token, fault.ErrUnauthorized.Because(err)
	}
	if claims.IssuedAt == nil || claims.ExpiresAt.Sub(claims.IssuedAt.Time) > serviceTokenLife {
		return token, fault.ErrUnauthorized.Because(errLongLived)
	}
	return serviceToken{caller: claims.Subject, expires: claims.ExpiresAt.Add(clockLeeway)}, nil
}

func (k Keys) sharedKey(*jwt.Token) (any, error) { return []byte(k.Secret), nil }

// publicKeys returns the keys of the token's subject, because a service signs only under its own name.
func (k Keys) publicKeys(token *jwt.Token) (any, error) {
	name, err := token.Claims.GetSubject()
	if err != nil || len(k.Public[name]) == 0 {
		return nil, errForeignName
	}
	set := jwt.VerificationKeySet{}
	for _, key := range k.Public[name] {
		set.Keys = append(set.Keys, key)
	}
	return set, nil
}
