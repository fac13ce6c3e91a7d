package directory

import (
	"io/fs"
	"testing"
	"testing/fstest"

	"github.com/google/uuid"

	"baari.dev/services/contract"
	"baari.dev/services/office"
	"baari.dev/services/platform/postgres"
	"baari.dev/services/platform/testkit"
)

// A replica of the release before inserts requests without a place, and changes statuses without a version.
func TestRowsOfTheReleaseBeforeGetPlaces(t *testing.T) {
	f, _ := timed(t, func(d *office.Document) { d.Appointments.PerSlot = 2 })
	at := slot{"2026-11-23", "11:00"}
	first := f.book(t, nil)
	for n := range 3 { // one more than the capacity
		f.insertOld(t, at, n)
	}
	places := map[int]Booking{}
	for _, one := range f.all(t) {
		places[one.Place] = one
	}
	if len(places) != 4 || places[1].ID != first.ID || places[4].ServiceID != first.serviceID() ||
		places[4].Version != 1 || places[4].Source != contract.AppointmentSourcePage {
		t.Errorf("the places are %+v", places)
	}
	old := func(id, status string) Booking {
		testkit.Exec(t, f.db.Pool, `UPDATE appointments SET status = $2 WHERE id = $1`, id, status)
		return f.row(t, id)
	}
	second := places[2].ID
	if got := old(second, "confirmed"); got.Place != 2 || got.Version != 2 || got.EndedAt != nil {
		t.Errorf("confirmed by the release before: %+v", got)
	}
	if got := old(second, "declined"); got.Place != 0 || got.Version != 3 || got.EndedAt == nil {
		t.Errorf("declined by the release before: %+v", got)
	}
	f.change(t, "pa", "PUT", places[3].ID, `{"status":"confirmed"}`)
	if got := old(places[3].ID, "done"); got.Last != nil || got.Place != 0 {
		t.Errorf("done by the release before: %+v", got)
	}
	const oldErasure = `
UPDATE appointments SET name = 'Erased', phone = NULL, email = '', message = '', mail_due = NULL, erased_at = now()
WHERE id = $1`
	testkit.Exec(t, f.db.Pool, oldErasure, places[4].ID)
	if got := f.row(t, places[4].ID); got.Status != "cancelled" || got.Place != 0 || got.Sequence != 1 {
		t.Errorf("erased by the release before: %+v", got)
	}
	f.book(t, nil) // the second place is free again
}

func (b bookingBody) serviceID() string {
	if b.ServiceID == nil {
		return ""
	}
	return *b.ServiceID
}

// all lists the stored appointments.
func (f *front) all(t *testing.T) []Booking {
	t.Helper()
	found, err := f.Appointments(as(t, contract.RoleReception), listRequest{Page: 1, Limit: mostListed})
	if err != nil {
		t.Fatal(err)
	}
	return found.List
}

// The requests of an installation that is upgraded get places in the order of their arrival, even above the capacity.
// Those of the past get none, so that the sweep does not note them as no-show.
func TestRequestsOfAnUpgradedInstallationGetPlaces(t *testing.T) {
	db := testkit.NewDatabase(t, until(t, "0018", Migrations())...)
	insert := func(id, status, day string) {
		t.Helper()
		testkit.Exec(t, db.Pool, `
INSERT INTO appointments
  (id, name, phone, email, service, preferred_date, preferred_time, message, status, notice_version, created_at)
VALUES ($1, 'Asha', '9876543210', '', 'Audit', $3::text::date, '11:00', '', $2, '', now() - interval '30 days')`,
			id, status, day)
	}
	service := uuid.NewString()
	testkit.Exec(t, db.Pool, `INSERT INTO services VALUES ($1, 'Audit', '', 30, true)`, service)
	id := func(n int) string { return "0198f3a0-0000-7000-8000-00000000000" + string(rune('0'+n)) }
	for n, one := range []struct{ status, day string }{
		{"pending", "2090-01-02"}, {"declined", "2090-01-02"}, {"confirmed", "2090-01-02"}, {"done", "2090-01-02"},
		{"pending", "2090-01-02"}, {"confirmed", "2020-01-02"},
	} {
		insert(id(n), one.status, one.day)
	}
	role, err := postgres.RoleOf(db.URL)
	if err != nil {
		t.Fatal(err)
	}
	if err := postgres.Migrate(t.Context(), db.OwnerURL, role, Migrations()...); err != nil {
		t.Fatal(err)
	}
	s := &store{pool: db.Pool}
	for n, want := range []int{1, 0, 2, 0, 3, 0} {
		got, err := s.appointment(t.Context(), id(n))
		if err != nil || got.Place != want || got.Version != 1 || got.ServiceID != service || got.Name != "Asha" {
			t.Errorf("%d: %+v, %v", n, got, err)
		}
	}
	if ids, err := s.unended(t.Context(), "2090-01-03"); err != nil || len(ids) != 1 {
		t.Errorf("%v are to be swept, %v", ids, err)
	}
}

// until returns the migrations before a number of directory's own.
func until(t *testing.T, number string, sets []postgres.Set) []postgres.Set {
	t.Helper()
	var earlier []postgres.Set
	for _, set := range sets {
		if set.Name == contract.SourceDirectory {
			files := fstest.MapFS{}
			entries, err := fs.ReadDir(set.Files, ".")
			if err != nil {
				t.Fatal(err)
			}
			for _, entry := range entries {
				if entry.Name() >= number {
					continue
				}
				data, err := fs.ReadFile(set.Files, entry.Name())
				if err != nil {
					t.Fatal(err)
				}
				files[entry.Name()] = &fstest.MapFile{Data: data}
			}
			set.Files = files
		}
		earlier = append(earlier, set)
	}
	return earlier
}
