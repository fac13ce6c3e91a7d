package subject

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

const phone = "9811122233"

// fake is an office that holds one visit, one request and one message of one person.
type fake struct {
	mu     sync.Mutex
	asked  []string // service and path, in order
	erased bool
	lag    int // looks until the trail has followed
}

func (f *fake) open(t *testing.T) Office {
	t.Helper()
	addresses := map[string]string{}
	for _, service := range []string{"visits", "directory", "realtime", "audit"} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { f.answer(t, service, w, r) }))
		t.Cleanup(server.Close)
		addresses[service] = server.URL
	}
	return New(addresses, strings.Repeat("s", 32))
}

func (f *fake) answer(t *testing.T, service string, w http.ResponseWriter, r *http.Request) {
	f.mu.Lock()
	defer f.mu.Unlock()
	call := service + " " + strings.TrimPrefix(r.URL.Path, "/internal/subject/")
	f.asked = append(f.asked, call)
	var body struct {
		Phone string
		Names []string
		IDs   []string
	}
	if err := json.NewDecoder(r.Body).Decode(&body); err != nil || strings.Contains(r.URL.String(), phone) {
		t.Errorf("%s was asked %s: %v", service, r.URL, err)
	}
	answer := map[string]string{
		"visits export":    `{"visits":[{"id":"v1","name":"Asha Rao","phone":"9811122233","paNotes":""}],"access":[{"role":"admin","call":"today"}]}`,
		"directory export": `{"appointments":[{"id":"a1","name":"Asha M Rao","email":"asha@example.com"}],"access":[{"role":"reception","call":"appointments"}]}`,
		"realtime export":  `{"notifications":[{"id":"n1","message":"Asha Rao is here <img src=//evil.example/x>"}]}`,
		"audit export":     `{"records":[{"entityId":"v1","newValues":{"name":"Asha Rao"}}]}`,
		"visits erase":     `{"erased":["v1"]}`, "directory erase": `{"erased":["a1"]}`, "realtime erase": `{"erased":["n1"]}`,
	}[call]
	switch {
	case service == "realtime" && !slices.Equal(body.Names, []string{"Asha Rao", "Asha M Rao"}):
		t.Errorf("messages are looked for by %v", body.Names)
	case service == "audit" && !slices.Equal(body.IDs, []string{"v1", "a1", "n1"}):
		t.Errorf("records are looked for by %v", body.IDs)
	case call == "visits erase":
		f.erased = true
	case call == "audit export" && f.erased:
		if f.lag--; f.lag < 0 {
			answer = `{"records":[]}`
		}
	}
	_, _ = w.Write([]byte(answer))
}

// P4: an export contains the data of a person from all services as one document.
func TestAPersonGetsOneDocument(t *testing.T) {
	office := (&fake{}).open(t)
	data, err := office.Export(context.Background(), phone)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := data.Write(&out, phone, time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC)); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"about 9811122233", "As of 20 November 2026", "## Visits: 1", "- name: Asha Rao", `- email: asha\@example.com`, `- message: Asha Rao is here \<img src=//evil.example/x\>`, "- role: admin", "- call: appointments", `- newValues: {"name":"Asha Rao"}`} {
		if !strings.Contains(out.String(), text) {
			t.Errorf("%q is missing in\n%s", text, out.String())
		}
	}
	if strings.Contains(out.String(), "paNotes") {
		t.Error("an empty field is shown")
	}
}

// P4: a person is erased everywhere; the names, by which messages are found, go last, and the trail is waited for.
func TestAPersonIsErasedEverywhere(t *testing.T) {
	f := &fake{lag: 2}
	report, err := f.open(t).Erase(context.Background(), phone)
	if err != nil || report != (Report{1, 1, 1}) {
		t.Errorf("%+v, %v", report, err)
	}
	want := []string{"visits export", "directory export", "realtime export", "audit export", "realtime erase", "directory erase", "visits erase", "audit export", "audit export", "audit export"}
	if !slices.Equal(f.asked, want) {
		t.Errorf("asked %v", f.asked)
	}
}

func TestATrailThatDoesNotFollowIsSaid(t *testing.T) {
	f := &fake{lag: 1 << 30}
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	if _, err := f.open(t).Erase(ctx, phone); !errors.Is(err, ErrTrail) {
		t.Errorf("answered %v", err)
	}
}

func TestWhatIsNoPhoneNumberIsRefused(t *testing.T) {
	for _, wrong := range []string{"", "981112223", "+919811122233", "९८१११२२२३३"} {
		if _, err := New(nil, "").Erase(context.Background(), wrong); !errors.Is(err, ErrPhone) {
			t.Errorf("%q answered %v", wrong, err)
		}
	}
}
