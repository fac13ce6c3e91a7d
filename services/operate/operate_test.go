package operate_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"baari.dev/services/contract"
	"baari.dev/services/contract/registry"
	"baari.dev/services/operate"
	"baari.dev/services/operate/advice"
	"baari.dev/services/platform/identity"
	"baari.dev/services/platform/testkit"
)

// installation serves every service with one handler, which gets the service's name.
func installation(
	t *testing.T, answer func(w http.ResponseWriter, r *http.Request, service string),
) operate.Installation {
	t.Helper()
	o := operate.Installation{Addresses: map[string]string{}, Keys: testkit.Keys(contract.CallerOperator)}
	for _, service := range registry.Names() {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { answer(w, r, service) }))
		t.Cleanup(server.Close)
		o.Addresses[service] = server.URL
	}
	return o
}

// wantAdvice fails the test unless err is Advice that contains the given text.
func wantAdvice(t *testing.T, err error, text string) {
	t.Helper()
	var said advice.Advice
	if !errors.As(err, &said) || !strings.Contains(said.Error(), text) {
		t.Errorf("got %v, want advice with %q", err, text)
	}
}

func TestACallIsSignedAsTheOperatorForOneService(t *testing.T) {
	o := installation(t, func(w http.ResponseWriter, r *http.Request, service string) {
		caller, _, err := identity.NewServiceTokens(testkit.Keys(service)).Verify(r)
		if err != nil || caller != contract.CallerOperator {
			t.Errorf("%s was called by %q, %v", service, caller, err)
		}
		_, _ = w.Write([]byte(`{"ended":3}`))
	})
	if ended, err := o.EndSessions(t.Context(), operate.Person{Everyone: true}); err != nil || ended != 3 {
		t.Errorf("%d, %v", ended, err)
	}
}

func TestErrorsSayWhatToDo(t *testing.T) {
	status, body := http.StatusUnauthorized, `{"error":"Please sign in."}`
	o := installation(t, func(w http.ResponseWriter, _ *http.Request, _ string) {
		w.WriteHeader(status)
		_, _ = w.Write([]byte(body))
	})
	person := operate.Person{Email: "asha@example.com"}
	_, err := o.EndSessions(t.Context(), person)
	wantAdvice(t, err, "check that SERVICE_KEY is the operator's of this installation")
	status = http.StatusNotFound
	_, err = o.EndSessions(t.Context(), person)
	wantAdvice(t, err, "There is no account asha@example.com")
	status, body = http.StatusBadRequest, `{"error":"Password too short"}`
	_, err = o.CreateAdmin(t.Context(), operate.Admin{})
	wantAdvice(t, err, "The administrator was not created: Password too short.")

	status = http.StatusServiceUnavailable
	var rejected *operate.Rejected
	if _, err = o.EndSessions(t.Context(), person); !errors.As(err, &rejected) || rejected.Status != status {
		t.Errorf("got %v", err)
	}
	o.Addresses["auth"] = "http://127.0.0.1:1"
	_, err = o.EndSessions(t.Context(), person)
	wantAdvice(t, err, "auth cannot be reached at http://127.0.0.1:1")
}

// I14: the verification gets all anchors that directory stores, page by page, and those of the operator.
func TestTheTrailIsVerifiedAgainstAllAnchors(t *testing.T) {
	digest := strings.Repeat("ab", 32)
	pages := map[string]string{
		"after=0": `{"anchors":[{"n":1,"digest":"` + digest + `"},{"n":7,"digest":"` + digest + `"}]}`,
		"after=7": `{"anchors":[{"n":9,"digest":"` + digest + `"}]}`,
		"after=9": `{"anchors":[]}`,
	}
	var got []int64
	o := installation(t, func(w http.ResponseWriter, r *http.Request, service string) {
		if service == contract.SourceDirectory {
			_, _ = w.Write([]byte(pages[r.URL.RawQuery]))
			return
		}
		var body struct{ Anchors []contract.AuditAnchor }
		if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
			t.Error(err)
		}
		for _, anchor := range body.Anchors {
			got = append(got, anchor.N)
		}
		_, _ = w.Write([]byte(`{"brokenAt":7,"reason":"it was changed"}`))
	})
	own, err := operate.ParseAnchor("12:" + digest)
	if err != nil {
		t.Fatal(err)
	}
	trail, err := o.VerifyTrail(t.Context(), own)
	if err != nil || trail.String() != "The audit trail is broken at record 7: it was changed." {
		t.Errorf("%s, %v", trail, err)
	}
	if len(got) != 4 || got[3] != 12 {
		t.Errorf("the anchors are of the records %v", got)
	}
	for _, wrong := range []string{"x", "0:" + digest, "3:ab", "3:" + strings.Repeat("x", 64)} {
		if _, err := operate.ParseAnchor(wrong); err == nil {
			t.Errorf("%s is accepted", wrong)
		}
	}
}

func TestAnInstallationIsFoundInTheEnvironment(t *testing.T) {
	for _, service := range registry.Services {
		t.Setenv(service.Variable(), "")
	}
	t.Setenv("SERVICE_KEY", "")
	t.Setenv("SERVICE_KEY_FILE", "")
	_, err := operate.Find("")
	wantAdvice(t, err, "Set SERVICE_KEY or SERVICE_KEY_FILE")
	t.Setenv("SERVICE_KEY", testkit.PrivateKey(contract.CallerOperator))
	here, err := operate.Find("")
	if err != nil || here.Addresses["auth"] != "http://127.0.0.1:8201" ||
		here.Addresses["lobby"] != "http://127.0.0.1:8206" {
		t.Errorf("on one machine: %v, %v", here.Addresses, err)
	}
	t.Setenv("SERVICE_KEY", "")
	t.Setenv("VISITS_URL", "http://visits")
	_, err = operate.Find("")
	wantAdvice(t, err, "Set SERVICE_KEY or SERVICE_KEY_FILE")
	file := filepath.Join(t.TempDir(), "secret")
	t.Setenv("SERVICE_KEY_FILE", file)
	_, err = operate.Find("")
	wantAdvice(t, err, "The file of SERVICE_KEY_FILE cannot be read")
	if err := os.WriteFile(file, []byte(testkit.PrivateKey(contract.CallerOperator)+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	found, err := operate.Find("")
	if err != nil || found.Keys.Private.IsZero() || found.Addresses["visits"] != "http://visits" {
		t.Errorf("%+v, %v", found, err)
	}
	_, err = found.EndSessions(t.Context(), operate.Person{Everyone: true})
	wantAdvice(t, err, "set AUTH_URL")
}

func TestAnInstallationIsFoundInADataFolder(t *testing.T) {
	data := t.TempDir()
	_, err := operate.Find(data)
	wantAdvice(t, err, "No system runs on "+data)
	_, err = operate.Administrator(data)
	wantAdvice(t, err, "No system runs on "+data)
	for name, text := range map[string]string{
		"run/processes.json": `[{"name":"postgres","port":1},{"name":"auth","internal_port":18001}]`,
		"run/servers.json":   `{"postgres":"postgres://localhost/postgres"}`,
		"secrets.json":       `{"keys":{"operator":"` + testkit.PrivateKey("operator") + `"}}`,
	} {
		path := filepath.Join(data, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	found, err := operate.Find(data)
	if err != nil || found.Keys.Private.IsZero() || len(found.Addresses) != 1 ||
		found.Addresses["auth"] != "http://127.0.0.1:18001" {
		t.Errorf("%+v, %v", found, err)
	}
	if admin, err := operate.Administrator(data); err != nil || admin != "postgres://localhost/postgres" {
		t.Errorf("%s, %v", admin, err)
	}
	t.Setenv("ADMIN_DATABASE_URL", "")
	_, err = operate.Administrator("")
	wantAdvice(t, err, "Set ADMIN_DATABASE_URL")
}
