package visits_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"baari.dev/services/platform/testkit"
)

type batchResult struct {
	ID    string
	Visit *visitBody
	Error *struct {
		Code, Error string
		Params      map[string]any
	}
}

func (r batchResult) code() string {
	if r.Error == nil {
		return ""
	}
	return r.Error.Code
}

// batch sends a request for several visits. fields are the other members of the body, besides action and visits.
func (d *desk) batch(person, key, action, fields string, ids ...string) answer {
	d.t.Helper()
	var visits []string
	for _, id := range ids {
		visits = append(visits, fmt.Sprintf(`{"id":%q}`, id))
	}
	body := fmt.Sprintf(`{"action":%q,%s"visits":[%s]}`, action, fields, strings.Join(visits, ","))
	return d.as(person, http.MethodPost, "/api/visits/batch", body, "Idempotency-Key", key)
}

func (d *desk) codes(a answer) (codes []string) {
	d.t.Helper()
	if a.status != http.StatusOK {
		d.t.Fatalf("the batch answered %d %s", a.status, a.text)
	}
	for _, r := range a.Results {
		codes = append(codes, r.code())
	}
	return codes
}

func (d *desk) arrivals(n int) (ids []string) {
	d.t.Helper()
	for i := range n {
		ids = append(ids, d.arrive(fmt.Sprint("Visitor ", i)).ID)
	}
	return ids
}

const eventsOf = `SELECT count(*) FROM outbox WHERE type = $1`

// Each visit of a batch has its own event and result, in the order of the request. A repetition changes nothing.
func TestABatchActsOnEachVisit(t *testing.T) {
	d := newDesk(t)
	ids := d.arrivals(5)
	slices.Reverse(ids)
	first := d.batch("pa", "batch-00001", "approve", `"line":true,"notes":"Papers seen",`, ids...)
	for i, r := range first.Results {
		if r.Error != nil || r.ID != ids[i] || r.Visit.ID != ids[i] || r.Visit.Queue.Stage != "waiting" ||
			r.Visit.PANotes != "Papers seen" || r.Visit.Queue.Pinned || r.Visit.Queue.Undo == nil {
			t.Errorf("%d: %+v", i, r)
		}
	}
	again := d.batch("pa", "batch-00001", "approve", `"line":true,"notes":"Papers seen",`, ids...)
	if again.text != first.text || again.header.Get("Idempotency-Replayed") != "true" ||
		first.header.Get("Idempotency-Replayed") != "" {
		t.Errorf("repeated: %s\n%s", again.text, first.text)
	}
	if n := count(t, d, eventsOf, "visit_approved"); n != 5 {
		t.Errorf("%d events of 5 approvals", n)
	}
	d.rejects("the key for another body", d.batch("pa", "batch-00001", "leave", "", ids...),
		http.StatusUnprocessableEntity, "key_reused")

	held := d.batch("pa", "batch-00002", "hold", `"reason":"papers","note":"Form 16",`, ids[:2]...)
	if got := d.codes(held); !slices.Equal(got, []string{"", ""}) || held.Results[1].Visit.Queue.Stage != "held" {
		t.Errorf("hold: %v %s", got, held.text)
	}
	for i, step := range []struct{ action, stage string }{{"undo", "waiting"}, {"leave", "left"}, {"undo", "waiting"},
		{"cancel", "cancelled"}} {
		got := d.batch("pa", fmt.Sprint("batch-1000", i), step.action, "", ids[:2]...)
		if codes := d.codes(got); !slices.Equal(codes, []string{"", ""}) || got.Results[0].Visit.Queue.Stage != step.stage {
			t.Errorf("%s: %v %s", step.action, codes, got.text)
		}
	}
}

// A visit that is refused does not stop the others. A repetition gets the same refusals, even if the visits have
// changed since.
func TestARefusalInABatchConcernsOneVisit(t *testing.T) {
	d := newDesk(t)
	ids := d.arrivals(4)
	d.set("pa2", ids[1], "denied")
	unknown := "01890000-0000-7000-8000-00000000dead"
	body := fmt.Sprintf(`{"action":"approve","assigned_consultant_id":%q,"visits":[
		{"id":%q,"version":1},{"id":%q},{"id":%q},{"id":%q,"version":9},{"id":%q}]}`,
		testkit.ID("consultant"), ids[0], ids[1], unknown, ids[2], ids[3])
	send := func() answer {
		return d.as("pa", http.MethodPost, "/api/visits/batch", body, "Idempotency-Key", "batch-00001")
	}
	want := []string{"", "visit_already_decided", "not_found", "stale_version", ""}
	first := send()
	if got := d.codes(first); !slices.Equal(got, want) {
		t.Errorf("the results are %v, want %v", got, want)
	}
	if got := first.Results[1].Error; got.Params["status"] != "denied" || got.Error != "Visit is already denied" {
		t.Errorf("the refusal is %+v", got)
	}
	d.must("reopen", d.act("admin", ids[1], "reopen", `{}`), "new")
	if again := send(); again.text != first.text {
		t.Errorf("repeated: %s\n%s", again.text, first.text)
	}
	if n := count(t, d, eventsOf, "visit_approved"); n != 2 {
		t.Errorf("%d events of 2 approvals", n)
	}
}

// A visit that another transaction has locked is refused as busy, and the others are changed. A repetition of the
// request changes the busy visit.
func TestABusyVisitDoesNotHideTheResultsOfItsBatch(t *testing.T) {
	for action, fields := range map[string]string{"approve": `"line":true,`, "leave": ""} {
		t.Run(action, func(t *testing.T) {
			d := newDesk(t)
			ids := d.arrivals(6)
			exec(t, d.owner, `BEGIN`)
			exec(t, d.owner, `SELECT FROM visits WHERE id = $1 FOR UPDATE`, ids[2])
			first := d.batch("pa", "batch-00001", action, fields, ids...)
			exec(t, d.owner, `COMMIT`)
			want := []string{"", "", "busy", "", "", ""}
			if got := d.codes(first); !slices.Equal(got, want) {
				t.Errorf("beside a busy visit: %v, want %v", got, want)
			}
			again := d.batch("pa", "batch-00001", action, fields, ids...)
			if got := d.codes(again); !slices.Equal(got, make([]string, 6)) {
				t.Errorf("repeated: %v", got)
			}
			for i, r := range again.Results {
				if i != 2 && r.Visit.Version != first.Results[i].Visit.Version {
					t.Errorf("%d was changed again: %+v", i, r.Visit)
				}
			}
			kind := map[string]string{"approve": "visit_approved", "leave": "visit_left"}[action]
			if n := count(t, d, eventsOf, kind); n != 6 {
				t.Errorf("%d events for 6 visits", n)
			}
		})
	}
}

// A request is rejected as a whole if the role may never take the action. Otherwise the role is checked for each visit.
func TestABatchHasTheRolesOfItsAction(t *testing.T) {
	d := newDesk(t)
	mine, others := d.arrive("Mine").ID, d.arrive("Others").ID
	d.set("pa", mine, "approved", to("consultant"))
	d.set("pa", others, "approved", to("consultant2"))
	got := d.codes(d.batch("consultant", "batch-00001", "leave", "", mine, others))
	if !slices.Equal(got, []string{"", "not_assigned"}) {
		t.Errorf("a consultant's batch: %v", got)
	}
	foreign := d.arrive("Another's").ID
	exec(t, d.owner, `UPDATE visits SET created_by = 'someone' WHERE id = $1`, foreign)
	got = d.codes(d.batch("reception", "batch-00002", "cancel", "", foreign, d.arrive("Own").ID))
	if !slices.Equal(got, []string{"forbidden", ""}) {
		t.Errorf("reception's batch: %v", got)
	}
	for _, c := range []struct{ person, action string }{{"reception", "approve"}, {"consultant", "approve"},
		{"consultant", "cancel"}} {
		refused := d.as(c.person, http.MethodPost, "/api/visits/batch", fmt.Sprintf(`{"action":%q}`, c.action))
		d.rejects(c.person+" "+c.action, refused, http.StatusForbidden, "forbidden")
	}
}

func TestInvalidBatchesChangeNothing(t *testing.T) {
	d := newDesk(t)
	d.unchecked = true
	ids := d.arrivals(2)
	one, two := fmt.Sprintf(`{"id":%q}`, ids[0]), fmt.Sprintf(`{"id":%q}`, ids[1])
	many := strings.Repeat(one+",", 50) + two
	for body, field := range map[string]string{
		`{"action":"deny","visits":[` + one + `]}`:                                             "action",
		`{"action":7,"visits":[` + one + `]}`:                                                  "action",
		`{"action":"approve","visits":[` + one + `]}`:                                          "assigned_consultant_id",
		`{"action":"approve","line":true,"assigned_consultant_id":"c","visits":[` + one + `]}`: "line",
		`{"action":"hold","visits":[` + one + `]}`:                                             "reason",
		`{"action":"hold","reason":"late","visits":[` + one + `]}`:                             "reason",
		`{"action":"leave","visits":[` + one + `,` + two + `,` + one + `]}`:                    "visits",
		`{"action":"leave","visits":[` + many + `]}`:                                           "visits",
		`{"action":"leave","visits":[]}`:                                                       "visits",
		`{"action":"leave"}`:                                                                   "visits",
		`{"action":"leave","visits":"all"}`:                                                    "visits",
		`{"action":"leave","visits":[{"id":"1"}]}`:                                             "visits",
		`{"action":"leave","visits":[{}]}`:                                                     "visits",
		`{"action":"leave","visits":[{"id":"` + ids[0] + `","version":"1"}]}`:                  "visits",
	} {
		got := d.as("pa", http.MethodPost, "/api/visits/batch", body, "Idempotency-Key", "batch-00001")
		if _, named := got.Fields[field]; got.status != http.StatusBadRequest || !named || len(got.Fields) != 1 {
			t.Errorf("%.120s answered %d %s", body, got.status, got.text)
		}
	}
	got := d.as("pa", http.MethodPost, "/api/visits/batch", `{"action":"leave","visits":[`+one+`]}`)
	if _, named := got.Fields["Idempotency-Key"]; got.status != http.StatusBadRequest || !named {
		t.Errorf("without a key: %d %s", got.status, got.text)
	}
	if n := count(t, d, `SELECT count(*) FROM visits WHERE version > 1`); n != 0 {
		t.Errorf("%d visits have changed", n)
	}
}

func TestTheApprovalsOfABatchAreJoined(t *testing.T) {
	d := newDesk(t)
	d.codes(d.batch("pa", "batch-00001", "approve", `"line":true,`, d.arrivals(40)...))
	commits := count(t, d, `SELECT count(DISTINCT xmin::text) FROM visits WHERE stage = 'waiting'`)
	if commits > 20 {
		t.Errorf("%d commits for 40 approvals", commits)
	}
}

// BenchmarkBatchOfTwentyApprovals reports the 95th percentile of the duration of a request.
func BenchmarkBatchOfTwentyApprovals(b *testing.B) {
	d := newDesk(b)
	d.unchecked = true
	var took []time.Duration
	for i := range b.N {
		b.StopTimer()
		ids := d.arrivals(20)
		b.StartTimer()
		begun := time.Now()
		got := d.batch("pa", fmt.Sprint("batch-bench-", i), "approve", `"line":true,`, ids...)
		took = append(took, time.Since(begun))
		if codes := d.codes(got); slices.ContainsFunc(codes, func(code string) bool { return code != "" }) {
			b.Fatal(codes)
		}
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)*95/100].Milliseconds()), "p95-ms")
}
