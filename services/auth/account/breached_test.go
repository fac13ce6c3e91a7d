package account_test

import (
	_ "embed"
	"math/rand/v2"
	"strings"
	"testing"

	"baari.dev/services/auth/account"
)

// One of fifty of the 100,000 passwords that the filter was made of; cmd/passwordfilter writes it.
//
//go:embed testdata/breached-sample.txt
var breachedSample string

// No password of the list is accepted, whatever the case of its letters.
func TestBreachedPasswordsAreRefused(t *testing.T) {
	rule := account.PasswordRule{Min: account.LeastBreached}
	words := strings.Fields(breachedSample)
	if len(words) != 2000 {
		t.Fatalf("the sample has %d passwords", len(words))
	}
	accepted := 0
	for _, word := range words {
		for _, password := range []string{word, strings.ToUpper(word), strings.ToUpper(word[:1]) + word[1:]} {
			if rule.Check(password, "", "") == nil {
				accepted++
			}
		}
	}
	// ASVS 6.2.4, 6.2.12
	if accepted > 0 {
		t.Errorf("%d of %d are accepted", accepted, 3*len(words))
	}
}

// The filter holds 16 bits for each password, so that 1 of 65,536 others is refused: of two million some 31.
func TestFewOtherPasswordsAreRefused(t *testing.T) {
	const passwords, most = 2_000_000, 60
	const letters = "abcdefghijklmnopqrstuvwxyz0123456789-_.!"
	random := rand.New(rand.NewPCG(1, 2))
	password := make([]byte, 14)
	refused := 0
	for range passwords {
		for i := range password {
			password[i] = letters[random.IntN(len(letters))]
		}
		if account.Breached(string(password)) {
			refused++
		}
	}
	t.Logf("%d of %d random passwords are refused", refused, passwords)
	if refused == 0 || refused > most {
		t.Errorf("%d of %d random passwords are refused, want 1 to %d", refused, passwords, most)
	}
}
