package visits_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"

	"baari.dev/services/contract"
)

type shownBoard struct {
	Calls []struct {
		CallID, VisitID, Token, Language string
		Counter                          *string
		CallCount                        int
	}
	Serving []struct {
		Token   string
		Counter *string
	}
	Next []string
	Day  string
}

func (d *desk) board(person string) (b shownBoard, text string) {
	d.t.Helper()
	got := d.as(person, http.MethodGet, "/api/visits/board", "")
	if got.status != http.StatusOK {
		d.t.Fatalf("the board answered %d %s to %s", got.status, got.text, person)
	}
	if err := json.Unmarshal([]byte(got.text), &b, json.MatchCaseInsensitiveNames(true)); err != nil {
		d.t.Fatal(err)
	}
	return b, got.text
}

// A board shows the last calls, newest first, and the desks with sessions. It contains no names.
func TestTheBoardShowsCallsAndWhoIsServed(t *testing.T) {
	d := newDesk(t)
	d.people.SignIn("display", contract.RoleDisplay)
	if b, _ := d.board("display"); len(b.Calls) != 0 || len(b.Serving) != 0 || b.Day == "" {
		t.Errorf("before the first call: %+v", b)
	}
	first, second := d.lined("Asha Menon"), d.lined("Ravi Kumar")
	counter := `{"counter":"3"}`
	for _, consultant := range []string{"consultant", "consultant2"} {
		if got := d.as(consultant, http.MethodPost, "/api/visits/next", counter); got.status != http.StatusOK {
			t.Fatalf("next answered %d %s", got.status, got.text)
		}
		counter = `{"counter":"12"}`
	}
	b, text := d.board("display")
	if len(b.Calls) != 2 || b.Calls[0].VisitID != second.ID || *b.Calls[1].Counter != "3" || b.Calls[1].CallCount != 1 ||
		len(b.Serving) != 0 {
		t.Errorf("after two calls: %s", text)
	}
	for _, private := range []string{"Asha", "Ravi", "ITR Filing", "consultant"} {
		if strings.Contains(text, private) {
			t.Errorf("the board has %s: %s", private, text)
		}
	}
	d.set("consultant", first.ID, "in-session")
	d.set("consultant2", second.ID, "in-session")
	b, text = d.board("reception")
	if len(b.Serving) != 2 || *b.Serving[0].Counter != "3" || *b.Serving[1].Counter != "12" || len(b.Calls) != 2 {
		t.Errorf("in session: %s", text)
	}
	d.set("consultant", first.ID, "completed")
	if b, text = d.board("pa"); len(b.Serving) != 1 || b.Serving[0].Token != b.Calls[0].Token {
		t.Errorf("after the session: %s", text)
	}
}

// The next tokens are the first four of the line, in its order. A called visitor is no longer among them.
func TestTheBoardShowsWhoIsNext(t *testing.T) {
	d := newDesk(t)
	d.people.SignIn("display", contract.RoleDisplay)
	var want []string
	for range 6 {
		want = append(want, d.lined("Asha Menon").Token)
	}
	if b, text := d.board("display"); !slices.Equal(b.Next, want[:4]) {
		t.Errorf("next are %v, want %v", b.Next, want[:4])
	} else if strings.Contains(text, "Asha") {
		t.Errorf("the board has a name: %s", text)
	}
	d.next("consultant")
	if b, _ := d.board("display"); !slices.Equal(b.Next, want[1:5]) {
		t.Errorf("after a call, next are %v, want %v", b.Next, want[1:5])
	}
}

func TestARepeatedCallIsNewOnTheBoard(t *testing.T) {
	d := newDesk(t)
	v := d.lined("Asha")
	d.next("consultant")
	before, _ := d.board("admin")
	exec(t, d.owner, `UPDATE visits SET called_at = called_at - interval '1 minute' WHERE id = $1`, v.ID)
	if again := d.act("consultant", v.ID, "recall", `{}`); again.status != http.StatusOK {
		t.Fatalf("calling again answered %d %s", again.status, again.text)
	}
	after, text := d.board("admin")
	if len(after.Calls) != 1 || after.Calls[0].CallCount != 2 || after.Calls[0].CallID == before.Calls[0].CallID ||
		!strings.HasPrefix(after.Calls[0].CallID, v.ID+":") {
		t.Errorf("after a repeated call: %s", text)
	}
}

func TestTheBoardBeginsEmptyEachDay(t *testing.T) {
	d := newDesk(t)
	v := d.lined("Asha")
	d.next("consultant")
	exec(t, d.owner, `UPDATE visits SET office_day = office_day - 1, called_at = called_at - interval '1 day'
		WHERE id = $1`, v.ID)
	if b, text := d.board("consultant"); len(b.Calls) != 0 {
		t.Errorf("a call of yesterday is shown: %s", text)
	}
}

func TestTheBoardShowsAVisitorOfYesterday(t *testing.T) {
	d := newDesk(t)
	v := d.lined("Asha")
	exec(t, d.owner, `UPDATE visits SET office_day = office_day - 1 WHERE id = $1`, v.ID)
	d.must("next", d.next("consultant"), "called")
	if b, text := d.board("consultant"); len(b.Calls) != 1 || b.Calls[0].VisitID != v.ID {
		t.Errorf("called: %s", text)
	}
	d.must("start", d.set("consultant", v.ID, "in-session"), "in-session")
	if b, text := d.board("consultant"); len(b.Serving) != 1 {
		t.Errorf("in session: %s", text)
	}
	exec(t, d.owner, `UPDATE visits SET sat_since = sat_since - interval '1 day' WHERE id = $1`, v.ID)
	if b, text := d.board("consultant"); len(b.Serving) != 0 {
		t.Errorf("a session that yesterday has left is shown: %s", text)
	}
}

func TestADisplaySeesTheBoardOnly(t *testing.T) {
	d := newDesk(t)
	d.people.SignIn("display", contract.RoleDisplay)
	v := d.lined("Asha")
	for _, call := range [][2]string{
		{"GET", "/api/visits/today"}, {"GET", "/api/visits/line"}, {"GET", "/api/visits/desks"},
		{"POST", "/api/visits/" + v.ID + "/recall"}, {"POST", "/api/visits/next"}, {"POST", "/api/visits"},
	} {
		if got := d.as("display", call[0], call[1], `{}`); got.status != http.StatusForbidden {
			t.Errorf("%s %s answered %d %s to a display", call[0], call[1], got.status, got.text)
		}
	}
}
