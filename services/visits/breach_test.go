package visits_test

import (
	"bufio"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"

	"baari.dev/services/contract"
	"baari.dev/services/platform/testkit"
)

type breachLine struct {
	Reader *struct {
		UserID, Call string
		Visits       int
	}
	Visitor *struct {
		Name, Phone string
		Visits      int
		Readers     []string
		Exported    bool
	}
}

// breach requests a report and returns its lines as text: readers, each with what the user did and the number of
// visits, and visitors.
func (d *desk) breach(t *testing.T, question string) (readers, visitors []string) {
	t.Helper()
	w := d.askBreach(t, question)
	if w.Code != http.StatusOK {
		t.Fatalf("answered %d %s", w.Code, w.Body)
	}
	lines := bufio.NewScanner(w.Body)
	for lines.Scan() {
		var line breachLine
		if err := json.Unmarshal(lines.Bytes(), &line, json.MatchCaseInsensitiveNames(true)); err != nil {
			t.Fatalf("%s: %v", lines.Text(), err)
		}
		if r := line.Reader; r != nil {
			readers = append(readers, fmt.Sprint(r.UserID, " ", r.Call, " ", r.Visits))
		} else {
			v := line.Visitor
			text := fmt.Sprint(v.Name, " ", v.Phone, " ", v.Visits, " ", len(v.Readers), " ", v.Exported)
			visitors = append(visitors, text)
		}
	}
	return readers, visitors
}

func (d *desk) askBreach(t *testing.T, question string) *httptest.ResponseRecorder {
	t.Helper()
	token, err := testkit.Keys(contract.CallerOperator).Token(contract.SourceVisits)
	if err != nil {
		t.Fatal(err)
	}
	r := httptest.NewRequest(http.MethodPost, "/internal/breach", strings.NewReader(question))
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Authorization", "Bearer "+token)
	w := httptest.NewRecorder()
	d.internal(t).ServeHTTP(w, r)
	return w
}

// question returns the body of a request for a period. from and to count days from today, in the office's time zone.
func (d *desk) question(t *testing.T, from, to int, more string) string {
	t.Helper()
	var first, last string
	const days = `
SELECT (today + $2::int)::text, (today + $3::int)::text
FROM (SELECT (now() AT TIME ZONE $1)::date AS today) d`
	err := d.db.Pool.QueryRow(t.Context(), days, zone, from, to).Scan(&first, &last)
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf(`{"from":%q,"to":%q%s}`, first, last, more)
}

// The report lists the users who read or handled visits, the visitors concerned, and the visitors of the exported days.
func TestABreachReportListsReadersAndVisitors(t *testing.T) {
	d := newDesk(t)
	d.aDayOfAsha()
	d.as("reception2", http.MethodGet, "/api/visits/today", "")
	old := d.arrive("Meena")
	exec(
		t,
		d.owner,
		`UPDATE visits SET office_day = '2026-01-05', created_at = '2026-01-05 06:00Z' WHERE id = $1`,
		old.ID,
	)
	id := testkit.ID

	readers, visitors := d.breach(t, d.question(t, 0, 0, ""))
	for _, want := range []string{
		id("reception2") + " today 2",
		id("reception") + " registered 2",
		id("pa") + " decided 1",
		id("consultant") + " attended 1",
	} {
		if !slices.Contains(readers, want) {
			t.Errorf("%q is missing in %q", want, readers)
		}
	}
	affected := []string{ashasName + " " + ashasPhone + " 1 4 false", othersName + " " + othersPhone + " 1 2 false"}
	if !slices.Equal(visitors, affected) {
		t.Errorf("affected are %q, want %q", visitors, affected)
	}
	_, visitors = d.breach(t, d.question(t, 0, 0, `,"exported":[{"start":"2026-01-01","end":"2026-01-31"}]`))
	if !slices.Contains(visitors, "Meena 9876543210 1 0 true") {
		t.Errorf("with the export affected are %q", visitors)
	}
	readers, visitors = d.breach(t, d.question(t, 0, 0, `,"phone":"`+othersPhone+`"`))
	if len(visitors) != 1 || !strings.HasPrefix(visitors[0], othersName) ||
		slices.Contains(readers, id("pa")+" decided 1") {
		t.Errorf("of one visitor: %q %q", readers, visitors)
	}
	if readers, visitors = d.breach(t, d.question(t, -9, -1, "")); len(readers)+len(visitors) != 0 {
		t.Errorf("before that day: %q %q", readers, visitors)
	}
	if n := count(t, d, `SELECT count(*) FROM access_log WHERE call = 'breach_report'`); n != 4 {
		t.Errorf("%d of 4 reports are recorded", n)
	}
}

func TestABreachReportRequiresValidDays(t *testing.T) {
	d := newDesk(t)
	for _, question := range []string{
		`{}`,
		`{"from":"2026-1-1","to":"2026-01-02"}`,
		`{"from":"2026-01-01","to":"yesterday"}`,
		`{"from":"2026-01-01","to":"2026-01-02","phone":"98"}`,
	} {
		if w := d.askBreach(t, question); w.Code != http.StatusBadRequest {
			t.Errorf("%s answered %d %s", question, w.Code, w.Body)
		}
	}
}

// A user who acted for the consultant is listed as well, because that user has seen the visitor. The consultant is
// counted once for each visit.
func TestABreachReportHasWhoActedForTheConsultant(t *testing.T) {
	d := newDesk(t)
	for _, starts := range []string{"admin", "consultant"} {
		v := d.arrive("Asha")
		d.set("pa", v.ID, "approved", to("consultant"))
		d.must("start", d.set(starts, v.ID, "in-session"), "in-session")
		d.must("complete", d.set("admin", v.ID, "completed"), "completed")
	}
	early := d.arrive("Registered before")
	d.set("pa", early.ID, "denied")
	exec(t, d.owner, `UPDATE visits SET created_at = created_at - interval '3 days' WHERE id = $1`, early.ID)
	readers, visitors := d.breach(t, d.question(t, 0, 0, ""))
	for _, want := range []string{
		testkit.ID("admin") + " attended 2", testkit.ID("consultant") + " attended 2", testkit.ID("pa") + " decided 3",
		testkit.ID("reception") + " registered 2",
	} {
		if !slices.Contains(readers, want) {
			t.Errorf("%q is missing in %q", want, readers)
		}
	}
	if len(visitors) != 1 || !strings.Contains(visitors[0], "9876543210 3 ") {
		t.Errorf("affected are %q", visitors)
	}
}
