package directory

import (
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/go-json-experiment/json"

	"baari.dev/services/contract"
	"baari.dev/services/directory/settings"
	"baari.dev/services/office"
	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/testkit"
)

// replica returns another service of the same database, with other options.
func (f *front) replica(t *testing.T, edit func(*settings.Options)) *Service {
	t.Helper()
	options := f.office.Options
	edit(&options)
	s := New(f.db.Pool, outbox.New(contract.SourceDirectory, f.db.Pool), nil, options)
	if err := s.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	return s
}

func board(next int, version any) string {
	return fmt.Sprintf(`{"value":{"board":{"next":%d,"notice":""}},"version":%v}`, next, version)
}

type savedOffice struct {
	Office struct {
		Version        int64 `json:"version"`
		SectionVersion int64 `json:"sectionVersion"`
	} `json:"office"`
}

func (f *front) put(t *testing.T, section, body string) *httptest.ResponseRecorder {
	t.Helper()
	return f.call(t, "admin", http.MethodPut, "/api/office/settings/"+section, body)
}

// Changes of two sections do not conflict. Of two changes of one section the second is stale, and its answer has the
// stored value.
func TestAdminsConflictInOneSectionOnly(t *testing.T) {
	f := newFront(t)
	if w := f.put(t, "board", board(3, 1)); w.Code != http.StatusOK {
		t.Fatalf("the first admin: %d %s", w.Code, w.Body)
	}
	theme := `{"value":{"languages":["en","kn"]},"version":1}`
	saved := decode[savedOffice](t, f.put(t, "languages", theme).Body.Bytes()).Office
	if saved.Version != 3 || saved.SectionVersion != 3 {
		t.Errorf("another section: %+v", saved)
	}
	w := f.put(t, "board", board(1, 1))
	stale := decode[fault.Body](t, w.Body.Bytes())
	if w.Code != http.StatusPreconditionFailed || stale.Code != "stale_version" || stale.Params["version"] != 2.0 ||
		stale.Params["value"] != `{"board":{"next":3,"notice":""}}` || stale.Params["name"] == "" {
		t.Errorf("the same section: %d %+v", w.Code, stale)
	}
	w = f.call(t, "admin", http.MethodPut, "/api/office/settings/board", `{"value":{"board":{"next":1,"notice":""}}}`,
		"If-Match", `"2"`)
	if w.Code != http.StatusOK || f.office.Load().Board.Next != 1 {
		t.Errorf("with the version in If-Match: %d %s", w.Code, w.Body)
	}
}

// A change is one version and one event, whole before and after. An equal value is neither.
func TestAChangePublishesOneEvent(t *testing.T) {
	f := newFront(t)
	f.put(t, "board", board(3, 1))
	if w := f.put(t, "board", board(3, 2)); decode[savedOffice](t, w.Body.Bytes()).Office.Version != 2 {
		t.Errorf("an equal value: %s", w.Body)
	}
	f.call(t, "admin", http.MethodPost, "/api/office/versions/1/restore", `{"sections":["board"],"version":2}`)
	published := f.events(t, contract.OfficeLoaded, contract.OfficeChanged, contract.OfficeRestored)
	if len(published) != 3 || published[1].Type != contract.OfficeChanged ||
		published[2].Type != contract.OfficeRestored || published[1].Actor == nil || published[0].Actor != nil ||
		published[1].EntityID != contract.OfficeID {
		t.Fatalf("%d events: %+v", len(published), published)
	}
	for i := range published[1:] {
		before, after := decode[office.Document](t, published[i+1].Before), decode[office.Document](t, published[i].After)
		if !reflect.DeepEqual(before, after) {
			t.Errorf("event %d does not begin where the one before ends", i+1)
		}
	}
	if f.office.Load().Board.Next != 4 {
		t.Errorf("restored to %+v", f.office.Load().Board)
	}
	w := f.call(t, "admin", http.MethodGet, "/api/office/versions/3", "")
	if !strings.Contains(w.Body.String(), `"key":"/board/next","before":3,"after":4`) ||
		!strings.Contains(w.Body.String(), `"restoredFrom":1`) {
		t.Errorf("the version is %s", w.Body)
	}
	list := f.call(t, "admin", http.MethodGet, "/api/office/versions?limit=2", "").Body.String()
	if strings.Count(list, `"source"`) != 2 || !strings.Contains(list, `"total":3`) {
		t.Errorf("the versions are %s", list)
	}
}

// A restore is stale if one of its sections was changed after the version that its sender has seen.
func TestARestoreDoesNotUndoLaterChanges(t *testing.T) {
	f := newFront(t)
	f.put(t, "board", board(3, 1))
	f.put(t, "board", board(2, 2))
	w := f.call(t, "admin", http.MethodPost, "/api/office/versions/1/restore", `{"sections":["board"],"version":2}`)
	if w.Code != http.StatusPreconditionFailed {
		t.Errorf("answered %d %s", w.Code, w.Body)
	}
	for body, field := range map[string]string{
		`{"sections":[],"version":3}`: "sections", `{"sections":["nothing"],"version":3}`: "sections",
		`{"sections":["board"]}`: "version",
	} {
		w := f.call(t, "admin", http.MethodPost, "/api/office/versions/1/restore", body)
		if _, named := decode[fault.Body](t, w.Body.Bytes()).Fields[field]; w.Code != http.StatusBadRequest || !named {
			t.Errorf("%s: %d %s", body, w.Code, w.Body)
		}
	}
	w = f.call(t, "admin", http.MethodPost, "/api/office/versions/9/restore", `{"sections":["board"],"version":3}`)
	if w.Code != http.StatusNotFound {
		t.Errorf("version 9: %d", w.Code)
	}
}

func TestInvalidValuesNameTheirKeys(t *testing.T) {
	f := newFront(t)
	for body, field := range map[string]string{
		`{"value":{"board":{"next":9,"notice":""}},"version":1}`:          "/board/next",
		`{"value":{"board":{"next":1}},"version":1}`:                      "/board/notice",
		`{"value":{"board":{"next":1,"notice":""}}}`:                      "version",
		`{"value":{"board":{"next":1,"notice":"Tea\u202e"}},"version":1}`: "/board/notice",
		`{"version":1}`: "value",
		`{"value":{"board":null,"theme":"dark"},"version":1}`:      "/theme",
		`{"value":{"board":{"next":1,"notice":""}},"version":"x"}`: "version",
	} {
		w := f.put(t, "board", body)
		if _, named := decode[fault.Body](t, w.Body.Bytes()).Fields[field]; w.Code != http.StatusBadRequest || !named {
			t.Errorf("%s: %d %s", body, w.Code, w.Body)
		}
	}
	if w := f.put(t, "nothing", board(1, 1)); w.Code != http.StatusNotFound {
		t.Errorf("an unknown section: %d", w.Code)
	}
	notice := f.office.Load().Notice
	notice.Text += " More."
	body, err := json.Marshal(map[string]any{"value": map[string]any{"notice": notice}, "version": 1})
	if err != nil {
		t.Fatal(err)
	}
	answer := decode[fault.Body](t, f.put(t, "notice", string(body)).Body.Bytes())
	if answer.FieldCodes["/notice/version"] != fault.CodeNewVersion {
		t.Errorf("a changed notice with the old version: %+v", answer)
	}
}

// In the mode product the file is the first version only: a restart with another file keeps the settings.
func TestARestartKeepsTheSettings(t *testing.T) {
	f := newFront(t)
	f.put(t, "board", board(3, 1))
	other := func(o *settings.Options) { o.File.Brand, o.File.Board = "Hisab", nil }
	again := f.replica(t, other).office.Load()
	if again.Version != 2 || again.Board.Next != 3 || again.Brand == "Hisab" {
		t.Errorf("restarted with %s, version %d, %+v", again.Brand, again.Version, again.Board)
	}
	var logged strings.Builder
	f.replica(t, func(o *settings.Options) {
		other(o)
		o.Log = slog.New(slog.NewTextHandler(&logged, nil))
	})
	if strings.Count(logged.String(), "is not used") != 1 {
		t.Errorf("it logged %s", logged.String())
	}
}

// In the mode file a changed file is the next version, and nothing can be changed on screen.
func TestTheFileCanOwnTheSettings(t *testing.T) {
	f := newFront(t)
	byFile := func(o *settings.Options) { o.Mode = settings.ModeFile }
	same := f.replica(t, byFile)
	if got := same.office.Load().Version; got != 1 {
		t.Fatalf("an equal file is version %d", got)
	}
	f.Service = f.replica(t, func(o *settings.Options) { byFile(o); o.File.Brand = "Hisab" })
	f.serve(t, nil)
	if now := f.office.Load(); now.Version != 2 || now.Brand != "Hisab" {
		t.Errorf("a changed file: %s, version %d", now.Brand, now.Version)
	}
	for target, method := range map[string]string{
		"/api/office/settings/board": http.MethodPut, "/api/office/versions/1/restore": http.MethodPost,
	} {
		body := `{"value":{"board":{"next":1,"notice":""}},"sections":["board"],"version":1}`
		w := f.call(t, "admin", method, target, body)
		if w.Code != http.StatusConflict || decode[fault.Body](t, w.Body.Bytes()).Code != "office_in_file" {
			t.Errorf("%s %s: %d %s", method, target, w.Code, w.Body)
		}
	}
	changed := f.office.File
	changed.City = "Mysuru"
	if err := f.office.Reload(t.Context(), changed); err != nil || f.office.Load().Version != 3 {
		t.Errorf("a hangup: version %d, %v", f.office.Load().Version, err)
	}
	changed.TimeZone = "Europe/Berlin"
	if err := f.office.Reload(t.Context(), changed); err == nil || !strings.Contains(err.Error(), "/timeZone") {
		t.Errorf("another zone: %v", err)
	}
}

// A version of the notice has one text, also in a restore and after versions of the document with other notices.
func TestAVersionOfTheNoticeHasOneText(t *testing.T) {
	f := newFront(t)
	notice := f.office.Load().Notice
	value := func(version, more string) string {
		t.Helper()
		changed := notice
		changed.Version, changed.Text = version, notice.Text+more
		text, err := json.Marshal(map[string]office.Notice{"notice": changed})
		if err != nil {
			t.Fatal(err)
		}
		return `"value":` + string(text)
	}
	if w := f.put(t, "notice", `{`+value("2027-01", " More.")+`,"version":1}`); w.Code != http.StatusOK {
		t.Fatalf("a new version: %d %s", w.Code, w.Body)
	}
	used := `{` + value(notice.Version, " Less.")
	for what, w := range map[string]*httptest.ResponseRecorder{
		"the change":  f.put(t, "notice", used+`,"version":2}`),
		"its preview": f.call(t, "admin", http.MethodPost, "/api/office/settings/notice/preview", used+`}`),
	} {
		if decode[fault.Body](t, w.Body.Bytes()).FieldCodes["/notice/version"] != fault.CodeNewVersion {
			t.Errorf("%s to another text with the version of the first: %d %s", what, w.Code, w.Body)
		}
	}
	restore := func(want int) {
		t.Helper()
		body := `{"sections":["notice"],"version":9}`
		if w := f.call(t, "admin", http.MethodPost, "/api/office/versions/1/restore", body); w.Code != want {
			t.Errorf("the restore of the first notice: %d %s", w.Code, w.Body)
		}
	}
	restore(http.StatusOK)
	f.replica(t, func(o *settings.Options) { o.Mode, o.File.Notice.Text = settings.ModeFile, notice.Text+" By file." })
	restore(http.StatusBadRequest)
}

// A release without versions compares its file with the table office. It finds its file there, whatever admins have
// changed, and so publishes nothing.
func TestARollbackFindsItsFile(t *testing.T) {
	f := newFront(t)
	row := func() (document string) {
		if err := f.db.Pool.QueryRow(t.Context(), `SELECT document FROM office`).Scan(&document); err != nil {
			t.Fatal(err)
		}
		return document
	}
	before := row()
	for _, key := range []string{`"appointments": {`, `"yearly"`, `"specialDays"`, `"breaks"`} {
		if strings.Contains(before, key) {
			t.Errorf("the row has the key %s, which a release without versions does not write", key)
		}
	}
	f.put(t, "board", board(3, 1))
	f.replica(t, func(o *settings.Options) { o.File.Brand = "Hisab" })
	if row() != before {
		t.Error("the row has changed")
	}
}

// After an upgrade version 1 is what was loaded last, with the registration of the environment.
func TestAnUpgradeBeginsWithWhatWasLoaded(t *testing.T) {
	f := newFront(t)
	testkit.Exec(t, f.db.Owner(t), `TRUNCATE office_versions, outbox`)
	testkit.Exec(t, f.db.Owner(t), `UPDATE office SET document = jsonb_set(document, '{brand}', '"Hisab"')`)
	now := f.replica(t, func(o *settings.Options) { o.Registration = "approval" }).office.Load()
	if now.Version != 1 || now.Brand != "Hisab" || now.Features.Registration != "approval" {
		t.Errorf("version %d is %s, %s", now.Version, now.Brand, now.Features.Registration)
	}
	published := f.events(t, contract.OfficeLoaded)
	if len(published) != 1 || decode[office.Document](t, published[0].Before).Features.Registration != "open" {
		t.Errorf("published %d times", len(published))
	}
}

// Versions are dense and linked however many admins save at once, on several replicas. The others follow.
func TestRacingChangesAreDenseVersions(t *testing.T) {
	f := newFront(t)
	other := f.replica(t, func(*settings.Options) {})
	testkit.Background(t, other.office.Follow)
	line, _ := office.SectionOf("board")
	var group sync.WaitGroup
	for i := range 16 {
		service := []*Service{f.Service, other}[i%2]
		group.Go(func() {
			for version := int64(1); ; version++ {
				value := fmt.Appendf(nil, `{"board":{"next":%d,"notice":"%d"}}`, i%5, i)
				_, err := service.office.Change(as(t, contract.RoleAdmin), settings.Change{
					Section: line, Value: value, Version: version,
				})
				if err == nil {
					return
				}
				if errors.Is(err, fault.ErrBusy) {
					version-- // Clients repeat such calls.
				} else if !errors.Is(err, fault.ErrStale) {
					t.Error(err)
					return
				}
			}
		})
	}
	group.Wait()
	var versions, dense int
	if err := f.db.Pool.QueryRow(t.Context(), `SELECT count(*), max(version) FROM office_versions`).
		Scan(&versions, &dense); err != nil || versions != dense {
		t.Errorf("%d versions up to %d: %v", versions, dense, err)
	}
	events := f.events(t, contract.OfficeChanged)
	if len(events) != versions-1 {
		t.Errorf("%d events of %d versions", len(events), versions)
	}
	testkit.Eventually(t, "the other replica has the last version", func() bool {
		return other.office.Load().Version == int64(versions)
	})
}
