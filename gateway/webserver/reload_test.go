package webserver

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// officeFile copies the example office document to the file with the given name, and replaces the first occurrence of
// one text (from) by another (to).
func officeFile(t *testing.T, name, from, to string) {
	t.Helper()
	text, err := os.ReadFile(example)
	if err != nil {
		t.Fatal(err)
	}
	changed := strings.Replace(string(text), from, to, 1)
	if from != "" && changed == string(text) {
		t.Fatalf("%s is not in the example", from)
	}
	if err := os.WriteFile(name, []byte(changed), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestAReloadedOfficeIsShown(t *testing.T) {
	name := filepath.Join(t.TempDir(), "office.json")
	officeFile(t, name, "", "")
	server, err := New("../testdata/web", name, "https://office.example")
	if err != nil {
		t.Fatal(err)
	}
	officeFile(t, name, `"brand": "Lekha Tax & Advisory"`, `"brand": "Hisab"`)
	if err := server.Reload(); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{"/": "<title>Hisab,", "/login": "Hisab", "/office.json": `"brand":"Hisab"`} {
		if body := ask(server, http.MethodGet, path).Body.String(); !strings.Contains(body, want) {
			t.Errorf("%s still shows the office as it was:\n%s", path, body)
		}
	}
}

func TestAnInvalidOfficeFileKeepsTheCurrentOffice(t *testing.T) {
	name := filepath.Join(t.TempDir(), "office.json")
	officeFile(t, name, "", "")
	server, err := New("../testdata/web", name, "")
	if err != nil {
		t.Fatal(err)
	}
	before := ask(server, http.MethodGet, "/office.json").Body.String()
	for _, c := range []struct{ from, to, want string }{
		{`"phone": "080 0000 0142"`, `"phone": ""`, "OFFICE_FILE: key /phone is empty"},
		{`"theme": "light"`, `"theme": `, "OFFICE_FILE"},
		{`"Asia/Kolkata"`, `"Europe/Berlin"`, "key /timeZone"},
	} {
		officeFile(t, name, c.from, c.to)
		if err := server.Reload(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.to, err, c.want)
		}
		if got := ask(server, http.MethodGet, "/office.json").Body.String(); got != before {
			t.Errorf("%s was loaded:\n%s", c.to, got)
		}
	}
	if _, err := New("../testdata/web", name, ""); err != nil {
		t.Errorf("another zone is no fault at start: %v", err)
	}
}
