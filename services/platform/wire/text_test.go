package wire_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"

	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/wire"
)

// T9: a text is rejected, or is stored as typed except that it is normalised and trimmed.
func TestCleanReportsEmptyAndIllegalTexts(t *testing.T) {
	cases := []struct {
		name, typed string
		multiline   bool
		want        wire.Text
	}{
		{"a name", "Asha Rao", false, wire.Text{Value: "Asha Rao", Length: 8}},
		{"spaces around it", "  Asha \u00a0", false, wire.Text{Value: "Asha", Length: 4}},
		{"decomposed letters are joined", "Jose\u0301", false, wire.Text{Value: "Jos\u00e9", Length: 4}},
		{
			"Devanagari with ZWJ and ZWNJ", "\u0915\u094d\u200d\u0937\u200c", false,
			wire.Text{Value: "\u0915\u094d\u200d\u0937\u200c", Length: 5},
		},
		{"an emoji family", "\U0001f468\u200d\U0001f469", false, wire.Text{Value: "\U0001f468\u200d\U0001f469", Length: 3}},
		{"nothing", "", false, wire.Text{Empty: true}},
		{"spaces only", " \u2003\u00a0", false, wire.Text{Empty: true}},
		{"ZWJ only", "\u200d", false, wire.Text{Value: "\u200d", Length: 1, Empty: true}},
		{"zero-width space only", "\u200b", false, wire.Text{Value: "\u200b", Length: 1, Empty: true}},
		{"Hangul filler only", "\u3164", false, wire.Text{Value: "\u3164", Length: 1, Empty: true}},
		{"a variation selector only", "\ufe0f", false, wire.Text{Value: "\ufe0f", Length: 1, Empty: true}},
		{"a Braille blank only", "\u2800", false, wire.Text{Value: "\u2800", Length: 1, Empty: true}},
		{"a newline in one line", "Asha\nRao", false, wire.Text{Value: "Asha\nRao", Length: 8, Illegal: true}},
		{"a newline after one line", "Asha\n", false, wire.Text{Value: "Asha", Length: 4, Illegal: true}},
		{"a tab in one line", "Asha\tRao", false, wire.Text{Value: "Asha\tRao", Length: 8, Illegal: true}},
		{"newline and tab in lines", "a\n\tb", true, wire.Text{Value: "a\n\tb", Length: 4}},
		{"a carriage return in lines", "a\r\nb", true, wire.Text{Value: "a\r\nb", Length: 4, Illegal: true}},
		{"C0 at the edge", "Asha\x0b", false, wire.Text{Value: "Asha", Length: 4, Illegal: true}},
		{"C1 at the edge", "\u0085Asha", true, wire.Text{Value: "Asha", Length: 4, Illegal: true}},
		{"a leading byte order mark", "\ufeffAsha", false, wire.Text{Value: "\ufeffAsha", Length: 5, Illegal: true}},
		{"a byte order mark after spaces", " \ufeffAsha", true, wire.Text{Value: "\ufeffAsha", Length: 5, Illegal: true}},
		{"invalid UTF-8", "As\xffha", false, wire.Text{Value: "As\xffha", Length: 5, Illegal: true}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got := wire.Clean(c.typed, c.multiline); got != c.want {
				t.Errorf("%q became %+v, want %+v", c.typed, got, c.want)
			}
		})
	}
}

func TestControlCharactersAreIllegal(t *testing.T) {
	controls := []rune{0x061c, 0x200e, 0x200f}
	for _, span := range [][2]rune{{0x00, 0x1f}, {0x7f, 0x9f}, {0x202a, 0x202e}, {0x2066, 0x2069},
		{0x2028, 0x2029}, {0x206a, 0x206f}, {0xfff9, 0xfffb}, {0xe0000, 0xe007f}} {
		for r := span[0]; r <= span[1]; r++ {
			controls = append(controls, r)
		}
	}
	for _, r := range controls {
		for _, multiline := range []bool{false, true} {
			want := !multiline || r != '\n' && r != '\t'
			// ASVS 1.3.3
			if got := wire.Clean("a"+string(r)+"b", multiline).Illegal; got != want {
				t.Errorf("%U, several lines %v: illegal %v, want %v", r, multiline, got, want)
			}
		}
	}
}

func TestLengthIsCountedInRunesAfterCleaning(t *testing.T) {
	const limit = 100
	for _, length := range []int{limit - 1, limit, limit + 1} {
		for _, unit := range []string{"a", "\u0906", "\U0001f600", "e\u0301"} {
			if got := wire.Clean(" "+strings.Repeat(unit, length)+" ", false).Length; got != length {
				t.Errorf("%d times %q counts %d", length, unit, got)
			}
		}
	}
}

func TestATextRuleRejectsWhatItDoesNotAllow(t *testing.T) {
	given := func(text string) wire.Field[string] { return wire.Field[string]{Value: text, Present: true} }
	missing, illegal, long := fault.NewMessage(fault.CodeRequired, "Missing"),
		fault.NewMessage(fault.CodeIllegalText, "Illegal"), fault.NewMessage(fault.CodeTooLong, "Long")
	optional := wire.TextRule{Field: "a", Most: 3, Illegal: illegal, Long: long}
	required, several := optional, optional
	required.Missing, several.Multiline = missing, true
	for name, c := range map[string]struct {
		rule  wire.TextRule
		field wire.Field[string]
		want  string
	}{
		"fits":                  {required, given(" abc "), ""},
		"too long":              {required, given("abcd"), "Long"},
		"left out":              {required, wire.Field[string]{}, "Missing"},
		"empty":                 {required, given(" "), "Missing"},
		"no text":               {required, wire.Field[string]{Present: true, Wrong: true}, "Missing"},
		"a NUL only":            {required, given("\x00"), "Illegal"},
		"may be left out":       {optional, wire.Field[string]{}, ""},
		"may be empty":          {optional, given(" "), ""},
		"no text where allowed": {optional, wire.Field[string]{Present: true, Wrong: true}, "Illegal"},
		"two lines":             {optional, given("a\nb"), "Illegal"},
		"two lines as allowed":  {several, given("a\nb"), ""},
	} {
		var rejected fault.Fields
		text := c.rule.Read(c.field, &rejected)
		got := ""
		if err := rejected.Err(); err != nil {
			got = fault.Of(err).Fields["a"].Sentence
		}
		if got != c.want || text != strings.TrimSpace(c.field.Value) {
			t.Errorf("%s: %q is rejected with %q, want %q", name, text, got, c.want)
		}
	}
}

func TestTimesAreUTCWithMilliseconds(t *testing.T) {
	india := time.FixedZone("IST", 5*3600+1800)
	at := time.Date(2026, 11, 20, 1, 2, 3, 456_999_000, india)
	text, err := json.Marshal(wire.Time(at))
	// ASVS 16.2.2
	if err != nil || string(text) != `"2026-11-19T19:32:03.456Z"` {
		t.Errorf("written as %s, %v", text, err)
	}
	for text, readable := range map[string]bool{
		`"2026-11-20T01:02:03+05:30"`: true, `"2026-11-20T01:02:03.123456789Z"`: true,
		`"2026-11-20"`: false, `"2026-11-20T01:02:03"`: false, `"tomorrow"`: false, `1763600000`: false, `""`: false,
		`"0000-01-01T00:00:00+23:59"`: false, `"9999-12-31T23:59:59-23:59"`: false, `null`: true,
	} {
		var got wire.Time
		if err := json.Unmarshal([]byte(text), &got); (err == nil) != readable {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestAnOptionalTimeStaysNull(t *testing.T) {
	text, err := json.Marshal(struct{ A, B *wire.Time }{wire.TimeOf(nil), wire.TimeOf(new(time.Unix(0, 0)))})
	if err != nil || string(text) != `{"A":null,"B":"1970-01-01T00:00:00.000Z"}` {
		t.Errorf("written as %s, %v", text, err)
	}
}

func TestAnEmptyTextIsNull(t *testing.T) {
	text, err := json.Marshal(struct{ A, B *string }{wire.TextOf(""), wire.TextOf("x")})
	if err != nil || string(text) != `{"A":null,"B":"x"}` {
		t.Errorf("written as %s, %v", text, err)
	}
}

// The tag depends on the last argument only: if another part of the response changes, the response is still 304.
func TestAnAnswerWithItsTagIsNotSentAgain(t *testing.T) {
	ask := func(tag string, v, of any) *httptest.ResponseRecorder {
		r, w := httptest.NewRequest(http.MethodGet, "/", nil), httptest.NewRecorder()
		r.Header.Set("If-None-Match", tag)
		if err := wire.WriteTagged(w, r, v, of); err != nil {
			t.Fatal(err)
		}
		return w
	}
	first := ask("", "one at 10:00", "one")
	tag := first.Header().Get("ETag")
	if first.Code != http.StatusOK || first.Body.String() != `"one at 10:00"` || tag == "" {
		t.Fatalf("%d %s with the tag %s", first.Code, first.Body, tag)
	}
	if again := ask(tag, "one at 10:01", "one"); again.Code != http.StatusNotModified || again.Body.Len() > 0 {
		t.Errorf("the same is answered %d %s", again.Code, again.Body)
	}
	if other := ask(tag, "two", "two"); other.Code != http.StatusOK || other.Header().Get("ETag") == tag {
		t.Errorf("another is answered %d with the tag %s", other.Code, other.Header().Get("ETag"))
	}
}

func TestAddressesAndLinksAreFoundInATextButNotInNames(t *testing.T) {
	for _, text := range []string{"a@b", "http://x", "WWW.evil.example", "Free money evil.CO.in", "evil-1.xyz", "Ａ＠b"} {
		if !wire.HasAddress(text) {
			t.Errorf("%q is taken for a name", text)
		}
	}
	for _, text := range []string{
		"", "S.M.Krishna", "Dr.Rao", "Rao & Co.", "M/s Verma, Sons", "अमित शर्मा", "J.R.D. Tata",
	} {
		if wire.HasAddress(text) {
			t.Errorf("%q is taken for an address", text)
		}
	}
}
