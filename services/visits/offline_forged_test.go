package visits_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"baari.dev/services/contract"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/testkit"
)

// Values from a paired desk are accepted only within the bounds that its contacts set: who was there, which numbers,
// and when.

// meets makes the paired desk of a series contact the service, with a user signed in.
func (d *desk) meets(t testing.TB, person, series string) {
	t.Helper()
	a := d.as(person, http.MethodPost, "/api/visits/offline/lease", `{"unsent":0}`, "Baari-Device", "device-"+series)
	if a.status != http.StatusOK {
		t.Fatalf("the contact of %s answered %d %s", person, a.status, a.text)
	}
}

// A user who was never at the desk is not accepted as author. The visit is recorded as the sender's, and the report
// after a breach says so.
func TestAnAuthorWhoWasNeverAtTheDeskIsNotBelieved(t *testing.T) {
	d := newDesk(t)
	pairDesks(d)
	today := d.lease(t, "A", 0).Days[0].Day
	d.meets(t, "reception2", "B")
	for n, author := range []string{"pa", "unknown", "reception2"} {
		forged := noteOf("A", n+1)
		forged.madeBy = author
		d.send(t, "reception", "A", today, forged)
	}
	if n := count(t, d, `SELECT count(*) FROM visits WHERE created_by = $1 AND created_by_name = 'The reception'`,
		testkit.ID("reception")); n != 3 {
		t.Errorf("%d of 3 visits are the sender's", n)
	}
	readers, _ := d.breach(t, d.question(t, 0, 0, ""))
	if want := []string{testkit.ID("reception") + " registered 3"}; !slices.Equal(readers, want) {
		t.Errorf("the report has %q, want %q", readers, want)
	}
}

// A user who registered a visit stays its author after a change of the user's role. The sender is recorded, too. The
// report after a breach has both.
func TestTheSenderStandsBesideTheAuthor(t *testing.T) {
	d := newDesk(t)
	pairDesks(d)
	today := d.lease(t, "A", 0).Days[0].Day
	d.meets(t, "reception2", "A")
	d.people.SignIn("reception2", contract.RoleConsultant)
	merged := noteOf("A", 1)
	merged.madeBy = "reception"
	online := d.as("reception", http.MethodPost, "/api/visits", d.visitor("A 1"), "Idempotency-Key", merged.key)
	n := noteOf("A", 2)
	n.madeBy, n.more = "reception2", `,"told_by":"aloud","documents":[`+panMissing+`]`
	done, _ := d.send(t, "admin", "A", today, merged, n)
	wantStates(t, done, "T-001 merged, A-002 created")
	if made := count(t, d, `SELECT count(*) FROM visits v JOIN consents c ON c.visit_id = v.id
		WHERE v.created_by = $1 AND v.created_by_name = 'The reception2' AND v.sent_by = $2
			AND v.sent_by_name = 'The admin' AND c.given_by = $1 AND c.given_by_name = 'The reception2'`,
		testkit.ID("reception2"), testkit.ID("admin")); made != 1 {
		t.Error("the visit and its receipt do not have author and sender")
	}
	if _, a := d.papers("pa", done[1].Visit.ID); !strings.Contains(a.text, `"by":"The reception2"`) {
		t.Errorf("the papers are %s", a.text)
	}
	readers, visitors := d.breach(t, d.question(t, 0, 0, ""))
	for _, want := range []string{
		testkit.ID("reception") + " registered 1", testkit.ID("reception2") + " registered 1",
		testkit.ID("admin") + " sent 2",
	} {
		if !slices.Contains(readers, want) {
			t.Errorf("%q is missing in %q", want, readers)
		}
	}
	// Both visits have the same phone. The report has the two authors, the sender, and the PA who has read papers.
	if len(visitors) != 1 || !strings.HasSuffix(visitors[0], " 9876543210 2 4 false") {
		t.Errorf("affected are %q", visitors)
	}
	if undone := d.as("reception", http.MethodPost, "/api/visits/"+online.Visit.ID+"/undo", `{}`); undone.status == 200 {
		t.Error("a merge was undone")
	}
}

// Even if a paired desk claims one unsent visit at each contact, no arrival is believed that is before the last contact
// at which its number was not given out yet.
func TestAnArrivalBeforeAContactIsBelievedOfWhatWasUnsentThenOnly(t *testing.T) {
	d, _ := newDesk(t).midday()
	pairDesks(d)
	today := d.lease(t, "A", 0).Days[0].Day
	d.hoursPass(t, 3)
	started := time.Now()
	d.lease(t, "A", 1)
	early := func(n int) noted {
		v := noteOf("A", n)
		v.arrived = started.Add(-2 * time.Hour)
		return v
	}
	done, _ := d.send(t, "reception", "A", today, early(1), early(2))
	wantStates(t, done, "A-001 created, A-002 created")
	if got := done[0].Visit.Offline.ArrivedAt; started.Sub(got) < time.Hour {
		t.Errorf("what was unsent at the contact arrived at %s", got)
	}
	if got := done[1].Visit.Offline.ArrivedAt; started.Sub(got) > time.Minute {
		t.Errorf("a number given out after the contact arrived %s before it", started.Sub(got))
	}
	d.hoursPass(t, 1)
	d.lease(t, "A", 1)
	d.hoursPass(t, 1)
	d.lease(t, "A", 1)
	done, _ = d.send(t, "reception", "A", today, early(3), early(4))
	for i, hours := range []time.Duration{2, 0} {
		got := done[i].Visit.Offline.ArrivedAt
		if from := time.Now().Add(-hours*time.Hour - time.Minute); got.Before(from) {
			t.Errorf("A-00%d arrived at %s, before the contact at %s", i+3, got, from)
		}
	}
}

// hoursPass moves the contacts of the paired desks, and the arrivals that they have sent, some hours into the past.
func (d *desk) hoursPass(t *testing.T, hours int) {
	t.Helper()
	for _, statement := range []string{
		`UPDATE offline_desks SET contact_at = contact_at - make_interval(hours => $1)`,
		`UPDATE desk_contacts SET first_at = first_at - make_interval(hours => $1),
			last_at = last_at - make_interval(hours => $1)`,
		`UPDATE visits SET arrived_at = arrived_at - make_interval(hours => $1)`,
	} {
		exec(t, d.owner, statement, hours)
	}
}

// Visits that a paired desk holds back despite contacts are counted, for an alert. Visits that it sends soon are not
// counted.
func TestWhatADeskInContactHeldBackIsCounted(t *testing.T) {
	d, _ := newDesk(t).midday()
	pairDesks(d)
	registry := d.registry
	late := func() float64 { return sumOf(t, registry, "baari_offline_late_total") }
	today := d.lease(t, "A", 0).Days[0].Day
	d.hoursPass(t, 1)
	soon, held := noteOf("A", 1), noteOf("A", 2)
	soon.arrived = time.Now().Add(-30 * time.Minute)
	d.lease(t, "A", 1)
	d.send(t, "reception", "A", today, soon)
	if n := late(); n != 0 {
		t.Errorf("%v visits that were sent at once are late", n)
	}
	d.lease(t, "A", 1)
	d.hoursPass(t, 1)
	d.lease(t, "A", 1)
	held.arrived = time.Now().Add(-70 * time.Minute)
	for range 2 {
		d.send(t, "reception", "A", today, held)
	}
	if n := late(); n != 1 {
		t.Errorf("%v late visits, want the one that was held back", n)
	}
}

// sumOf returns the sum of a counter over its labels.
func sumOf(t *testing.T, registry *prometheus.Registry, name string) (sum float64) {
	t.Helper()
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, family := range families {
		if family.GetName() == name {
			for _, one := range family.GetMetric() {
				sum += one.GetCounter().GetValue()
			}
		}
	}
	return sum
}

// The numbers of a request must ascend. A number that is far ahead is refused, because it would use up the numbers of
// the day.
func TestANumberFarAheadIsRefused(t *testing.T) {
	d := newDesk(t)
	pairDesks(d)
	today := d.lease(t, "A", 0).Days[0].Day
	for _, n := range []int{99_999, 22} {
		done, _ := d.send(t, "reception", "A", today, noteOf("A", n))
		wantStates(t, done, "- refused number_ahead")
	}
	done, _ := d.send(t, "reception", "A", today, noteOf("A", 1), noteOf("A", 23), noteOf("A", 3))
	wantStates(t, done, "")
	done, _ = d.send(t, "reception", "A", today, noteOf("A", 1), noteOf("A", 2), noteOf("A", 23))
	wantStates(t, done, "A-001 created, A-002 created, - refused number_ahead")
	if last := d.lease(t, "A", 0).Days[0].Last; last != 2 {
		t.Errorf("the next number follows %d", last)
	}
}

func TestNumbersAfterManyRefusedOnesAreTaken(t *testing.T) {
	d := newDesk(t)
	pairDesks(d)
	today := d.lease(t, "A", 0).Days[0].Day
	offered := d.offered
	d.offered = "none"
	for from := 1; from < 60; from += 20 {
		var all []noted
		for n := range 20 {
			all = append(all, noteOf("A", from+n))
		}
		d.send(t, "reception", "A", today, all...)
	}
	d.offered = offered
	done, _ := d.send(t, "reception", "A", today, noteOf("A", 61))
	wantStates(t, done, "A-061 created")
}

// Consents are recorded only with versions of the notice that the office has had.
func TestANoticeThatTheOfficeNeverHadIsNotRegistered(t *testing.T) {
	d := newDesk(t)
	pairDesks(d)
	versions := []string{"2026-01", "2026-06", "2026-11"}
	directory, follower := d.follow(t, testkit.NewRedis(t))
	for _, version := range versions {
		directory.Publish(t, outbox.Change{
			Type: contract.OfficeLoaded, Entity: contract.EntityOffice, EntityID: "office",
			After: map[string]any{"notice": map[string]string{"version": version}},
		})
	}
	testkit.Eventually(t, "the versions have arrived", func() bool {
		return follower.Position().Seq == int64(len(versions))
	})
	today := d.lease(t, "A", 0).Days[0].Day
	for n, version := range []string{"2026-01", "2099-forged", "2026-11"} {
		note := noteOf("A", n+1)
		note.more = `,"told_by":"aloud","notice_version":"` + version + `"`
		done, _ := d.send(t, "reception", "A", today, note)
		if len(done) != 1 || done[0].State != "created" {
			t.Errorf("a visit under %s was decided as %s", version, states(done))
		}
	}
	for version, want := range map[string]int{"2026-01": 1, "2026-06": 0, "2099-forged": 0, "2026-11": 2} {
		n := count(t, d, `SELECT count(*) FROM visits v JOIN consents c ON c.visit_id = v.id
			WHERE v.notice_version = $1 AND c.notice_version = $1`, version)
		if n != want {
			t.Errorf("%d visits under %s, want %d", n, version, want)
		}
	}
}
