package account_test

import (
	_ "embed"
	"math/rand/v2"
	"strings"
	"testing"

	"baari.dev/services/auth/account"
)

// breachedSample has every 50th of the filter's 100,000 passwords. cmd/passwordfilter writes the file.
//
//go:embed testdata/breached-sample.txt
var breachedSample string

// No password of the sample is accepted, regardless of the case of its letters.
func TestBreachedPasswordsAreRejected(t *testing.T) {
	rule := account.PasswordRule{Min: account.MinBreachedLength}
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

// The filter has fingerprints of 16 bits, so its rate of false positives is 1 in 65,536: about 31 of two million.
func TestFewOtherPasswordsAreRejected(t *testing.T) {
	const passwords, most = 2_000_000, 60
	const letters = "abcdefghijklmnopqrstuvwxyz0123456789-_.!"
	random := rand.New(rand.NewPCG(1, 2))
	password := make([]byte, 14)
	rejected := 0
	for range passwords {
		for i := range password {
			password[i] = letters[random.IntN(len(letters))]
		}
		if account.Breached(string(password)) {
			rejected++
		}
	}
	t.Logf("%d of %d random passwords are rejected", rejected, passwords)
	if rejected == 0 || rejected > most {
		t.Errorf("%d of %d random passwords are rejected, want 1 to %d", rejected, passwords, most)
	}
}
