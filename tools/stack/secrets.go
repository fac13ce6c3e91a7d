package stack

import (
	"crypto/ed25519"
	"crypto/rand"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"baari.dev/tools/sample/client"
)

// Secrets are created once per data folder and stored in secrets.json with mode 0600.
type Secrets struct {
	Postgres  string                `json:"postgres"` // password of the embedded server's superuser
	Auth      string                `json:"auth"`
	Service   string                `json:"service,omitempty"` // only in a data folder of the previous release
	Keys      map[string]string     `json:"keys"`              // Ed25519 seeds, keyed by service; also the operator's
	Audit     string                `json:"audit"`
	Lobby     string                `json:"lobby"`
	Redis     string                `json:"redis"`     // the administrator's; passwords of services are derived from it
	Databases map[string]RoleSecret `json:"databases"` // keyed by service
	Accounts  map[string]string     `json:"accounts"`  // passwords, keyed by e-mail address
}

// RoleSecret holds the passwords of a database's two roles.
type RoleSecret struct {
	Owner string `json:"owner"`
	App   string `json:"app"`
}

// loadSecrets reads the file at path and generates the secrets that it lacks.
func loadSecrets(path string) (Secrets, error) {
	var secrets Secrets
	text, err := os.ReadFile(path)
	switch {
	case errors.Is(err, os.ErrNotExist):
	case err != nil:
		return secrets, fmt.Errorf("read the secrets: %w", err)
	default:
		if err := json.Unmarshal(text, &secrets); err != nil {
			return secrets, advise("%s is damaged: repair it, or start over with --fresh.", path)
		}
	}
	secrets.complete()
	return secrets, WriteJSON(path, secrets)
}

func (s *Secrets) complete() {
	for _, secret := range []*string{&s.Postgres, &s.Auth, &s.Audit, &s.Lobby, &s.Redis} {
		if *secret == "" {
			*secret = randomHex(32)
		}
	}
	if s.Keys == nil {
		s.Keys = map[string]string{}
	}
	for _, name := range callers() {
		if s.Keys[name] == "" {
			seed := make([]byte, ed25519.SeedSize)
			_, _ = rand.Read(seed)
			s.Keys[name] = base64.StdEncoding.EncodeToString(seed)
		}
	}
	if s.Databases == nil {
		s.Databases = map[string]RoleSecret{}
	}
	for _, service := range Services {
		if s.Databases[service] == (RoleSecret{}) {
			s.Databases[service] = RoleSecret{Owner: randomHex(24), App: randomHex(24)}
		}
	}
	if s.Accounts == nil {
		s.Accounts = map[string]string{}
	}
	for _, account := range demoAccounts {
		if s.Accounts[account.Email] == "" {
			s.Accounts[account.Email] = randomPassword()
		}
	}
}

func (s *Secrets) accounts() []client.Account {
	all := slices.Clone(demoAccounts)
	for i := range all {
		all[i].Password = s.Accounts[all[i].Email]
	}
	return all
}

// operator is the name that the operator signs with (contract.CallerOperator).
const operator = "operator"

// callers are the names under which tokens between services are signed.
func callers() []string { return append(slices.Clone(Services), operator) }

// publicKeys returns the public keys of all services and of the operator, in the form of SERVICE_PUBLIC_KEYS. It leaves
// out a key that is damaged in the file, so the service with that key does not start.
func (s *Secrets) publicKeys() string {
	var entries []string
	for _, name := range callers() {
		seed, err := base64.StdEncoding.DecodeString(s.Keys[name])
		if err != nil || len(seed) != ed25519.SeedSize {
			continue
		}
		public, _ := ed25519.NewKeyFromSeed(seed).Public().(ed25519.PublicKey)
		entries = append(entries, name+"="+base64.StdEncoding.EncodeToString(public))
	}
	return strings.Join(entries, ",")
}

func randomHex(bytes int) string {
	random := make([]byte, bytes)
	_, _ = rand.Read(random) // never fails, see crypto/rand
	return hex.EncodeToString(random)
}

// readable are the characters of passwords that people type by hand, without letters that look alike. There are 32 of
// them, so a random byte selects each with equal probability.
const readable = "abcdefghijkmnpqrstuvwxyz23456789"

func randomPassword() string {
	random := make([]byte, 12)
	_, _ = rand.Read(random)
	for i, b := range random {
		random[i] = readable[int(b)%len(readable)]
	}
	return string(random)
}
