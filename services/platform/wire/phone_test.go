package wire

import (
	"os"
	"strings"
	"testing"
	"unicode"

	"github.com/go-json-experiment/json"
)

// A row of numbers.tsv has the typed text as a JSON string, the digits or "-", and a description.
func TestNumbersThatPeoplePasteAreCleaned(t *testing.T) {
	table, err := os.ReadFile("testdata/numbers.tsv")
	if err != nil {
		t.Fatal(err)
	}
	rows := 0
	for row := range strings.Lines(string(table)) {
		if strings.HasPrefix(row, "#") {
			continue
		}
		cells := strings.Split(strings.TrimSpace(row), "\t")
		var typed string
		if err := json.Unmarshal([]byte(cells[0]), &typed); err != nil || len(cells) != 3 {
			t.Fatalf("%q: %v", row, err)
		}
		digits, ok := CleanPhone(typed)
		if ok != (cells[1] != "-") || ok && digits != cells[1] {
			t.Errorf("%s: %q is cleaned to %q, %v; want %s", cells[2], typed, digits, ok, cells[1])
		}
		rows++
	}
	if rows < 60 {
		t.Errorf("the table has %d rows", rows)
	}
}

// Each script has ten digits from zero to nine.
func TestEveryDigitHasItsValue(t *testing.T) {
	want := rune(0)
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if !unicode.Is(unicode.Nd, r) {
			continue
		}
		if got := valueOf(r); got != want {
			t.Fatalf("%U is %d, want %d", r, got, want)
		}
		want = (want + 1) % 10
	}
}

// S5.appt.03: exactly ten ASCII digits.
func TestAStoredNumberIsTenASCIIDigits(t *testing.T) {
	for text, valid := range map[string]bool{"9876543210": true, "0000000000": true, "987654321": false,
		"98765432101": false, "98765 43210": false,
		"+919876543210": false, "९८७६५४३२१०": false, "987654321a": false, "9876543210\n": false, "": false} {
		if IsPhone(text) != valid {
			t.Errorf("%q: %v", text, !valid)
		}
	}
}
