package stack

import (
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
)

// Secrets are created once per data folder and stored in secrets.json with mode 0600.
type Secrets struct {
	Postgres  string                `json:"postgres"` // password of the embedded server's superuser
	Auth      string                `json:"auth"`
	Service   string                `json:"service"`
	Audit     string                `json:"audit"`
	Lobby     string                `json:"lobby"`
	Redis     string                `json:"redis"`     // password of its administrator; those of services derive from it
	Databases map[string]RoleSecret `json:"databases"` // by service
	Accounts  map[string]string     `json:"accounts"`  // password by e-mail address
}

// RoleSecret holds the passwords of a database's two roles.
type RoleSecret struct {
	Owner string `json:"owner"`
	App   string `json:"app"`
}

// loadSecrets reads the file and generates missing secrets.
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
	for _, secret := range []*string{&s.Postgres, &s.Auth, &s.Service, &s.Audit, &s.Lobby, &s.Redis} {
		if *secret == "" {
			*secret = randomHex(32)
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

func randomHex(bytes int) string {
	random := make([]byte, bytes)
	_, _ = rand.Read(random) // never fails, see crypto/rand
	return hex.EncodeToString(random)
}

// readable excludes letters that look alike, since these passwords are typed by hand. It has 32 letters, so that a
// random byte selects each with equal probability.
const readable = "abcdefghijkmnpqrstuvwxyz23456789"

func randomPassword() string {
	random := make([]byte, 12)
	_, _ = rand.Read(random)
	for i, b := range random {
		random[i] = readable[int(b)%len(readable)]
	}
	return string(random)
}
