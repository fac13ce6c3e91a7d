package visits_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/google/uuid"

	"baari.dev/services/contract"
	"baari.dev/services/visits"
)

// These tests check the results for visits that a paired desk sends, and where a second token is shown.

// mergeOne registers a visitor online, sends the paired desk's slip of the same registration, and returns the id of the
// merged visit.
func mergeOne(t *testing.T, d *desk, today string, n int) string {
	t.Helper()
	note := noteOf("A", n)
	d.as("reception", http.MethodPost, "/api/visits", d.visitor(note.name), "Idempotency-Key", note.key)
	done, a := d.send(t, "reception", "A", today, note)
	if len(done) != 1 || done[0].State != "merged" {
		t.Fatalf("the visit was decided as %s", a.text)
	}
	return done[0].Visit.ID
}

// The visitor's paper may have either token, so every list shows both.
func TestBothTokensOfAVisitorAreShown(t *testing.T) {
	d := newDesk(t)
	pairDesks(d)
	d.people.SignIn("display", contract.RoleDisplay)
	today := d.lease(t, "A", 0).Days[0].Day
	id := mergeOne(t, d, today, 7)
	d.set("pa", id, "approved", `"line":true`)
	for range 3 {
		d.lined("Asha")
	}
	if b, text := d.board("display"); !slices.Equal(b.Next, []string{"T-001", "A-007", "T-002", "T-003"}) {
		t.Errorf("next are %s", text)
	}
	shows := func(where, person, path string) {
		t.Helper()
		got := d.as(person, http.MethodGet, path, "").text
		if !strings.Contains(got, `"token":"T-001"`) || strings.Count(got, `"tokenAlso":"A-007"`) != 1 {
			t.Errorf("%s: %s", where, got)
		}
	}
	shows("today's list", "reception", "/api/visits/today")
	shows("the line", "pa", "/api/visits/line")
	shows("the consultant's line", "consultant", "/api/visits/line")
	called := d.next("consultant")
	if called.Visit == nil || called.Visit.ID != id || !strings.Contains(called.text, `"tokenAlso":"A-007"`) {
		t.Errorf("the call answered %s", called.text)
	}
	shows("the board's calls", "display", "/api/visits/board")
	shows("the desks", "pa", "/api/visits/desks")
	d.set("consultant", id, "in-session")
	var b struct {
		Calls, Serving []struct{ Token, TokenAlso string }
	}
	got := d.as("display", http.MethodGet, "/api/visits/board", "").text
	if err := json.Unmarshal([]byte(got), &b, json.MatchCaseInsensitiveNames(true)); err != nil {
		t.Fatal(err)
	}
	if len(b.Serving) != 1 || b.Serving[0].TokenAlso != "A-007" || b.Calls[0].TokenAlso != "A-007" {
		t.Errorf("in session the board has %s", got)
	}
}

// The board has four places for the next tokens. It never shows only one of a visitor's two tokens there.
func TestTheBoardHasBothTokensOfTheNextOrNone(t *testing.T) {
	d := newDesk(t)
	pairDesks(d)
	d.people.SignIn("display", contract.RoleDisplay)
	today := d.lease(t, "A", 0).Days[0].Day
	for range 3 {
		d.lined("Asha")
	}
	d.set("pa", mergeOne(t, d, today, 1), "approved", `"line":true`)
	if b, text := d.board("display"); !slices.Equal(b.Next, []string{"T-001", "T-002", "T-003"}) {
		t.Errorf("next are %s", text)
	}
}

// The key of a registration is kept as long as a paired desk may send it, so that no repetition creates a second visit.
func TestARegistrationIsFoundForAsLongAsADeskMaySendIt(t *testing.T) {
	d := newDesk(t)
	pairDesks(d)
	today := d.lease(t, "A", 0).Days[0].Day
	register := func() answer {
		return d.as("reception", http.MethodPost, "/api/visits", d.visitor("A 1"), "Idempotency-Key", "key-of-A-001")
	}
	first := register()
	exec(t, d.owner, `UPDATE idempotency SET created_at = created_at - interval '30 days 23 hours'`)
	d.forgetKeys(t)
	if again := register(); again.Visit.ID != first.Visit.ID {
		t.Errorf("a retry 30 days later is answered %s", again.text)
	}
	done, _ := d.send(t, "reception", "A", today, noteOf("A", 1))
	wantStates(t, done, "T-001 merged")
	exec(t, d.owner, `UPDATE idempotency SET created_at = created_at - interval '2 hours'`)
	d.forgetKeys(t)
	if again := register(); again.status != http.StatusCreated || again.Visit.ID == first.Visit.ID {
		t.Errorf("31 days later it is answered %s", again.text)
	}
	done, _ = d.send(t, "reception", "A", today, noteOf("A", 1))
	wantStates(t, done, "T-001 known")
}

func (d *desk) forgetKeys(t *testing.T) {
	t.Helper()
	if err := visits.KeyLives.Delete(t.Context(), d.db.Pool); err != nil {
		t.Fatal(err)
	}
}

// If the office does not have the service, the visit has the name that was printed, and the PA sees that the service is
// gone.
func TestAnUnknownServiceKeepsThePrintedName(t *testing.T) {
	d := newDesk(t)
	pairDesks(d)
	today := d.lease(t, "A", 0).Days[0].Day
	d.offered = uuid.NewString()
	done, _ := d.send(t, "reception", "A", today, noteOf("A", 1))
	wantStates(t, done, "A-001 created")
	if v := done[0].Visit; v.Service.ID != d.offered || v.Service.Name != "ITR Filing" {
		t.Errorf("registered for %+v", v.Service)
	}
	if got := d.as("pa", http.MethodGet, "/api/visits/today", "").text; !strings.Contains(got, `"serviceGone":true`) {
		t.Errorf("the PA's list is %s", got)
	}
	if n := count(t, d, `SELECT count(*) FROM outbox WHERE type = 'visit_created'
		AND after->>'serviceGone' = 'true'`); n != 1 {
		t.Errorf("%d events say that the service is gone", n)
	}
}

// A visit that was noted on an earlier day is stored for that day and listed as left over.
func TestAVisitOfADayThatIsOverIsLeftOver(t *testing.T) {
	d := newDesk(t)
	pairDesks(d)
	d.lease(t, "A", 0)
	exec(t, d.owner, `INSERT INTO desk_leases SELECT device_id, day - 1 FROM desk_leases ON CONFLICT DO NOTHING`)
	exec(t, d.owner, `UPDATE offline_desks SET contact_at = contact_at - interval '3 days'`)
	var yesterday string
	row := d.db.Pool.QueryRow(t.Context(), `SELECT ((now() AT TIME ZONE 'Asia/Kolkata')::date - 1)::text`)
	if err := row.Scan(&yesterday); err != nil {
		t.Fatal(err)
	}
	done, _ := d.send(t, "reception", "A", yesterday, noteOf("A", 1))
	wantStates(t, done, "A-001 created")
	var got struct{ LeftOver []struct{ Token, Day string } }
	line := d.as("pa", http.MethodGet, "/api/visits/line", "").text
	if err := json.Unmarshal([]byte(line), &got, json.MatchCaseInsensitiveNames(true)); err != nil {
		t.Fatal(err)
	}
	if len(got.LeftOver) != 1 || got.LeftOver[0].Token != "A-001" || got.LeftOver[0].Day != yesterday {
		t.Errorf("left over: %s", line)
	}
}

// Reception and admins at the desk can send the noted visits; other roles and signed-out users cannot.
func TestWhoMaySendForADesk(t *testing.T) {
	d := newDesk(t)
	pairDesks(d)
	today := d.lease(t, "A", 0).Days[0].Day
	for person, status := range map[string]int{
		"": http.StatusUnauthorized, "pa": http.StatusForbidden, "consultant": http.StatusForbidden,
	} {
		if _, a := d.send(t, person, "A", today, noteOf("A", 1)); a.status != status {
			t.Errorf("%q sent and got %d %s", person, a.status, a.text)
		}
		a := d.as(person, http.MethodPost, "/api/visits/offline/lease", `{"unsent":0}`, "Baari-Device", "device-A")
		if a.status != status {
			t.Errorf("%q leased and got %d %s", person, a.status, a.text)
		}
	}
	done, _ := d.send(t, "admin", "A", today, noteOf("A", 1))
	wantStates(t, done, "A-001 created")
	done, _ = d.send(t, "reception2", "A", today, noteOf("A", 2))
	wantStates(t, done, "A-002 created")
}

// A visitor who already has a token today can get another one at an offline desk, as at a desk that is online.
func TestAPhoneMayHaveTwoTokens(t *testing.T) {
	d := newDesk(t)
	pairDesks(d)
	today := d.lease(t, "A", 0).Days[0].Day
	d.as("reception", http.MethodPost, "/api/visits", d.visitor("Asha"))
	done, _ := d.send(t, "reception", "A", today, noteOf("A", 1), noteOf("A", 2))
	wantStates(t, done, "A-001 created, A-002 created")
	if n := count(t, d, `SELECT count(DISTINCT phone) FROM visits`); n != 1 {
		t.Errorf("%d phones", n)
	}
}

// At each contact a paired desk receives the ids of erased visits whose data it may still have, and no other ids.
func TestADeskHearsWhatWasErased(t *testing.T) {
	d := newDesk(t)
	pairDesks(d)
	today := d.lease(t, "A", 0)
	if today.Erased == nil || len(today.Erased) != 0 {
		t.Errorf("before an erasure: %v", today.Erased)
	}
	online := d.arrive("Asha")
	done, _ := d.send(t, "reception", "A", today.Days[0].Day, noteOf("A", 1))
	old := d.arrive("Asha")
	visitor := strings.Replace(d.visitor("Ravi"), "9876543210", "9811111111", 1)
	other := d.as("reception", http.MethodPost, "/api/visits", visitor)
	exec(t, d.owner, `UPDATE visits SET office_day = office_day - 8 WHERE id = $1`, old.ID)
	status, _, text := d.asService(
		contract.CallerOperator, http.MethodPost, "/internal/subject/erase", `{"phone":"9876543210"}`,
	)
	if status != 200 {
		t.Fatalf("the erasure answered %d %s", status, text)
	}
	want := []string{online.ID, done[0].Visit.ID}
	slices.Sort(want)
	if got := d.lease(t, "B", 1).Erased; !slices.Equal(got, want) || slices.Contains(got, other.Visit.ID) {
		t.Errorf("the desk hears %v, want %v", got, want)
	}
}

// The access log has the readers of a paired desk's visit, even if they have already read the visit of the series T
// with the same number.
func TestReadingAVisitOfADeskIsLogged(t *testing.T) {
	d := newDesk(t)
	pairDesks(d)
	today := d.lease(t, "A", 0).Days[0].Day
	d.arrive("Asha")
	read := func() { d.as("pa", http.MethodGet, "/api/visits/today", "") }
	read()
	done, _ := d.send(t, "reception", "A", today, noteOf("A", 1))
	read()
	read()
	if n := count(t, d, `SELECT count(*) FROM access_log WHERE role = 'pa' AND visit_ids @> ARRAY[$1::uuid]`,
		done[0].Visit.ID); n != 1 {
		t.Errorf("the visit of the desk is in %d entries", n)
	}
	if n := count(t, d, `SELECT count(*) FROM access_log WHERE role = 'pa'`); n != 2 {
		t.Errorf("%d entries of two visits", n)
	}
}

// If the papers are changed after the paired desk has sent the visit, a repetition with the noted papers does not
// change them back.
func TestPapersOfADesksVisitAreChangedLater(t *testing.T) {
	d := newDesk(t)
	pairDesks(d)
	today := d.lease(t, "A", 0).Days[0].Day
	n := noteOf("A", 1)
	n.more = `,"documents":[` + panMissing + `]`
	done, _ := d.send(t, "reception", "A", today, n)
	id := done[0].Visit.ID
	changed, a := d.papers("reception2", id, `[`+form16Along+`]`, `"1"`)
	if a.status != http.StatusOK || changed.Version != 2 {
		t.Fatalf("the change answered %d %s", a.status, a.text)
	}
	done, _ = d.send(t, "reception", "A", today, n)
	wantStates(t, done, "A-001 known")
	if got, _ := d.papers("pa", id); len(got.Documents) != 1 || got.Documents[0].Label != "Form 16" || got.Version != 2 {
		t.Errorf("the papers are %+v", got)
	}
	if n := count(t, d, `SELECT count(*) FROM outbox WHERE type LIKE 'visit_documents_%'
		AND after->>'token' = 'A-001' AND entity_id = $1`, id); n != 2 {
		t.Errorf("%d events of the papers", n)
	}
}

// If a paired desk notes papers after it has sent the visit but before the response, it sends the visit again, and the
// papers are stored.
func TestPapersNotedWhileAVisitIsSentAreTaken(t *testing.T) {
	d := newDesk(t)
	pairDesks(d)
	today := d.lease(t, "A", 0).Days[0].Day
	none, some := noteOf("A", 1), noteOf("A", 2)
	some.more = `,"documents":[` + panMissing + `]`
	done, _ := d.send(t, "reception", "A", today, none, some)
	wantStates(t, done, "A-001 created, A-002 created")
	none.more, some.more = `,"documents":[`+form16Along+`]`, `,"documents":[`+form16Along+`]`
	for range 2 {
		again, _ := d.send(t, "reception", "A", today, none, some)
		wantStates(t, again, "A-001 known, A-002 known")
	}
	for i, version := range []int64{1, 2} {
		got, _ := d.papers("pa", done[i].Visit.ID)
		if len(got.Documents) != 1 || got.Documents[0].Label != "Form 16" || got.Version != version {
			t.Errorf("the papers of visit %d are %+v", i+1, got)
		}
	}
}

// A registration without a response becomes a slip on which reception can note papers. The merged visit has these
// papers.
func TestPapersNotedOnASlipAreThoseOfTheMergedVisit(t *testing.T) {
	d := newDesk(t)
	pairDesks(d)
	today := d.lease(t, "A", 0).Days[0].Day
	d.as("reception", http.MethodPost, "/api/visits", d.visitor("A 1"), "Idempotency-Key", "key-of-A-001")
	slip := noteOf("A", 1)
	slip.more = `,"documents":[` + form16Along + `]`
	done, _ := d.send(t, "reception", "A", today, slip)
	wantStates(t, done, "T-001 merged")
	if got, _ := d.papers("pa", done[0].Visit.ID); len(got.Documents) != 1 || got.Documents[0].Label != "Form 16" {
		t.Errorf("the papers are %+v", got)
	}
}

func TestPapersOfAMergedVisitAreChangedLater(t *testing.T) {
	d := newDesk(t)
	pairDesks(d)
	today := d.lease(t, "A", 0).Days[0].Day
	online := strings.TrimSuffix(d.visitor("A 1"), "}") + `,"documents":[` + panMissing + `]}`
	d.as("reception", http.MethodPost, "/api/visits", online, "Idempotency-Key", "key-of-A-001")
	n := noteOf("A", 1)
	n.more = `,"documents":[` + panMissing + `]`
	done, _ := d.send(t, "reception", "A", today, n)
	wantStates(t, done, "T-001 merged")
	got, a := d.papers("reception", done[0].Visit.ID, `[`+form16Along+`]`, `"1"`)
	if a.status != http.StatusOK || len(got.Documents) != 1 || got.Documents[0].Label != "Form 16" {
		t.Errorf("the change answered %d %s", a.status, a.text)
	}
}

func TestADeskThatIsDeletedWhileItSendsHasNoLease(t *testing.T) {
	d := newDesk(t)
	pairDesks(d)
	today := d.lease(t, "A", 0).Days[0].Day
	// The trigger deletes the paired desk after its lease is read and before the visit is stored.
	exec(t, d.owner, `
ALTER TABLE desk_people DROP CONSTRAINT desk_people_device_id_fkey;
CREATE FUNCTION forget() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$ BEGIN
  DELETE FROM desk_contacts; DELETE FROM desk_leases; DELETE FROM offline_desks; RETURN NEW; END $$;
CREATE TRIGGER forget BEFORE UPDATE ON desk_people FOR EACH ROW EXECUTE FUNCTION forget()`)
	_, a := d.send(t, "reception", "A", today, noteOf("A", 1))
	if a.status != http.StatusUnprocessableEntity || a.Code != "no_lease" {
		t.Errorf("it answered %d %s", a.status, a.text)
	}
	if n := count(t, d, `SELECT count(*) FROM visits`) + count(t, d, `SELECT count(*) FROM outbox`); n != 0 {
		t.Errorf("%d visits and events are stored", n)
	}
}
