package directory

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5"

	"baari.dev/services/contract"
	"baari.dev/services/directory/appointment"
	"baari.dev/services/directory/settings"
	"baari.dev/services/office"
	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/postgres"
	"baari.dev/services/platform/testkit"
)

// beside returns a second service on the database of f, with connections of its own.
func (f *front) beside(t *testing.T) *Service {
	t.Helper()
	pool, err := postgres.Open(t.Context(), f.db.URL, f.db.Settings)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	s := New(pool, outbox.New(contract.SourceDirectory, pool), nil, settings.Options{
		File: f.office.File, Mode: settings.ModeProduct, Log: slog.New(slog.DiscardHandler),
	})
	s.store.clock = f.store.clock
	if err := s.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	return s
}

// patient calls a change again while the database is busy, as a client does.
func patient(change func() error) error {
	for {
		err := change()
		if fault.Of(err).Kind != fault.Unavailable || err == nil {
			return err
		}
	}
}

// wantedAt returns an appointment that a test books.
func wantedAt(service string, at slot, n int) Wanted {
	return Wanted{Appointment: contract.Appointment{
		Name: fmt.Sprintf("Visitor %d", n), Phone: fmt.Sprintf("98765%05d", n), ServiceID: service,
		PreferredDate: at.Date, PreferredTime: at.Time,
	}}
}

// Of 200 who ask at once for the last place of a slot, through two replicas, one has it.
func TestRacersForASlotGetItsPlacesAndNoMore(t *testing.T) {
	f, _ := timed(t, func(d *office.Document) { d.Appointments.PerSlot = 1 })
	replicas := []*Service{f.Service, f.beside(t)}
	var made, refused atomic.Int64
	var all sync.WaitGroup
	for n := range 200 {
		all.Go(func() {
			wanted := wantedAt("", slot{"2026-11-23", "11:00"}, n)
			wanted.Service = "ITR Filing"
			err := patient(func() error {
				_, err := replicas[n%2].RequestAppointment(t.Context(), wanted)
				return err
			})
			switch {
			case err == nil:
				made.Add(1)
			case errors.Is(err, errSlotFull):
				refused.Add(1)
			default:
				t.Error(err)
			}
		})
	}
	all.Wait()
	if made.Load() != 1 || refused.Load() != 199 {
		t.Errorf("%d have the place, %d were refused", made.Load(), refused.Load())
	}
}

// Bookers and movers of three slots, through two replicas, with rows of the release before beside them: no slot has
// more than its capacity, apart from the rows of the release before, and no place or consultant is twice in one.
func TestBookersAndMoversNeverOverbook(t *testing.T) {
	const capacity, workers, rounds = 3, 64, 6
	f, _ := timed(t, func(d *office.Document) { d.Appointments.PerSlot = capacity })
	rao := testkit.ID("rao")
	f.addConsultants(t, rao)
	replicas := []*Service{f.Service, f.beside(t)}
	slots := []slot{{"2026-11-23", "11:00"}, {"2026-11-23", "12:00"}, {"2026-11-24", "11:00"}}
	service, ctx := f.serviceID(t, "ITR Filing"), as(t, contract.RoleReception)
	var all sync.WaitGroup
	for n := range workers {
		all.Go(func() {
			s := replicas[n%2]
			var mine Added
			for round := range rounds {
				at := slots[(n+round)%len(slots)]
				if round == 0 && n%16 == 0 {
					f.insertOld(t, at, n)
				}
				wanted := wantedAt(service, at, n)
				if n%4 == 0 {
					wanted.ConsultantID = rao
				}
				expected(t, patient(func() (err error) {
					mine, err = bookOrMove(ctx, s, mine, wanted)
					return err
				}))
				if round%3 == 2 && mine.ID != "" {
					cancel := Change{ID: mine.ID, Action: appointment.Cancel, By: contract.RoleReception}
					expected(t, patient(func() error { _, err := s.ChangeAppointment(ctx, cancel); return err }))
					expected(t, patient(func() error { _, err := s.UndoAppointment(ctx, mine.ID); return err }))
				}
			}
		})
	}
	all.Wait()
	f.checkPrefixes(t, capacity)
}

// bookOrMove books a first appointment, or moves the one that the worker has.
func bookOrMove(ctx context.Context, s *Service, mine Added, wanted Wanted) (Added, error) {
	if mine.ID == "" {
		return s.Book(ctx, wanted)
	}
	to := slotOf(wanted.Appointment)
	_, err := s.ChangeAppointment(ctx, Change{
		ID: mine.ID, Action: appointment.Move, By: contract.RoleReception, To: &to, Consultant: &wanted.ConsultantID,
	})
	return mine, err
}

// expected fails the test for any error but those of a place that is taken and of an appointment that is over.
func expected(t *testing.T, err error) {
	t.Helper()
	if err != nil && fault.Of(err).Kind != fault.Conflict {
		t.Error(err)
	}
}

// insertOld inserts a request as the release before does.
func (f *front) insertOld(t *testing.T, at slot, n int) {
	t.Helper()
	const insert = `
INSERT INTO appointments
  (id, name, phone, email, service, preferred_date, preferred_time, message, status, notice_version, mail_due)
VALUES (gen_random_uuid(), 'Of before', $1, 'a@example.com', 'ITR Filing', $2::text::date, $3, '', 'pending',
  '2026-11', NULL)`
	if _, err := f.db.Pool.Exec(t.Context(), insert, fmt.Sprintf("91234%05d", n), at.Date, at.Time); err != nil {
		t.Error(err)
	}
}

// checkPrefixes reads the events in order, and checks after each how many hold a place in each slot (I24).
func (f *front) checkPrefixes(t *testing.T, capacity int) {
	t.Helper()
	now := map[string]contract.Appointment{}
	for _, e := range f.events(t) {
		if e.Entity != contract.EntityAppointment {
			continue
		}
		now[e.EntityID] = decode[contract.Appointment](t, e.After)
		taken, consultants := map[slot]int{}, map[string]int{}
		for _, a := range now {
			if appointment.Status(a.Status).Holds() {
				taken[slotOf(a)]++
				if a.ConsultantID != "" {
					consultants[fmt.Sprint(a.ConsultantID, slotOf(a))]++
				}
			}
		}
		for at, n := range taken {
			if n > capacity {
				t.Fatalf("after %s %s has %d", e.Type, at, n)
			}
		}
		for who, n := range consultants {
			if n > 1 {
				t.Fatalf("after %s %s has %d", e.Type, who, n)
			}
		}
	}
	if len(now) == 0 {
		t.Error("nothing was booked")
	}
	rows, err := f.db.Pool.Query(t.Context(), `SELECT id::text FROM appointments WHERE version > 1 OR source = 'desk'`)
	if err != nil {
		t.Fatal(err)
	}
	ids, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range ids {
		f.versions(t, id)
	}
}
