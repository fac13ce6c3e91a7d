package data

import (
	"math"
	"testing"
)

// Tokens and ids have at least 128 random bits, and are never repeated. Each of the 62 characters is equally likely.
func TestTokensCannotBeGuessed(t *testing.T) {
	for name, c := range map[string]struct {
		make   func() string
		length int
	}{
		"session": {NewToken, 32}, "id": {NewID, 32}, "link": {func() string { return RandomText(LinkLength) }, 24},
	} {
		const many = 10_000
		seen, letters := map[string]bool{}, map[rune]float64{}
		for range many {
			text := c.make()
			// ASVS 7.2.3, 11.5.1
			bits := float64(len(text)) * math.Log2(float64(len(alphabet)))
			if len(text) != c.length || bits < 128 || seen[text] {
				t.Fatalf("%s: %q has %.0f bits, or is repeated", name, text, bits)
			}
			seen[text] = true
			for _, letter := range text {
				letters[letter]++
			}
		}
		expected := float64(many*c.length) / float64(len(alphabet))
		for _, letter := range alphabet {
			if off := math.Abs(letters[letter]-expected) / math.Sqrt(expected); off > 6 {
				t.Errorf("%s: %c occurs %.0f times, want about %.0f", name, letter, letters[letter], expected)
			}
		}
	}
}
