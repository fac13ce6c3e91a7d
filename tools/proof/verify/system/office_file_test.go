package system

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"baari.dev/services/platform/testkit"
)

// Office 1.1: settings that an administrator has saved are kept when all programs restart with another file. In the
// mode file, the programs take the file instead, and its settings cannot be changed.
func TestARestartWithAnotherOfficeFileKeepsTheSettings(t *testing.T) {
	other := officeFile(t, func(document object) { document["brand"] = "Another Office" })
	saved := settingsOffice(t, map[string]string{})
	saved.save(t, "contact", func(value object) { value["brand"] = "Hisab Sons" })
	saved.save(t, "access", func(value object) { value["features"].(map[string]any)["registration"] = "closed" })
	testkit.Eventually(t, "the programs have the settings", func() bool {
		return saved.hasBrand(t, "Hisab Sons") && saved.register(t) == http.StatusForbidden
	})
	version := saved.settings(t).Office.Version
	saved.way.system.Stop()

	restarted := settingsOffice(t, map[string]string{"OFFICE_FILE": other})
	if status := restarted.register(t); !restarted.hasBrand(t, "Hisab Sons") || status != http.StatusForbidden {
		t.Errorf("the first page has another name, or a registration was answered %d", status)
	}
	now := restarted.settings(t).Office
	if now.Version != version || now.Mode != "product" {
		t.Errorf("version %d in the mode %s, was %d", now.Version, now.Mode, version)
	}
	restarted.way.system.Stop()

	file := settingsOffice(t, map[string]string{"OFFICE_FILE": other, "OFFICE_MODE": "file"})
	testkit.Eventually(t, "the programs have the settings of the file", func() bool {
		return file.hasBrand(t, "Another Office") && file.register(t) == http.StatusOK
	})
	now = file.settings(t).Office
	if now.Version != version+1 || now.Mode != "file" || now.ChangedBy != nil {
		t.Errorf("version %d in the mode %s by %v, was %d", now.Version, now.Mode, now.ChangedBy, version)
	}
	contact := now.Sections["contact"]
	rejected := file.way.send(t, file.admin, ask{
		method: http.MethodPut, path: "/api/office/settings/contact",
		body: object{"value": contact.Value, "version": contact.Version},
	})
	if rejected.status != http.StatusConflict || !strings.Contains(string(rejected.body), `"office_in_file"`) {
		t.Errorf("a change in the mode file: %d %s", rejected.status, rejected.body)
	}
}

// officeFile returns the path of a changed copy of the office document that `baari up` uses.
func officeFile(t *testing.T, change func(document object)) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, "services", "office", "office.json"))
	if err != nil {
		t.Fatal(err)
	}
	var document object
	if err := json.Unmarshal(text, &document); err != nil {
		t.Fatal(err)
	}
	change(document)
	if text, err = json.Marshal(document); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "office.json")
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// settingsOffice starts the system on one data folder and signs its administrator in.
func settingsOffice(t *testing.T, settings map[string]string) *office {
	t.Helper()
	w := way{name: "gateway", system: startWith(t, "office-file", settings)}
	demo := w.system.Accounts()[0]
	admin := &person{name: demo.Name, email: demo.Email, password: demo.Password, role: "admin"}
	admin.enter(t, w, "/api/auth/sign-in/email")
	return &office{way: w, admin: admin}
}

type storedSettings struct {
	Office struct {
		Version   int
		Mode      string
		ChangedBy *struct{ Name string }
		Sections  map[string]struct {
			Version int
			Value   object
		}
	}
}

func (o *office) settings(t *testing.T) (stored storedSettings) {
	t.Helper()
	o.way.must(t, o.admin, http.MethodGet, "/api/office/settings", nil, &stored)
	return stored
}

func (o *office) save(t *testing.T, section string, change func(value object)) {
	t.Helper()
	stored := o.settings(t).Office.Sections[section]
	change(stored.Value)
	o.way.must(t, o.admin, http.MethodPut, "/api/office/settings/"+section,
		object{"value": stored.Value, "version": stored.Version}, nil)
}

// hasBrand reports whether the public page has the name of the office.
func (o *office) hasBrand(t *testing.T, brand string) bool {
	t.Helper()
	return strings.Contains(string(o.way.send(t, nil, ask{method: http.MethodGet, path: "/"}).body), brand)
}

// register returns the status of a registration.
func (o *office) register(t *testing.T) int {
	t.Helper()
	body := object{"name": "New", "email": address(), "password": password}
	return o.way.send(t, nil, ask{method: http.MethodPost, path: "/api/auth/sign-up/email", body: body}).status
}
