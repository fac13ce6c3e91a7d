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

	"baari.dev/services/contract"
	"baari.dev/services/operate"
	"baari.dev/services/platform/testkit"
)

const number = "9811122233"

// responses are the services' answers by service and path, for one person with one visit, request and message.
var responses = map[string]string{
	"visits export": `{"visits":[{"id":"v1","name":"Asha Rao","phone":"9811122233","paNotes":""}],` +
		`"consents":[{"purpose":"messages","means":"aloud"}],` +
		`"documents":[{"visitId":"v1","documents":[]}],"acknowledgements":[{"no":"ACK-2026-000001"}],` +
		`"requests":[{"id":"r1","kind":"access","text":"What do you hold?"}],"access":[{"role":"admin","call":"today"}]}`,
	"directory export": `{"appointments":[{"id":"a1","name":"Asha M Rao","email":"asha@example.com"}],` +
		`"access":[{"role":"reception","call":"appointments"}]}`,
	"realtime export": `{"notifications":[{"id":"n1","message":"Asha Rao is here <img src=//evil.example/x>"}]}`,
	"audit export":    `{"records":[{"entityId":"v1","newValues":{"name":"Asha Rao"}}]}`,
	"lobby export":    `{"arrivals":[{"id":"d1","name":"Asha Rao","phone":"9811122233","state":"refused"}]}`,
	"lobby erase":     `{"erased":["d1"]}`,
	"visits erase":    `{"erased":["v1"]}`,
	"directory erase": `{"erased":["a1"]}`,
	"realtime erase":  `{"erased":["n1"]}`,
}

type fake struct {
	t        *testing.T
	mu       sync.Mutex
	requests []string // service and path, in order
	logged   []string // the call and the staff in requests to the services with an access log
	erased   bool
	lag      int    // requests to audit after the erasure that still return values
	asked    func() // called when audit is asked after the erasure, if not nil
}

func (f *fake) open(t *testing.T) operate.Installation {
	t.Helper()
	f.t = t
	installation := operate.Installation{Addresses: map[string]string{}, Keys: testkit.Keys(contract.CallerOperator)}
	for _, service := range []string{"visits", "directory", "lobby", "realtime", "audit"} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			_, _ = w.Write([]byte(f.answer(service, r)))
		}))
		t.Cleanup(server.Close)
		installation.Addresses[service] = server.URL
	}
	return installation
}

func (f *fake) answer(service string, r *http.Request) string {
	f.mu.Lock()
	defer f.mu.Unlock()
	call := service + " " + strings.TrimPrefix(r.URL.Path, "/internal/subject/")
	f.requests = append(f.requests, call)
	var body struct {
		Phone string
		Names []string
		IDs   []string
		All   bool
		Call  string
		By    operate.Staff
	}
	if err := json.NewDecoder(r.Body).Decode(&body); err != nil || strings.Contains(r.URL.String(), number) {
		f.t.Errorf("request %s to %s: %v", r.URL, service, err)
	}
	if service == "realtime" && !slices.Equal(body.Names, []string{"Asha Rao", "Asha M Rao"}) {
		f.t.Errorf("the names in the request to realtime are %v", body.Names)
	}
	if (service == "visits" || service == "directory") && strings.HasSuffix(call, "export") {
		f.logged = append(f.logged, body.Call+" by "+body.By.ID+" "+body.By.Role)
	}
	// An export also asks audit about privacy requests and requests for a token; an erasure does not wait for these.
	ids := map[bool][]string{true: {"v1", "a1", "n1", "d1", "r1"}, false: {"v1", "a1", "n1"}}[body.All]
	if service == "audit" && (!slices.Equal(body.IDs, ids) || body.All != !f.erased) {
		f.t.Errorf("the request to audit is %v %v", body.IDs, body.All)
	}
	f.erased = f.erased || call == "visits erase"
	if call == "audit export" && f.erased {
		if f.asked != nil {
			f.asked()
		}
		if f.lag--; f.lag < 0 {
			return `{"records":[]}`
		}
	}
	return responses[call]
}

func TestExportContainsTheDataOfAllServices(t *testing.T) {
	installation := (&fake{}).open(t)
	data, err := Export(t.Context(), installation, number)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := data.Write(&out, number, time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC)); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{
		"about 9811122233", "As of 20 November 2026", "## Visits: 1", "- name: Asha Rao", `- email: asha\@example.com`,
		`- message: Asha Rao is here \<img src=//evil.example/x\>`, "- state: refused", "- role: admin",
		"- call: appointments", `- newValues: {"name":"Asha Rao"}`, "- purpose: messages",
		"- no: ACK-2026-000001", "- text: What do you hold?",
	} {
		if !strings.Contains(out.String(), text) {
			t.Errorf("%q is missing in\n%s", text, out.String())
		}
	}
	if strings.Contains(out.String(), "paNotes") {
		t.Error("the document contains an empty field")
	}
}

func TestEraseErasesInEveryServiceAndWaitsForTheTrail(t *testing.T) {
	f := &fake{lag: 2}
	var steps []string
	report, err := Erase(t.Context(), f.open(t), number, func(s Step) { steps = append(steps, s.Service) })
	if err != nil || report != (Report{1, 1, 1, 1}) {
		t.Errorf("%+v, %v", report, err)
	}
	if !slices.Equal(steps, Steps) {
		t.Errorf("steps %v", steps)
	}
	want := []string{
		"visits export", "directory export", "lobby export", "realtime export", "audit export",
		"realtime erase", "directory erase", "lobby erase", "visits erase",
		"audit export", "audit export", "audit export",
	}
	if !slices.Equal(f.requests, want) {
		t.Errorf("requests %v", f.requests)
	}
}

func TestEraseReportsATrailThatIsLate(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	f := &fake{lag: 1 << 30, asked: cancel}
	if _, err := Erase(ctx, f.open(t), number, nil); !errors.Is(err, ErrTrail) {
		t.Errorf("got %v", err)
	}
}

func TestAnInvalidPhoneNumberIsRejectedBeforeAnyRequest(t *testing.T) {
	f := &fake{}
	installation := f.open(t)
	for _, wrong := range []string{"", "981112223", "+919811122233", "९८१११२२२३३"} {
		if _, err := Erase(t.Context(), installation, wrong, nil); !errors.Is(err, ErrPhone) {
			t.Errorf("%q: %v", wrong, err)
		}
	}
	if len(f.requests) > 0 {
		t.Errorf("requests %v", f.requests)
	}
}

// A find is recorded as such, for the member of staff who asked. It returns counts without values.
func TestAFindCountsForTheStaffWhoAsked(t *testing.T) {
	f := &fake{}
	installation := f.open(t)
	installation.Staff = &operate.Staff{ID: "u1", Role: "admin"}
	counts, err := Find(t.Context(), installation, number)
	if err != nil || counts != (Counts{1, 1, 1, 1, 1, 1}) {
		t.Errorf("%+v, %v", counts, err)
	}
	for _, sent := range f.logged {
		if sent != "subject_find by u1 admin" {
			t.Errorf("sent %q", sent)
		}
	}
	if len(f.logged) != 2 {
		t.Errorf("%d services were told who asked", len(f.logged))
	}
}
