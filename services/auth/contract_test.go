package auth

import (
	"net/http/httptest"
	"strings"
	"testing"
)

func TestDocumentNamesEveryCall(t *testing.T) {
	o := open(t)
	// ASVS 6.3.4, 6.4.2
	o.api.SameRoutes(t, o.table)
}

// The schemas of the API document are closed: the validation fails for a response with a missing or an additional
// field.
func TestDocumentIsClosed(t *testing.T) {
	o := open(t)
	asha := o.join("asha")
	for _, target := range []string{"/api/users/" + asha.ID, "/api/auth/get-session"} {
		good := o.call(asha.Token, "GET", target, "").want(200).body
		r := httptest.NewRequest("GET", target, nil)
		header := o.call(asha.Token, "GET", target, "").header
		for name, body := range map[string]string{
			"a field more": strings.Replace(good, `"name":`, `"secret":"x","name":`, 1),
			"a field less": strings.Replace(good, `"name":"asha",`, "", 1),
		} {
			if body == good {
				t.Fatalf("%s changed nothing in %s", name, good)
			}
			// ASVS 15.3.1
			if err := o.api.Check(r, 200, header, []byte(body)); err == nil {
				t.Errorf("%s: %s passes", name, body)
			}
		}
	}
}

func TestABodyThatSaysNothingIsRefused(t *testing.T) {
	o := open(t)
	asha, admin := o.join("asha"), o.admin("ravi")
	made, display := o.paired(admin, "display")
	parameters := map[string]string{"id": asha.ID}
	o.api.RefusesBodiesThatSayNothing(t, parameters, func(role, method, path, body string) (int, string) {
		token := map[string]string{"admin": admin.Token, "display": display}[role]
		if strings.HasPrefix(path, "/api/devices/"+asha.ID) {
			path = "/api/devices/" + made.ID
		}
		got := o.call(token, method, path, body)
		return got.status, got.body
	})
}
