package visits_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-json-experiment/json"

	"baari.dev/services/platform/identity"
	"baari.dev/services/platform/testkit"
	"baari.dev/services/visits"
)

var pairedDesks = map[string]string{
	"A": "01890000-0000-7000-8000-00000000000a",
	"B": "01890000-0000-7000-8000-00000000000b",
}

// revokedSeries is the series for which auth responds that the desk is not paired.
type revokedSeries struct {
	mu     sync.Mutex
	series string
}

func (r *revokedSeries) set(series string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.series = series
}

// pairDesks starts an auth that knows the paired desks A and B, with the tokens "device-A" and "device-B".
func pairDesks(d *desk) *revokedSeries {
	gone := &revokedSeries{}
	auth := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var asked struct{ Token string }
		_ = json.UnmarshalRead(r.Body, &asked, json.MatchCaseInsensitiveNames(true))
		series, isDevice := strings.CutPrefix(asked.Token, "device-")
		gone.mu.Lock()
		defer gone.mu.Unlock()
		if id, known := pairedDesks[series]; isDevice && known && series != gone.series {
			fmt.Fprintf(w, `{"active":true,"id":%q,"name":"Desk %s","series":%q}`, id, series, series)
			return
		}
		fmt.Fprint(w, `{"active":false}`)
	}))
	d.t.Cleanup(auth.Close)
	d.with(func(deps *visits.Deps) { deps.Auth = identity.NewClient(auth.URL, testkit.Keys("visits"), "auth") })
	return gone
}

type leased struct {
	Device struct{ ID, Name, Series string }
	Days   []struct {
		Day  string
		Last int
	}
	Erased []string
}

// lease makes the paired desk of a series contact the service. unsent is the number of the desk's unsent visits.
func (d *desk) lease(t testing.TB, series string, unsent int) leased {
	t.Helper()
	a := d.as("reception", http.MethodPost, "/api/visits/offline/lease", fmt.Sprintf(`{"unsent":%d}`, unsent),
		"Baari-Device", "device-"+series)
	var got leased
	if err := json.Unmarshal([]byte(a.text), &got, json.MatchCaseInsensitiveNames(true)); err != nil || a.status != 200 {
		t.Fatalf("the lease answered %d %s", a.status, a.text)
	}
	return got
}

// noted is a visit in the form that a paired desk sends.
type noted struct {
	number  int
	key     string
	name    string
	madeBy  string
	arrived time.Time
	more    string
}

func (n noted) body(d *desk) string {
	madeBy := n.madeBy
	if madeBy == "" {
		madeBy = "reception"
	}
	return fmt.Sprintf(`{"number":%d,"key":%q,"made_by":%q,"name":%q,"phone":"9876543210","service_id":%q,
		"service_name":"ITR Filing","notes":"","language":"hi","arrived_at":%q%s}`,
		n.number, n.key, testkit.ID(madeBy), n.name, d.offered, n.arrived.UTC().Format(time.RFC3339Nano), n.more)
}

func noteOf(series string, n int) noted {
	return noted{number: n, key: fmt.Sprintf("key-of-%s-%03d", series, n), name: fmt.Sprintf("%s %d", series, n),
		arrived: time.Now()}
}

type sent struct {
	Number      int
	State, Code string
	Visit       *struct {
		visitBody
		TokenAlso string
		Offline   *struct {
			ArrivedAt   time.Time
			After       int
			ServiceGone bool
		}
	}
}

// send sends the noted visits of a day as a user, from the paired desk of a series.
func (d *desk) send(t testing.TB, person, series, day string, visits ...noted) ([]sent, answer) {
	t.Helper()
	bodies := make([]string, len(visits))
	for i, n := range visits {
		bodies[i] = n.body(d)
	}
	a := d.as(person, http.MethodPost, "/api/visits/offline",
		fmt.Sprintf(`{"series":%q,"day":%q,"visits":[%s]}`, series, day, strings.Join(bodies, ",")),
		"Baari-Device", "device-"+series)
	var got struct{ Done []sent }
	if err := json.Unmarshal([]byte(a.text), &got, json.MatchCaseInsensitiveNames(true)); err != nil {
		t.Fatal(err)
	}
	return got.Done, a
}

// states returns the results in order, such as "A-001 created".
func states(done []sent) string {
	var list []string
	for _, s := range done {
		token := "-"
		if s.Visit != nil {
			token = s.Visit.Token
		}
		list = append(list, strings.TrimSpace(token+" "+s.State+" "+s.Code))
	}
	return strings.Join(list, ", ")
}

func wantStates(t *testing.T, done []sent, want string) {
	t.Helper()
	if got := states(done); got != want {
		t.Errorf("decided %s, want %s", got, want)
	}
}

func TestADeskLeasesAWeek(t *testing.T) {
	d := newDesk(t)
	gone := pairDesks(d)
	got := d.lease(t, "A", 0)
	if len(got.Days) != 7 || got.Device.Series != "A" || got.Device.ID != pairedDesks["A"] || got.Days[0].Last != 0 {
		t.Fatalf("leased %+v", got)
	}
	d.send(t, "reception", "A", got.Days[0].Day, noteOf("A", 1), noteOf("A", 2))
	if again := d.lease(t, "A", 0); again.Days[0].Last != 2 || len(again.Days) != 7 {
		t.Errorf("after two tokens leased %+v", again)
	}
	for _, token := range []string{"", "device-C", "device-A"} {
		gone.set("A")
		a := d.as("reception", http.MethodPost, "/api/visits/offline/lease", `{"unsent":0}`, "Baari-Device", token)
		if a.status != http.StatusForbidden || a.Code != "device_revoked" {
			t.Errorf("the desk of token %q got %d %s", token, a.status, a.text)
		}
	}
	if _, a := d.send(t, "reception", "A", got.Days[0].Day, noteOf("A", 3)); a.Code != "device_revoked" {
		t.Errorf("a revoked desk sent and got %s", a.text)
	}
}

// Noted visits are registered in order, with the desk's tokens, the visitor's language and the time of arrival.
func TestNotedVisitsAreRegisteredInOrder(t *testing.T) {
	d := newDesk(t)
	pairDesks(d)
	today := d.lease(t, "A", 0).Days[0].Day
	first := d.arrive("Online 1")
	arrived := time.Now()
	time.Sleep(20 * time.Millisecond)
	second := d.arrive("Online 2")
	one, two := noteOf("A", 1), noteOf("A", 2)
	one.arrived, two.arrived = arrived, arrived
	done, _ := d.send(t, "reception", "A", today, one, two)
	wantStates(t, done, "A-001 created, A-002 created")
	v := done[0].Visit
	if v.Language != "hi" || v.Offline == nil || v.Offline.After != 1 || v.Offline.ServiceGone || v.Day != today ||
		v.Queue.Stage != "new" || v.Offline.ArrivedAt.Sub(arrived).Abs() > time.Millisecond {
		t.Errorf("registered %+v %+v", v, v.Offline)
	}
	var order []string
	for _, v := range d.as("reception", http.MethodGet, "/api/visits/today", "").Visits {
		order = append(order, v.Token)
	}
	if got := strings.Join(order, " "); got != first.Token+" A-001 A-002 "+second.Token {
		t.Errorf("the list is %s", got)
	}
	if n := count(t, d, `SELECT count(*) FROM outbox WHERE type = 'visit_created' AND after->>'token' LIKE 'A-%'
		AND after->>'offline' = 'true' AND after->>'sentBy' = 'The reception' AND after->>'series' = 'A'
		AND actor->>'id' = $1 AND version = 1`, testkit.ID("reception")); n != 2 {
		t.Errorf("%d events of the two visits", n)
	}
	approved := d.set("pa", v.ID, "approved", to("consultant"))
	if approved.status != 200 || approved.Visit.Token != "A-001" {
		t.Errorf("the decision answered %d %s", approved.status, approved.text)
	}
}

// A request whose response was lost can be repeated, also by other users and concurrently.
func TestARepeatedVisitIsKnown(t *testing.T) {
	d := newDesk(t)
	pairDesks(d)
	d.unchecked = true
	today := d.lease(t, "A", 0).Days[0].Day
	visits := []noted{noteOf("A", 1), noteOf("A", 2), noteOf("A", 3)}
	answers := make([][]sent, 8)
	together(len(answers), func(i int) answer {
		var a answer
		answers[i], a = d.send(t, []string{"reception", "reception2", "admin"}[i%3], "A", today, visits...)
		return a
	})
	created := 0
	for _, done := range answers {
		for i, s := range done {
			if s.State == "created" {
				created++
			}
			if s.Visit == nil || s.Visit.Token != fmt.Sprintf("A-%03d", i+1) {
				t.Errorf("decided %+v", s)
			}
		}
	}
	if n := count(t, d, `SELECT count(*) FROM visits`); n != 3 || created > 3 {
		t.Errorf("%d visits, %d answered as created", n, created)
	}
	done, _ := d.send(t, "reception2", "A", today, visits...)
	wantStates(t, done, "A-001 known, A-002 known, A-003 known")
	if n := count(t, d, `SELECT count(*) FROM outbox WHERE type = 'visit_created'`); n != 3 {
		t.Errorf("%d events of 3 visits", n)
	}
}

// If two paired desks with copies of one disk issue the same number, the second visit is refused, and nothing is
// overwritten.
func TestACopiedDiskIsFound(t *testing.T) {
	d := newDesk(t)
	pairDesks(d)
	today := d.lease(t, "A", 0).Days[0].Day
	d.send(t, "reception", "A", today, noteOf("A", 1))
	copied := noteOf("A", 1)
	copied.key, copied.name = "key-of-the-copy", "Another"
	done, _ := d.send(t, "reception", "A", today, copied, noteOf("A", 2))
	wantStates(t, done, "- refused series_conflict, A-002 created")
	if n := count(t, d, `SELECT count(*) FROM visits WHERE name = 'A 1' AND token_no = 1`); n != 1 {
		t.Error("the first visit was changed")
	}
}

// If the registration reached the server before the connection was lost, no visit is created: the registered visit gets
// a second token.
func TestAnUnansweredRegistrationIsMerged(t *testing.T) {
	d := newDesk(t)
	pairDesks(d)
	today := d.lease(t, "A", 0).Days[0].Day
	online := d.as("reception", http.MethodPost, "/api/visits", d.visitor("A 1"), "Idempotency-Key", "key-of-A-001")
	done, _ := d.send(t, "reception2", "A", today, noteOf("A", 1), noteOf("A", 2))
	wantStates(t, done, "T-001 merged, A-002 created")
	if v := done[0].Visit; v.ID != online.Visit.ID || v.TokenAlso != "A-001" || v.Version != 2 || v.Offline != nil {
		t.Errorf("merged into %+v", v)
	}
	done, _ = d.send(t, "reception", "A", today, noteOf("A", 1))
	wantStates(t, done, "T-001 known")
	other := noteOf("A", 1)
	other.key = "key-of-the-copy"
	done, _ = d.send(t, "reception", "A", today, other)
	wantStates(t, done, "- refused series_conflict")
	if got := d.lease(t, "A", 0).Days[0].Last; got != 2 {
		t.Errorf("the last number is %d", got)
	}
	if n := count(t, d, `SELECT count(*) FROM outbox WHERE type = 'visit_merged' AND after->>'tokenAlso' = 'A-001'
		AND after->>'sentBy' = 'The reception2' AND version = 2`); n != 1 {
		t.Errorf("%d events of the merge", n)
	}
	if undo := d.as("reception2", http.MethodPost, "/api/visits/"+online.Visit.ID+"/undo", `{}`); undo.status != 409 {
		t.Errorf("the merge was undone: %d %s", undo.status, undo.text)
	}
}

// If the registration arrives after the paired desk has sent the visit, it is rejected and creates no second visit.
func TestALateRegistrationIsRejected(t *testing.T) {
	d := newDesk(t)
	pairDesks(d)
	today := d.lease(t, "A", 0).Days[0].Day
	d.send(t, "reception", "A", today, noteOf("A", 1))
	late := d.as("reception", http.MethodPost, "/api/visits", d.visitor("A 1"), "Idempotency-Key", "key-of-A-001")
	if late.status != http.StatusUnprocessableEntity || late.Code != "key_reused" ||
		count(t, d, `SELECT count(*) FROM visits`) != 1 {
		t.Errorf("the late registration answered %d %s", late.status, late.text)
	}
}

// If the clock of a paired desk is wrong, arrivals are limited to the time from the desk's last contact until now, in
// the order of the numbers.
func TestArrivalsAreClipped(t *testing.T) {
	d := newDesk(t)
	pairDesks(d)
	contact := time.Now()
	today := d.lease(t, "A", 0).Days[0].Day
	visits := []noted{noteOf("A", 1), noteOf("A", 2), noteOf("A", 3)}
	visits[0].arrived, visits[1].arrived = contact.Add(-2*time.Hour), contact.Add(2*time.Hour)
	done, _ := d.send(t, "reception", "A", today, visits...)
	wantStates(t, done, "A-001 created, A-002 created, A-003 created")
	last := contact.Add(-time.Second)
	for _, s := range done {
		at := s.Visit.Offline.ArrivedAt
		if at.Before(last.Truncate(time.Millisecond)) || at.After(time.Now().Add(time.Second)) {
			t.Errorf("%s arrived at %s", s.Visit.Token, at)
		}
		last = at
	}
	rank := count(t, d, `SELECT count(*) FROM visits WHERE rank_at = arrived_at AND created_at >= arrived_at`)
	if rank != 3 {
		t.Errorf("%d visits have the rank of their arrival", rank)
	}
}

// A contact does not change the earliest accepted arrival of visits that are unsent at that contact.
func TestAContactWithUnsentVisitsKeepsTheirArrivals(t *testing.T) {
	d := newDesk(t)
	pairDesks(d)
	today := d.lease(t, "A", 0).Days[0].Day
	n := noteOf("A", 1)
	time.Sleep(50 * time.Millisecond)
	d.lease(t, "A", 1)
	done, _ := d.send(t, "reception", "A", today, n)
	if got := done[0].Visit.Offline.ArrivedAt; got.Sub(n.arrived).Abs() > time.Millisecond {
		t.Errorf("arrived at %s, noted at %s", got, n.arrived)
	}
}

func TestAVisitOfADayThatIsOverStaysThere(t *testing.T) {
	d := newDesk(t)
	pairDesks(d)
	d.lease(t, "A", 0)
	exec(t, d.owner, `INSERT INTO desk_leases SELECT device_id, day - 7 FROM desk_leases ON CONFLICT DO NOTHING`)
	exec(t, d.owner, `UPDATE offline_desks SET contact_at = contact_at - interval '3 days'`)
	var yesterday, tomorrow, earlier string
	row := d.db.Pool.QueryRow(context.Background(), `SELECT (now() AT TIME ZONE 'Asia/Kolkata')::date - 1 || '',
		(now() AT TIME ZONE 'Asia/Kolkata')::date + 1 || '', (now() AT TIME ZONE 'Asia/Kolkata')::date - 9 || ''`)
	if err := row.Scan(&yesterday, &tomorrow, &earlier); err != nil {
		t.Fatal(err)
	}
	done, _ := d.send(t, "reception", "A", yesterday, noteOf("A", 1))
	wantStates(t, done, "A-001 created")
	if v := done[0].Visit; v.Day != yesterday || !strings.HasPrefix(v.Offline.ArrivedAt.In(time.FixedZone("", 19800)).
		Format(time.DateOnly), yesterday) {
		t.Errorf("registered on %s, arrived at %s", v.Day, v.Offline.ArrivedAt)
	}
	for _, day := range []string{tomorrow, earlier} {
		if _, a := d.send(t, "reception", "A", day, noteOf("A", 2)); a.status != 422 || a.Code != "no_lease" {
			t.Errorf("a visit of %s got %d %s", day, a.status, a.text)
		}
	}
}
