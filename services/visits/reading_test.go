package visits_test

import (
	"fmt"
	"net/http"
	"slices"
	"testing"

	"baari.dev/services/platform/testkit"
)

// readings lists the entries of the access log that have this visit alone, oldest first.
func (d *desk) readings(id string) (entries []string) {
	d.t.Helper()
	rows, err := d.db.Pool.Query(d.t.Context(),
		`SELECT user_id, role, call FROM access_log WHERE visit_ids = ARRAY[$1::uuid] ORDER BY id`, id)
	if err != nil {
		d.t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var user, role, call string
		if err := rows.Scan(&user, &role, &call); err != nil {
			d.t.Fatal(err)
		}
		entries = append(entries, user+" "+role+" "+call)
	}
	return entries
}

func (d *desk) ok(what string, got answer) {
	d.t.Helper()
	if got.status != http.StatusOK && got.status != http.StatusCreated {
		d.t.Fatalf("%s answered %d %s", what, got.status, got.text)
	}
}

// The access log has users who read papers, receipts or consents of visits that they do not handle. It does not have
// users who handle the visit or who find nothing.
func TestReadersOfPapersAndConsentsAreInTheAccessLog(t *testing.T) {
	d := newDesk(t)
	empty := d.arrive("Asha").ID
	d.papers("pa", empty)
	d.consents("pa", empty)
	if got := d.readings(empty); len(got) != 0 {
		t.Errorf("nothing was read, but the log has %q", got)
	}

	id := d.registered(`,"told_by":"slip","documents":[` + left(0, "Deed of Meera Rao") + `]`)
	read := func(person string) {
		t.Helper()
		d.ok(person+" reads papers", second(d.papers(person, id)))
		d.ok(person+" reads consents", second(d.consents(person, id)))
	}
	read("reception")
	read("pa")
	read("reception2")
	d.set("pa", id, "approved", to("consultant"))
	d.papers("consultant", id)
	read("pa")
	want := []string{
		testkit.ID("pa") + " pa papers", testkit.ID("pa") + " pa consents",
		testkit.ID("reception2") + " reception papers", testkit.ID("reception2") + " reception consents",
	}
	if got := d.readings(id); !slices.Equal(got, want) {
		t.Errorf("the readers are %q, want %q", got, want)
	}
	readers, _ := d.breach(t, d.question(t, 0, 0, ""))
	for _, call := range []string{"papers", "consents"} {
		if line := fmt.Sprint(testkit.ID("reception2"), " ", call, " 1"); !slices.Contains(readers, line) {
			t.Errorf("the report after a breach lacks %q: %q", line, readers)
		}
	}
}

// A user who recorded that a visitor left does not count as handling the visit, so the access log has what they read.
func TestAUserWhoEndedAVisitIsAReaderOfIt(t *testing.T) {
	d := newDesk(t)
	id := d.registered(`,"told_by":"slip","documents":[` + left(0, "Deed") + `]`)
	d.ok("leave", d.act("reception2", id, "leave", `{}`))
	d.ok("papers", second(d.papers("reception2", id)))
	if got, want := d.readings(id), []string{testkit.ID("reception2") + " reception papers"}; !slices.Equal(got, want) {
		t.Errorf("the readings are %q, want %q", got, want)
	}
}

// An event records a change. A request that changes nothing but returns the visit's papers or consents is recorded as a
// reading.
func TestAChangeThatChangesNothingIsAReading(t *testing.T) {
	d := newDesk(t)
	deed := left(0, "Deed")
	id := d.registered(`,"told_by":"slip","documents":[` + deed + `]`)
	d.ok("a receipt", second(d.acknowledge("reception2", id)))
	d.ok("agrees", second(d.consents("reception2", id, agrees)))
	d.ok("changes", second(d.papers("reception2", id, `[`+left(1, "Deed")+`,`+left(0, "Seal")+`]`)))
	if got := d.readings(id); len(got) != 0 {
		t.Fatalf("changes are readings: %q", got)
	}
	d.ok("a second receipt", second(d.acknowledge("reception2", id)))
	for _, again := range []func() answer{
		func() answer { return second(d.acknowledge("reception2", id)) },
		func() answer { return second(d.consents("reception2", id, agrees)) },
		func() answer { return second(d.papers("reception2", id, `[`+left(1, "Deed")+`,`+left(2, "Seal")+`]`)) },
	} {
		d.ok("the same again", again())
	}
	want := []string{}
	for _, call := range []string{"papers", "consents", "papers"} {
		want = append(want, testkit.ID("reception2")+" reception "+call)
	}
	if got := d.readings(id); !slices.Equal(got, want) {
		t.Errorf("the readings are %q, want %q", got, want)
	}
}
