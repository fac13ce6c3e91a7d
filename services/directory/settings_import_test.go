package directory

import (
	"net/http"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"

	"baari.dev/services/contract"
	"baari.dev/services/office"
	"baari.dev/services/operate"
	"baari.dev/services/platform/testkit"
)

// The operator exports the document, and imports one as a version without an id of its author. A check stores nothing.
func TestTheOperatorImportsADocument(t *testing.T) {
	f := newFront(t)
	operator := operate.Installation{
		Addresses: map[string]string{contract.SourceDirectory: f.internal(t)},
		Keys:      testkit.Keys(contract.CallerOperator),
	}
	exported, err := operator.ExportOffice(t.Context())
	if err != nil || exported.Version != 1 || exported.Mode != "product" {
		t.Fatalf("exported version %d, %v", exported.Version, err)
	}
	changed := strings.Replace(string(exported.Document), `"brand":"Lekha Tax & Advisory"`, `"brand":"Hisab"`, 1)
	for _, preview := range []bool{true, false} {
		done, err := operator.ImportOffice(t.Context(), []byte(changed), preview)
		if err != nil || len(done.Changes) != 1 || done.Changes[0].Key != "/brand" || (done.Version == 0) != preview {
			t.Fatalf("preview %v: %+v, %v", preview, done, err)
		}
	}
	published := f.events(t, contract.OfficeChanged)
	if len(published) != 1 || published[0].Actor.Name != contract.CallerOperator || published[0].Actor.ID != "" {
		t.Errorf("published %+v", published)
	}
	bad, err := operator.ImportOffice(t.Context(), []byte(`{"brand":""}`), false)
	if err != nil || len(bad.Problems) < 2 || !strings.Contains(bad.Problems[0], "/address is missing") {
		t.Errorf("an invalid document: %+v, %v", bad.Problems, err)
	}
	w := f.call(t, "admin", http.MethodGet, "/api/office", "")
	var document office.Document
	if err := json.Unmarshal(w.Body.Bytes(), &document); err != nil || document.Brand != "Hisab" {
		t.Errorf("the office is %s, %v", document.Brand, err)
	}
}

// A document that the operator imports ticks nothing of the checklist, and unticks nothing that an admin has saved.
func TestAnImportIsNoTickOfTheChecklist(t *testing.T) {
	f := newFront(t)
	operator := operate.Installation{
		Addresses: map[string]string{contract.SourceDirectory: f.internal(t)},
		Keys:      testkit.Keys(contract.CallerOperator),
	}
	load := func(from, to string) {
		exported, err := operator.ExportOffice(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		changed := strings.Replace(string(exported.Document), from, to, 1)
		if done, err := operator.ImportOffice(t.Context(), []byte(changed), false); err != nil || len(done.Changes) != 1 {
			t.Fatalf("imported %+v, %v", done, err)
		}
	}
	hours := func() string {
		items := f.call(t, "admin", http.MethodGet, "/api/office/setup", "").Body.String()
		_, item, _ := strings.Cut(items, `{"key":"hours",`)
		item, _, _ = strings.Cut(item, ",")
		return item
	}
	if load(`"open":"9 AM"`, `"open":"8 AM"`); hours() != `"done":false` {
		t.Errorf("after an import the hours are %s", hours())
	}
	f.put(t, "hours", strings.Replace(newHours, `"version":1`, `"version":2`, 1))
	if hours() != `"done":true` {
		t.Errorf("after an admin has saved them, the hours are %s", hours())
	}
	if load(`"open":"9 AM"`, `"open":"8 AM"`); hours() != `"done":true` {
		t.Errorf("after another import the hours are %s", hours())
	}
}
