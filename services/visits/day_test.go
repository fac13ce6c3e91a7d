package visits_test

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/prometheus/client_golang/prometheus/testutil"

	"baari.dev/services/platform/limit"
	"baari.dev/services/platform/testkit"
)

// S4.transition.01, S4.transition.03-04, S4.transition.08, S4.transition.10-11, S7.api.09-12, S3.visit.01, S3.visit.04,
// S3.create.01-02, S3.status.01, S1.staff.01: a visit goes from registration to completion over the API.
func TestAVisitFromRegistrationToCompletion(t *testing.T) {
	d := newDesk(t)
	body := fmt.Sprintf(
		`{"name":"  Asha Rao ","phone":"9876543210","service_id":%q,"serviceId":%q,`+
			`"notes":"brought Form 16","reception_id":"reception-001"}`,
		d.offered,
		d.offered,
	)
	made := d.as("reception", http.MethodPost, "/api/visits", body)
	if made.status != http.StatusCreated || made.Visit.Token != "T-001" || made.Visit.Name != "Asha Rao" ||
		made.Visit.Status != "new" ||
		made.Visit.Notes != "brought Form 16" {
		t.Fatalf("registering answered %d %s", made.status, made.text)
	}
	if !strings.HasPrefix(made.header.Get("X-Feed-Seq"), "visits=") {
		t.Errorf("X-Feed-Seq is %q", made.header.Get("X-Feed-Seq"))
	}
	id := made.Visit.ID

	approved := d.set("pa", id, "approved", to("consultant"), `"notes":"needs help with capital gains"`)
	if approved.status != http.StatusOK || approved.Visit.Status != "approved" ||
		*approved.Visit.AssignedConsultant != "The consultant" {
		t.Fatalf("approving answered %d %s", approved.status, approved.text)
	}
	started := d.set("consultant", id, "in-session", `"notes":""`)
	if started.status != http.StatusOK || started.Visit.StartedAt == nil || started.Visit.Phone != "9876543210" {
		t.Fatalf("starting answered %d %s", started.status, started.text)
	}
	done := d.set("consultant", id, "completed", `"notes":"filed"`)
	if done.status != http.StatusOK || done.Visit.SessionNotes != "filed" || done.Visit.Notes != "filed" ||
		*done.Visit.SessionDuration != 1 ||
		done.Visit.Version != 4 {
		t.Fatalf("completing answered %d %s", done.status, done.text)
	}
	if done.Visit.Phone != "98******10" {
		t.Errorf("after the session the consultant sees %s", done.Visit.Phone)
	}
	if done.Visit.PANotes != "needs help with capital gains" || done.Visit.ReceptionNotes != "brought Form 16" {
		t.Errorf("the notes of each stage are kept apart: %s", done.text)
	}
}

// S4.transition.02, S4.transition.06-07, S7.api.13, S3.pending.01: the pending list has only visits without a decision.
func TestPendingListsNewVisits(t *testing.T) {
	d := newDesk(t)
	first, second, third := d.arrive("First"), d.arrive("Second"), d.arrive("Third")
	d.set("pa", first.ID, "approved", to("consultant"))
	d.set("pa", third.ID, "denied")
	pending := d.as("pa", http.MethodGet, "/api/visits/pending-approval", "")
	if len(pending.Visits) != 1 || pending.Visits[0].ID != second.ID {
		t.Errorf("pending is %s", pending.text)
	}
}

// S7.api.08: the list of today has every visit of the office's day, ordered by token. A consultant gets their own
// visits.
func TestTodayListsTheOfficeDay(t *testing.T) {
	d := newDesk(t)
	empty := d.as("reception", http.MethodGet, "/api/visits/today", "")
	if len(empty.Visits) != 0 || !strings.Contains(empty.text, `"visits":[]`) || empty.header.Get("X-Feed-Seq") == "" {
		t.Errorf("an empty day is %s", empty.text)
	}
	first, second := d.arrive("First"), d.arrive("Second")
	d.set("pa", second.ID, "approved", to("consultant"))
	today := d.as("reception", http.MethodGet, "/api/visits/today", "")
	if len(today.Visits) != 2 || today.Visits[0].ID != first.ID || today.Visits[1].Token != "T-002" {
		t.Errorf("today is %s", today.text)
	}
	own := d.as("consultant", http.MethodGet, "/api/visits/today", "")
	if len(own.Visits) != 1 || own.Visits[0].ID != second.ID {
		t.Errorf("the consultant's day is %s", own.text)
	}
	if other := d.as("consultant2", http.MethodGet, "/api/visits/today", ""); len(other.Visits) != 0 {
		t.Errorf("another consultant sees %s", other.text)
	}
}

// At midnight no visit is lost: yesterday's open visits stay in the lists of their consultants and among the pending
// ones, with the phone masked for a PA.
func TestOpenVisitsOfYesterdayStayInTheLists(t *testing.T) {
	d := newDesk(t)
	waiting, running := d.arrive("Waiting"), d.arrive("Running")
	d.set("pa", running.ID, "approved", to("consultant"))
	exec(t, d.owner, `UPDATE visits SET office_day = office_day - 1, created_at = created_at - interval '1 day'`)
	exec(t, d.owner, `UPDATE day_counter SET day = day - 1`)
	if today := d.as("reception", http.MethodGet, "/api/visits/today", ""); len(today.Visits) != 0 {
		t.Errorf("reception's today has yesterday's: %s", today.text)
	}
	pending := d.as("pa", http.MethodGet, "/api/visits/pending-approval", "")
	if len(pending.Visits) != 1 || pending.Visits[0].ID != waiting.ID || pending.Visits[0].Phone != "98******10" {
		t.Errorf("pending is %s", pending.text)
	}
	own := d.as("consultant", http.MethodGet, "/api/visits/today", "")
	if len(own.Visits) != 1 || own.Visits[0].ID != running.ID {
		t.Errorf("the consultant's list is %s", own.text)
	}
	if next := d.arrive("Next morning"); next.Token != "T-001" {
		t.Errorf("the new day begins with %s", next.Token)
	}
}

// A session that a consultant completes today is in the consultant's list and can be reopened, whatever the visit's
// day.
func TestASessionOfTodayStaysWithItsConsultantAndIsReopened(t *testing.T) {
	d := newDesk(t)
	carried, past := d.arrive("Carried"), d.arrive("Past")
	for _, v := range []*visitBody{carried, past} {
		d.set("pa", v.ID, "approved", to("consultant"))
		d.must("start", d.set("consultant", v.ID, "in-session"), "in-session")
		d.must("complete", d.set("consultant", v.ID, "completed"), "completed")
	}
	exec(t, d.owner, `UPDATE visits SET office_day = office_day - 1, created_at = created_at - interval '1 day'`)
	exec(t, d.owner, `UPDATE visits SET completed_at = completed_at - interval '1 day' WHERE id = $1`, past.ID)
	own := d.as("consultant", http.MethodGet, "/api/visits/today", "")
	if len(own.Visits) != 1 || own.Visits[0].ID != carried.ID {
		t.Errorf("the consultant's list is %s", own.text)
	}
	d.must("reopen", d.act("consultant", carried.ID, "reopen", `{}`), "waiting")
	if got := d.act("consultant", past.ID, "reopen", `{}`); got.Code != "illegal_action" {
		t.Errorf("a session of yesterday is opened again: %d %s", got.status, got.text)
	}
}

// A visit of an earlier day that ended today, in whatever way, is among the ended visits of the line's response, and
// can be reopened.
func TestAVisitOfAnEarlierDayThatEndedTodayIsListed(t *testing.T) {
	d := newDesk(t)
	ends := map[string]func(id string){
		"Left":      func(id string) { d.must("leave", d.act("reception", id, "leave", `{}`), "left") },
		"Cancelled": func(id string) { d.must("cancel", d.act("pa", id, "cancel", `{}`), "cancelled") },
		"Denied":    func(id string) { d.must("deny", d.set("pa", id, "denied"), "denied") },
		"Completed": func(id string) {
			d.set("pa", id, "approved", to("consultant"))
			d.must("start", d.set("consultant", id, "in-session"), "in-session")
			d.must("complete", d.set("consultant", id, "completed"), "completed")
		},
	}
	visits := map[string]string{"Of today": d.arrive("Of today").ID, "Ended yesterday": d.arrive("Ended yesterday").ID}
	for name := range ends {
		visits[name] = d.arrive(name).ID
	}
	ends["Left"](visits["Ended yesterday"])
	exec(t, d.owner, `UPDATE visits SET office_day = office_day - 1, created_at = created_at - interval '1 day',
		ended_at = ended_at - interval '1 day' WHERE name <> 'Of today'`)
	ends["Left"](visits["Of today"])
	for name, end := range ends {
		end(visits[name])
	}
	ended := func(person string) (names []string) {
		var answer struct{ Ended []visitBody }
		got := d.as(person, http.MethodGet, "/api/visits/line", "")
		if err := json.Unmarshal([]byte(got.text), &answer, json.MatchCaseInsensitiveNames(true)); err != nil {
			t.Fatal(err)
		}
		for _, v := range answer.Ended {
			names = append(names, v.Name)
		}
		slices.Sort(names)
		return names
	}
	for person, want := range map[string][]string{
		"reception": slices.Sorted(maps.Keys(ends)), "pa": slices.Sorted(maps.Keys(ends)),
		"admin": slices.Sorted(maps.Keys(ends)), "consultant": nil,
	} {
		if got := ended(person); !slices.Equal(got, want) {
			t.Errorf("%s has %v, want %v", person, got, want)
		}
	}
	for name := range ends {
		if got := d.act("pa", visits[name], "reopen", `{}`); got.status != http.StatusOK {
			t.Errorf("%s: reopening answered %d %s", name, got.status, got.text)
		}
	}
	if got := ended("pa"); len(got) != 0 {
		t.Errorf("after they were opened again there are %v", got)
	}
}

// A visit of an earlier day that was put into today's line is in the line with its own day, and reception gets it as
// carried over. Any other waiting visit of an earlier day is left over.
func TestAVisitOfAnEarlierDayStandsInTheLineOrIsLeftOver(t *testing.T) {
	d := newDesk(t)
	carried, left := d.lined("Put back"), d.lined("Left over")
	exec(t, d.owner, `UPDATE visits SET office_day = office_day - 1`)
	exec(t, d.owner, `UPDATE visits SET rank_at = rank_at - interval '1 day' WHERE id = $1`, left.ID)
	got := d.as("reception", http.MethodGet, "/api/visits/line", "")
	var answer struct {
		Line              []struct{ VisitID, Day string }
		LeftOver, Carried []visitBody
	}
	if err := json.Unmarshal([]byte(got.text), &answer, json.MatchCaseInsensitiveNames(true)); err != nil {
		t.Fatal(err)
	}
	if len(answer.Line) != 1 || answer.Line[0].VisitID != carried.ID || answer.Line[0].Day >= carried.Day {
		t.Errorf("the line is %+v", answer.Line)
	}
	if len(answer.Carried) != 1 || answer.Carried[0].ID != carried.ID {
		t.Errorf("carried are %+v", answer.Carried)
	}
	if len(answer.LeftOver) != 1 || answer.LeftOver[0].ID != left.ID {
		t.Errorf("left over are %+v", answer.LeftOver)
	}
	own := d.as("consultant", http.MethodGet, "/api/visits/line", "")
	if !strings.Contains(own.text, `"carried":[]`) {
		t.Errorf("a consultant's answer is %s", own.text)
	}
}

func TestEachErrorOfTheAPI(t *testing.T) {
	d := newDesk(t)
	v := d.arrive("Asha")
	check := func(what string, got answer, status int, code, sentence string) {
		t.Helper()
		if got.status != status || got.Code != code || (sentence != "" && got.Error != sentence) {
			t.Errorf("%s answered %d %s", what, got.status, got.text)
		}
	}
	check("approving without a consultant", d.set("pa", v.ID, "approved"), 400, "validation", "")
	check(
		"approving for an unknown consultant",
		d.set("pa", v.ID, "approved", to("unknown")),
		422,
		"consultant_unavailable",
		"This consultant is not available.",
	)
	check("reception deciding", d.set("reception", v.ID, "denied"), 403, "forbidden", "")
	check("a consultant deciding", d.set("consultant", v.ID, "denied"), 403, "forbidden", "")
	check("a PA starting", d.set("pa", v.ID, "in-session"), 403, "forbidden", "")
	check("an unknown status", d.set("pa", v.ID, "finished"), 400, "validation", "")
	check("the status new", d.set("pa", v.ID, "new"), 400, "validation", "")
	check(
		"an unknown visit",
		d.set("pa", "01890000-0000-7000-8000-00000000abcd", "denied"),
		404,
		"not_found",
		"This record does not exist.",
	)
	check("an id that is none", d.set("pa", "7", "denied"), 404, "not_found", "")
	check(
		"an admin starting what is new",
		d.set("admin", v.ID, "in-session"),
		409,
		"illegal_transition",
		"Cannot change status from new to in-session",
	)
	check("a stale version", d.set("pa", v.ID, "denied", `"version":7`), 412, "stale_version", "")
	check(
		"a stale If-Match",
		d.as("pa", http.MethodPut, "/api/visits/"+v.ID+"/status", `{"status":"denied"}`, "If-Match", `"7"`),
		412,
		"stale_version",
		"",
	)
	d.set("pa", v.ID, "approved", to("consultant"))
	check("a second decision", d.set("pa2", v.ID, "denied"), 409, "visit_already_decided", "Visit is already approved")
	check(
		"another's visit",
		d.set("consultant2", v.ID, "in-session"),
		403,
		"not_assigned",
		"This visitor is assigned to another consultant.",
	)
	second := d.arrive("Second")
	d.set("pa", second.ID, "approved", to("consultant"))
	d.set("consultant", v.ID, "in-session")
	check(
		"a second session",
		d.set("consultant", second.ID, "in-session"),
		409,
		"session_active",
		"You already have an active session",
	)
	check("no session", d.as("", http.MethodGet, "/api/visits/today", ""), 401, "unauthorized", "Unauthorized access")
	check(
		"lists for the wrong role",
		d.as("reception", http.MethodGet, "/api/visits/pending-approval", ""),
		403,
		"forbidden",
		"",
	)
	if n := count(t, d, `SELECT count(*) FROM outbox`); n != 5 {
		t.Errorf("rejected requests published events: %d events", n)
	}
}

// If a user repeats their own change, the response has the visit unchanged, and no event is published.
func TestARetryChangesNothing(t *testing.T) {
	d := newDesk(t)
	v := d.arrive("Asha")
	first := d.set("pa", v.ID, "approved", to("consultant"))
	again := d.set("pa", v.ID, "approved", to("consultant"))
	if again.status != http.StatusOK || again.Visit.Version != first.Visit.Version {
		t.Errorf("the retry answered %d %s", again.status, again.text)
	}
	if n := count(t, d, `SELECT count(*) FROM outbox`); n != 2 {
		t.Errorf("%d events, want 2", n)
	}
}

func TestAnIDWhoseEventHasNotArrivedIsRequestedFromDirectory(t *testing.T) {
	d := newDesk(t)
	body := fmt.Sprintf(`{"name":"Asha","phone":"9876543210","service_id":%q}`, lateService)
	a := d.as("reception", http.MethodPost, "/api/visits", body)
	if a.status != http.StatusCreated || a.Visit.Service.Name != "Trust Registration" {
		t.Fatalf("registering answered %d %s", a.status, a.text)
	}
	approved := d.set("pa", a.Visit.ID, "approved", fmt.Sprintf(`"assigned_consultant_id":%q`, lateConsultant))
	if approved.status != http.StatusOK || *approved.Visit.AssignedConsultant != "The late" {
		t.Errorf("approving answered %d %s", approved.status, approved.text)
	}
	gone := d.as(
		"reception",
		http.MethodPost,
		"/api/visits",
		`{"name":"Asha","phone":"9876543210","service_id":"01890000-0000-7000-8000-00000000dead"}`,
	)
	if gone.status != http.StatusUnprocessableEntity || gone.Code != "service_unknown" {
		t.Errorf("an unknown service answered %d %s", gone.status, gone.text)
	}
}

// A user cannot find all visitors by trying phone numbers: after thirty lookups, one is allowed every two seconds. A
// metric has the largest number of lookups by one user in the last 24 hours.
func TestLookupsOfAPersonAreLimitedAndCounted(t *testing.T) {
	d := newDesk(t)
	d.limiter = limit.New(testkit.NewRedis(t).Client, "visits")
	d.table = d.tableOf(d.service)
	look := func(role string) int {
		return d.as(role, http.MethodPost, "/api/visits/lookup", `{"phone":"9876543210"}`).status
	}
	allowed, began := 0, time.Now()
	for range 300 {
		if look("reception") == http.StatusTooManyRequests {
			break
		}
		allowed++
	}
	if most := 31 + int(time.Since(began)/(2*time.Second)); allowed < 30 || allowed > most {
		t.Errorf("%d lookups were allowed, want 30 and at most %d", allowed, most)
	}
	if status := look("admin"); status != http.StatusOK {
		t.Errorf("another person's lookup is answered %d", status)
	}
	exec(t, d.owner, `
INSERT INTO access_log (at, user_id, role, call, visit_ids)
SELECT now() - interval '25 hours', 'admin', 'admin', 'lookup', '{}' FROM generate_series(1, 900)`)
	registry := d.registry
	want := fmt.Sprintf(`
# HELP baari_lookups_day_max Most lookups of phone numbers by one person in the last 24 hours.
# TYPE baari_lookups_day_max gauge
baari_lookups_day_max %d
`, allowed)
	testkit.Eventually(t, "the metric has the lookups of reception", func() bool {
		return testutil.GatherAndCompare(registry, strings.NewReader(want), "baari_lookups_day_max") == nil
	})
}

func TestALookupFindsAReturningVisitorAndIsRecorded(t *testing.T) {
	d := newDesk(t)
	a := d.as("reception", http.MethodPost, "/api/visits/lookup", `{"phone":"9876543210"}`)
	if !strings.Contains(a.text, `"visitor":null`) {
		t.Errorf("a new visitor is %s", a.text)
	}
	d.arrive("Asha")
	d.arrive("Asha Rao")
	a = d.as("reception", http.MethodPost, "/api/visits/lookup", `{"phone":"9876543210"}`)
	if !strings.Contains(a.text, `"name":"Asha Rao"`) || !strings.Contains(a.text, `"visits":2`) {
		t.Errorf("the visitor is %s", a.text)
	}
	if n := count(
		t, d, `SELECT count(*) FROM access_log WHERE user_id = $1 AND call = 'lookup'`, testkit.ID("reception"),
	); n != 2 {
		t.Errorf("%d lookups recorded, want 2", n)
	}
}
