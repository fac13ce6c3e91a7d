package directory

import (
	"net/url"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"baari.dev/services/contract"
	"baari.dev/services/platform/testkit"
)

// consultants reads the list as the user of a role: the whole list, or the changes after the position since.
func (f *front) consultants(t *testing.T, role, since string) consultantsAnswer {
	t.Helper()
	w := f.call(t, role, "GET", "/api/users/consultants?since="+url.QueryEscape(since), "")
	if w.Code != 200 {
		t.Fatalf("answered %d %s", w.Code, w.Body)
	}
	return decode[consultantsAnswer](t, w.Body.Bytes())
}

// settle waits until all transactions that began before the last change, in all databases, have ended. Until then the
// position of a response is before the change, so that the next response contains the change again.
func (f *front) settle(t *testing.T) {
	t.Helper()
	const over = `
SELECT coalesce(max(greatest(changed, placed)) < pg_snapshot_xmin(pg_current_snapshot()), true) FROM consultants`
	testkit.Eventually(t, "earlier transactions are over", func() (settled bool) {
		err := f.db.Pool.QueryRow(t.Context(), over).Scan(&settled)
		return err == nil && settled
	})
}

// changed returns the names of the consultants that have changed after a position, and the next position. It fails the
// test if the response is the whole list.
func (f *front) changed(t *testing.T, role, since string) (names []string, next string) {
	t.Helper()
	f.settle(t)
	answer := f.consultants(t, role, since)
	if answer.Reset {
		t.Errorf("the list does not continue from %s", since)
	}
	whole := f.consultants(t, role, "")
	for _, one := range answer.Consultants {
		names = append(names, one.Name)
		same := func(other consultantBody) bool { return reflect.DeepEqual(one, other) }
		if !slices.ContainsFunc(whole.Consultants, same) {
			t.Errorf("%+v is not in the whole list %+v", one, whole.Consultants)
		}
	}
	return names, answer.Position
}

// A change of a visit changes only the entries of the visit's previous and new consultant.
func TestConsultantsAreFollowedByWhatChanged(t *testing.T) {
	f := newFront(t)
	rao, sen, consultant := testkit.ID("rao"), testkit.ID("sen"), testkit.ID("consultant")
	for _, id := range []string{rao, sen, consultant} {
		testkit.Exec(t, f.db.Pool, `INSERT INTO consultants VALUES ($1, $1, '{GST}', true)`, id)
	}
	redis := testkit.NewRedis(t)
	visits := testkit.NewSource(t, contract.SourceVisits, redis.Bus)
	f.follow(t, visits, redis, f.FollowVisits())
	f.settle(t)
	since, own := f.consultants(t, "pa", "").Position, f.consultants(t, "consultant", "").Position
	id := uuid.Must(uuid.NewV7()).String()
	before := ""
	for i, one := range []step{
		{contract.VisitApproved, "waiting", "approved", true, "rao", 0, false},
		{contract.VisitPinned, "waiting", "approved", true, "sen", 0, false},
		{contract.VisitInSession, "in-session", "in-session", true, "sen", 0, false},
		{contract.VisitTransferred, "waiting", "approved", false, "", 0, false},
	} {
		visits.Publish(t, one.change(id, int64(i+1)))
		f.caughtUp(t, visits)
		want := []string{}
		for _, name := range []string{"rao", "sen"} {
			if name == before || name == one.consultant {
				want = append(want, testkit.ID(name))
			}
		}
		before = one.consultant
		var names []string
		if names, since = f.changed(t, "pa", since); !slices.Equal(names, want) {
			t.Errorf("after %s %v changed, want %v", one.kind, names, want)
		}
	}
	if names, _ := f.changed(t, "pa", since); len(names) > 0 {
		t.Errorf("without a change %v changed", names)
	}
	if names, _ := f.changed(t, "consultant", own); len(names) > 0 {
		t.Errorf("another consultant receives %v", names)
	}
	w := f.call(t, "admin", "PUT", "/api/consultants/"+rao, `{"specialization":["Audit"]}`)
	if w.Code != 200 {
		t.Fatalf("answered %d %s", w.Code, w.Body)
	}
	if names, _ := f.changed(t, "pa", since); !slices.Equal(names, []string{rao}) {
		t.Errorf("a new specialization changed %v", names)
	}
	visits.BeginEpoch(t)
	f.caughtUp(t, visits)
	if names, _ := f.changed(t, "pa", since); len(names) != 3 {
		t.Errorf("a rebuild changed %v", names)
	}
}

// A change is not missed if it is committed after a later change.
func TestAChangeThatIsCommittedLateIsFollowed(t *testing.T) {
	f := newFront(t)
	rao, sen := testkit.ID("rao"), testkit.ID("sen")
	f.addConsultants(t, rao, sen)
	f.settle(t)
	late, err := f.db.Pool.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	const specialize = `UPDATE consultants SET specialization = '{GST}' WHERE id = $1`
	if _, err := late.Exec(t.Context(), specialize, rao); err != nil {
		t.Fatal(err)
	}
	testkit.Exec(t, f.db.Pool, specialize, sen)
	since := f.consultants(t, "pa", "").Position
	if err := late.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	if names, _ := f.changed(t, "pa", since); !slices.Contains(names, "CA Rao") {
		t.Errorf("%v changed, and not the late one", names)
	}
}

func TestAListOfConsultantsThatDoesNotContinueIsWhole(t *testing.T) {
	f := newFront(t)
	rao := testkit.ID("rao")
	f.addConsultants(t, rao)
	position := f.consultants(t, "pa", "").Position
	part := strings.Split(position, ".")
	for what, since := range map[string]string{
		"no position":      "x",
		"another epoch":    strings.Join([]string{testkit.ID("other"), part[1], part[2], part[3]}, "."),
		"another day":      strings.Join([]string{part[0], part[1], "2020-01-01", part[3]}, "."),
		"another role":     strings.Join([]string{part[0], part[1], part[2], "admin"}, "."),
		"a later position": strings.Join([]string{part[0], "999999999", part[2], part[3]}, "."),
	} {
		if list := f.consultants(t, "pa", since); !list.Reset || len(list.Consultants) != 1 {
			t.Errorf("%s: %+v", what, list)
		}
	}
	tomorrow := time.Now().AddDate(0, 0, 1)
	f.store.clock = at(tomorrow)
	if !f.consultants(t, "pa", position).Reset {
		t.Error("the day has turned, and the list is not whole")
	}
	f.store.clock = nil
	testkit.Exec(t, f.db.Pool, `UPDATE consultants SET name = 'A new name' WHERE id = $1`, rao)
	if !f.consultants(t, "pa", position).Reset {
		t.Error("a consultant was renamed, and the list is not whole")
	}
	position = f.consultants(t, "pa", "").Position
	f.addConsultants(t, testkit.ID("sen"))
	if list := f.consultants(t, "pa", position); !list.Reset || len(list.Consultants) != 2 {
		t.Errorf("a consultant was added: %+v", list)
	}
}
