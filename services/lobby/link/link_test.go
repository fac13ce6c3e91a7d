package link

import (
	"bytes"
	"regexp"
	"strings"
	"testing"
	"time"
)

var key = []byte("a key of thirty-two letters or so")

func TestACodeHasTwentyLettersAndDependsOnAllItIsMadeOf(t *testing.T) {
	form, seen := regexp.MustCompile(`^[0-9A-HJKMNP-TV-Z]{20}$`), map[string]bool{}
	for _, id := range []string{"v1", "v2"} {
		for generation := range 50 {
			for _, k := range [][]byte{key, []byte("another key of thirty-two letters")} {
				code := Code(k, id, generation)
				if !form.MatchString(code) || seen[code] || Code(k, id, generation) != code {
					t.Fatalf("the code %s of %s, %d", code, id, generation)
				}
				seen[code] = true
			}
		}
	}
}

func TestACodeIsReadInAnyCaseAndNothingElseIs(t *testing.T) {
	code := Code(key, "v1", 1)
	if got, ok := Parse(strings.ToLower(code)); !ok || got != code {
		t.Errorf("in small letters it is %q %v", got, ok)
	}
	for _, other := range []string{
		"", code[:19], code + "0", code[:19] + "U", code[:19] + "I", code[:19] + "-", code[:19] + "é"[:1],
		code[:18] + "ſ", strings.Repeat(" ", 20), "page.js",
	} {
		if got, ok := Parse(other); ok {
			t.Errorf("%q is read as %q", other, got)
		}
	}
	if bytes.Contains(Hash(code), []byte(code)) || bytes.Equal(Hash(code), Hash(code[:19]+"0")) && code[19] != '0' {
		t.Error("the hash does not hide the code")
	}
}

func TestALinkEndsWithTheDayOrAnHourAfterTheVisit(t *testing.T) {
	closes := time.Date(2026, 11, 24, 19, 0, 0, 0, time.UTC)
	at := func(hour, minute int) *time.Time {
		t := time.Date(2026, 11, 24, hour, minute, 0, 0, time.UTC)
		return &t
	}
	for _, c := range []struct{ ended, want *time.Time }{
		{nil, at(21, 0)}, {at(11, 30), at(12, 30)}, {at(20, 30), at(21, 0)},
	} {
		if got := Ends(closes, c.ended); !got.Equal(*c.want) {
			t.Errorf("ended at %v: %v, want %v", c.ended, got, c.want)
		}
	}
	ends := *at(21, 0)
	for now, want := range map[time.Time]State{
		ends.Add(-time.Nanosecond): Open, ends: Gone, ends.Add(goneFor - 1): Gone, ends.Add(goneFor): Unknown,
	} {
		if got := At(now, ends); got != want {
			t.Errorf("%v: %v, want %v", now.Sub(ends), got, want)
		}
	}
}
