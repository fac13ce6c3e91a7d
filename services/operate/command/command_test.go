package command

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"baari.dev/services/contract"
	"baari.dev/services/contract/registry"
	"baari.dev/services/operate/advice"
	"baari.dev/services/platform/testkit"
)

// serve starts a fake of every service, which sends the responses, keyed by service and path. The environment has the
// addresses of the fakes. serve returns the bodies of the requests.
func serve(t *testing.T, responses map[string]string) map[string]string {
	t.Helper()
	bodies := map[string]string{}
	for _, service := range registry.Services {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			call := service.Name + " " + r.URL.Path
			body, err := io.ReadAll(r.Body)
			if err != nil {
				t.Error(err)
			}
			bodies[call] = string(body)
			_, _ = w.Write([]byte(responses[call]))
		}))
		t.Cleanup(server.Close)
		t.Setenv(service.Variable(), server.URL)
	}
	t.Setenv("SERVICE_KEY", testkit.PrivateKey(contract.CallerOperator))
	t.Setenv("SERVICE_KEY_FILE", "")
	return bodies
}

func run(t *testing.T, in string, args ...string) (string, error) {
	t.Helper()
	root := &cobra.Command{Use: "baarictl", SilenceUsage: true, SilenceErrors: true}
	root.AddCommand(All()...)
	var out bytes.Buffer
	root.SetArgs(args)
	root.SetIn(strings.NewReader(in))
	root.SetOut(&out)
	root.SetErr(io.Discard)
	err := root.ExecuteContext(t.Context())
	return out.String(), err
}

func TestEachCommandPrintsItsResult(t *testing.T) {
	bodies := serve(t, map[string]string{
		"auth /internal/admins":              `{"id":"u1"}`,
		"auth /internal/sessions/end":        `{"ended":2}`,
		"directory /internal/audit-anchors":  `{"anchors":[]}`,
		"audit /internal/audit/verify":       `{"whole":true,"records":3,"head":"ab"}`,
		"visits /internal/subject/export":    `{"visits":[{"id":"v1","name":"Asha Rao"}]}`,
		"directory /internal/subject/export": `{}`,
		"lobby /internal/subject/export":     `{}`,
		"lobby /internal/subject/erase":      `{"erased":[]}`,
		"realtime /internal/subject/export":  `{}`,
		"audit /internal/subject/export":     `{"records":[]}`,
		"visits /internal/subject/erase":     `{"erased":["v1"]}`,
		"directory /internal/subject/erase":  `{"erased":[]}`,
		"realtime /internal/subject/erase":   `{"erased":[]}`,
		"audit /internal/breach":             `{"exports":[],"reads":[]}`,
		"directory /internal/breach":         `{"readers":[],"affected":[]}`,
		"visits /internal/breach":            `{"visitor":{"name":"Asha","phone":"9876543210","visits":1}}`,
		"audit /internal/people":             `{"people":[]}`,
	})
	list := filepath.Join(t.TempDir(), "affected.csv")
	for _, c := range []struct {
		in, args, want string
	}{
		{"right horse battery\n", "admin create --email asha@example.com --name Asha",
			"Created the administrator asha@example.com with the id u1."},
		{"", "sessions end --email asha@example.com", "Ended 2 sessions."},
		{"", "sessions end --everyone", "Ended 2 sessions."},
		{"", "audit verify", "The audit trail is whole: 3 records, 0 of them erased, head ab."},
		{"9876543210\n", "subject export", "- name: Asha Rao"},
		{"", "subject erase --phone 9876543210",
			"Erased: 1 visits, 0 appointment requests, 0 requests for a token, 0 messages."},
		{"", "breach-report --from 2026-11-01 --to 2026-11-20 --output " + list, "1 visitors were read or exported"},
		{"", "breach-report --from 2026-11-01 --to 2026-11-20 --output -", `"Asha","9876543210","","1","0","","no"`},
	} {
		if out, err := run(t, c.in, strings.Fields(c.args)...); err != nil || !strings.Contains(out, c.want) {
			t.Errorf("%s: %v\n%s", c.args, err, out)
		}
	}
	if !strings.Contains(bodies["auth /internal/admins"], `"password":"right horse battery"`) {
		t.Errorf("the request is %s", bodies["auth /internal/admins"])
	}
	if info, err := os.Stat(list); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the list: %v, %v", info, err)
	}
}

// The office document is exported as a file, and a file is checked or imported; what is wrong with it is an error.
func TestTheOfficeDocumentIsExportedAndImported(t *testing.T) {
	file := filepath.Join(t.TempDir(), "office.json")
	if err := os.WriteFile(file, []byte(`{"brand":"Hisab"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	for answer, c := range map[string]struct{ command, want string }{
		`{"version":2,"document":{"brand":"Lekha"}}`: {"export", "{\n  \"brand\": \"Lekha\"\n}\n"},
		`{"version":0,"changes":[{"key":"/brand","before":"Lekha","after":"Hisab"}],"effects":[]}`: {
			"check " + file, "/brand: \"Lekha\" -> \"Hisab\"\n" + file + " is valid. An import changes 1 values.\n",
		},
		`{"changes":[{"key":"/city","before":"` + strings.Repeat("क", 30) + `","after":"Pune"}]}`: {
			"check " + file, `/city: "` + strings.Repeat("क", 19) + `... -> "Pune"` + "\n" + file +
				" is valid. An import changes 1 values.\n",
		},
		`{"version":3,"changes":[],"effects":[{"code":"closed_today","count":2}]}`: {
			"import " + file, "closed_today: 2\nThe office document has version 3.\n",
		},
	} {
		bodies := serve(t, map[string]string{"directory /internal/office": answer})
		if out, err := run(t, "", append([]string{"office"}, strings.Fields(c.command)...)...); err != nil || out != c.want {
			t.Errorf("%s: %v\n%s", c.command, err, out)
		}
		preview := bodies["directory /internal/office"] == `{"document":{"brand":"Hisab"},"preview":true}`
		if strings.HasPrefix(c.command, "check") != preview {
			t.Errorf("%s sent %s", c.command, bodies["directory /internal/office"])
		}
	}
	serve(t, map[string]string{"directory /internal/office": `{"problems":["key /area is missing"]}`})
	if _, err := run(t, "", "office", "check", file); err == nil || !strings.Contains(err.Error(), "/area") {
		t.Errorf("an invalid file: %v", err)
	}
}

func TestABrokenTrailIsAnErrorOfItsOwn(t *testing.T) {
	serve(t, map[string]string{
		"directory /internal/audit-anchors": `{"anchors":[]}`,
		"audit /internal/audit/verify":      `{"brokenAt":3,"reason":"it was changed"}`,
	})
	out, err := run(t, "", "audit", "verify")
	if !errors.Is(err, ErrBroken) || out != "The audit trail is broken at record 3: it was changed.\n" {
		t.Errorf("%s, %v", out, err)
	}
}

func TestInvalidArgumentsAreRejected(t *testing.T) {
	serve(t, nil)
	existing := filepath.Join(t.TempDir(), "affected.csv")
	if err := os.WriteFile(existing, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for args, want := range map[string]string{
		"sessions end": "at least one of the flags", "sessions end --everyone --id u1": "none of the others can be",
		"admin create --email a@example.com": `required flag(s) "name" not set`,
		"record drill":                       `invalid argument "drill"`,
		"subject erase --phone 98":           "The phone number is not valid",
		"audit verify --anchor x":            "an anchor is N:DIGEST",
		"breach-report --from 1 --to 2026-11-20 --output " + t.TempDir() + "/list.csv": "write the first day like 2026-11-20",
		"breach-report --from 2026-11-01 --to 2026-11-20 --output " + existing:         "exists: choose another file",
	} {
		if _, err := run(t, "", strings.Fields(args)...); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", args, err)
		}
	}
}

func TestBackupAndRestoreNeedAnAdministrator(t *testing.T) {
	t.Setenv("ADMIN_DATABASE_URL", "")
	t.Setenv("ADMIN_DATABASE_URL_FILE", "")
	for _, args := range []string{"backup", "restore folder", "record backup"} {
		var said advice.Advice
		_, err := run(t, "", strings.Fields(args)...)
		if !errors.As(err, &said) || !strings.Contains(string(said), "Set ADMIN_DATABASE_URL") {
			t.Errorf("%s: %v", args, err)
		}
	}
	var said advice.Advice
	file := filepath.Join(t.TempDir(), "backup.tar.gz")
	if err := os.WriteFile(file, []byte("no backup"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := run(t, "", "restore", file, "--data", filepath.Join(t.TempDir(), "new"))
	if !errors.As(err, &said) || !strings.Contains(string(said), "is not a backup of Baari") {
		t.Errorf("restore of another file: %v", err)
	}
}

// In Kubernetes, an init container copies the program to the container that has PostgreSQL's client programs.
func TestInstallCopiesTheProgram(t *testing.T) {
	folder := t.TempDir()
	if _, err := run(t, "", "install", folder); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(filepath.Join(folder, filepath.Base(os.Args[0])))
	if err != nil || info.Mode().Perm()&0o111 == 0 {
		t.Errorf("%v, %v", info, err)
	}
}
