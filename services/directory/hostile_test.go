package directory

import (
	"net/http"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"golang.org/x/text/unicode/norm"

	"baari.dev/services/platform/testkit"
)

// hostile are JSON values: texts with injections, broken encodings and invisible characters, a long text, and values of
// other types.
var hostile = []string{
	`"'; DROP TABLE services; --"`, `"\" OR 1=1"`, `"$1"`, `"%s%n"`, `"<script>alert(1)</script>"`, `"{{7*7}}"`,
	`"../../etc/passwd"`, `"a\r\nX-Evil: 1"`, `"\u0000"`, `"a\u0000b"`,
	`"\ud800"`, `"\udc00\ud800"`, "\"\xff\xfe\"", `"नमस्ते"`, `"தமிழ்"`, `"👩‍👩‍👧"`, `"क्‍ष"`, `"\u202eabc"`,
	`"\u2066abc\u2069"`, `"\u200b"`, `"e\u0301"`, `"\u00e9"`, `"=cmd|' /C calc'!A0"`,
	`"\u001b[31m"`, `"\u007f"`, `"` + strings.Repeat("a", 10_000) + `"`, `null`, `true`, `-0`, `1e999`,
	`99999999999999999999`, `{}`, `[]`, `[[[[]]]]`, `"\ufeff"`, `"\ufffe"`, `"\u2028"`,
}

// T8: a text is rejected, or stored unchanged except for NFC and surrounding space. No response is a 5xx.
func TestHostileTextsAreStoredUnchangedOrRejected(t *testing.T) {
	f := newFront(t)
	f.store.clock = at(morning)
	consultant := testkit.ID("consultant")
	f.addConsultants(t, consultant)
	stored := 0
	for _, text := range hostile {
		for _, c := range []struct{ method, target, body, answered string }{
			{"POST", "/api/services", `{"est_minutes":1,"name":` + text + `}`, "name"},
			{"POST", "/api/services", `{"est_minutes":1,"name":"a service","description":` + text + `}`, "description"},
			{"POST", "/api/services", `{"name":"b","est_minutes":` + text + `}`, ""},
			{"PUT", "/api/consultants/" + consultant, `{"specialization":[` + text + `]}`, ""},
			{"PUT", "/api/consultants/" + consultant, `{"specialization":` + text + `}`, ""},
			{"POST", "/api/appointments", strings.Replace(form(t, map[string]any{"name": "?"}), `"?"`, text, 1), "name"},
			{"POST", "/api/appointments", strings.Replace(form(t, map[string]any{"message": "?"}), `"?"`, text, 1), "message"},
			{"POST", "/api/appointments", strings.Replace(form(t, map[string]any{"email": "?"}), `"?"`, text, 1), ""},
			{"POST", "/api/appointments", strings.Replace(form(t, map[string]any{"service": "?"}), `"?"`, text, 1), ""},
			{"POST", "/api/appointments", strings.Replace(form(t, map[string]any{"preferredDate": "?"}), `"?"`, text, 1), ""},
			{"POST", "/api/appointments", strings.Replace(form(t, map[string]any{"preferredTime": "?"}), `"?"`, text, 1), ""},
		} {
			w := f.call(t, "admin", c.method, c.target, c.body)
			switch {
			case w.Code >= http.StatusInternalServerError:
				t.Errorf("%s %s with %.60s answered %d %s", c.method, c.target, text, w.Code, w.Body)
			case w.Code < 300 && c.answered != "" && strings.HasPrefix(text, `"`):
				stored++
				var sent string
				if err := json.Unmarshal([]byte(text), &sent); err != nil {
					t.Errorf("%.60s was accepted: %v", text, err)
				}
				var answer map[string]map[string]any
				if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil {
					t.Fatal(err)
				}
				for _, record := range answer {
					// ASVS 1.2.3, 1.2.4
					if got := record[c.answered]; got != strings.TrimSpace(norm.NFC.String(sent)) {
						t.Errorf("%s %.60s was stored as %q", c.answered, text, got)
					}
				}
			}
			testkit.Exec(t, f.db.Pool, `UPDATE services SET name = id::text WHERE name IN ('a service', 'b')`)
		}
	}
	if stored < 30 {
		t.Errorf("only %d texts were stored", stored)
	}
}
