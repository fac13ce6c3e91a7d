package visits

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"baari.dev/services/contract"
	"baari.dev/services/platform/idempotency"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/testkit"
	"baari.dev/services/visits/visit"
)

// withVisits returns a service with a consultant and count new visits.
func withVisits(t *testing.T, count int) (s *Service, ids []string) {
	t.Helper()
	db := testkit.NewDatabase(t, Migrations()...)
	if err := outbox.EnsureStream(t.Context(), db.Pool, contract.SourceVisits); err != nil {
		t.Fatal(err)
	}
	const consultant = `INSERT INTO consultants VALUES ('c1', 'The consultant', true)`
	if _, err := db.Pool.Exec(t.Context(), consultant); err != nil {
		t.Fatal(err)
	}
	s = New(db.Pool, outbox.New(contract.SourceVisits, db.Pool), nil, "Asia/Kolkata")
	registrations := make([]*planned, count)
	for i := range registrations {
		req := createVisit{Name: "Asha", Phone: "9876543210", ServiceID: uuid.NewString()}
		v := req.newVisit(newID(), visit.Actor{ID: "r", Name: "Reception"})
		registrations[i] = &planned{command: &command{}, after: v}
		ids = append(ids, registrations[i].after.ID)
	}
	err := s.outbox.InTx(t.Context(), func(tx pgx.Tx) error {
		_, err := s.store.insert(t.Context(), tx, registrations)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return s, ids
}

func approval(ctx context.Context, id string) *command {
	by := visit.Actor{ID: "p", Name: "The PA", Role: contract.RolePA}
	return &command{ctx: ctx, by: by, id: id, consultant: "c1", want: visit.Request{Action: visit.Approve}}
}

// counted is a transaction that counts the round trips to the server.
type counted struct {
	pgx.Tx
	statements, trips int
}

func (c *counted) Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error) {
	c.statements, c.trips = c.statements+1, c.trips+1
	return c.Tx.Exec(ctx, sql, args...)
}

func (c *counted) Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error) {
	c.statements, c.trips = c.statements+1, c.trips+1
	return c.Tx.Query(ctx, sql, args...)
}

func (c *counted) QueryRow(ctx context.Context, sql string, args ...any) pgx.Row {
	c.statements, c.trips = c.statements+1, c.trips+1
	return c.Tx.QueryRow(ctx, sql, args...)
}

func (c *counted) SendBatch(ctx context.Context, batch *pgx.Batch) pgx.BatchResults {
	c.statements, c.trips = c.statements+batch.Len(), c.trips+1
	return c.Tx.SendBatch(ctx, batch)
}

func TestABatchOfDecisionsSendsNoMoreStatementsThanOneDecision(t *testing.T) {
	const most = 40
	s, ids := withVisits(t, 1+most)
	for _, batchIDs := range [][]string{ids[:1], ids[1:]} {
		var batch []*command
		for _, id := range batchIDs {
			batch = append(batch, approval(t.Context(), id))
		}
		wanted := 6
		if len(batch) == 1 { // the consultant's sessions are locked, too
			wanted++
		}
		var sent *counted
		var outcomes []outcome[result]
		err := s.outbox.InTx(t.Context(), func(tx pgx.Tx) (err error) {
			sent = &counted{Tx: tx}
			outcomes, err = s.writeIn(t.Context(), sent, batch)
			return err
		})
		if err != nil || sent.statements != wanted || sent.trips != 3 {
			t.Errorf("%d decisions: %d statements in %d round trips, %v", len(batch), sent.statements, sent.trips, err)
		}
		for i, got := range outcomes {
			now := got.result.snapshot.Visit
			if !got.result.changed || now.ID != batchIDs[i] || *now.ConsultantName != "The consultant" {
				t.Errorf("the outcome of decision %d is %+v", i, got)
			}
		}
	}
}

// When the first client of a batch disconnects, the whole batch is committed, its command included.
func TestADisconnectedClientDoesNotFailItsBatch(t *testing.T) {
	s, ids := withVisits(t, 2)
	gone, leave := context.WithCancel(t.Context())
	leave()
	outcomes := s.commit([]*command{approval(gone, ids[0]), approval(t.Context(), ids[1])})
	for i, got := range outcomes {
		if got.err != nil || !got.result.changed {
			t.Errorf("decision %d: %v, changed %v", i, got.err, got.result.changed)
		}
	}
}

// A second command on a visit and commands with unknown ids are written alone; a rejected command returns its error.
func TestABatchLeavesOutCommandsThatItCannotDecide(t *testing.T) {
	s, ids := withVisits(t, 4)
	stale, ctx := int64(7), t.Context()
	late, unknownConsultant := approval(ctx, ids[1]), approval(ctx, ids[2])
	late.want.Version, unknownConsultant.consultant = &stale, "c2"
	cases := []struct {
		name    string
		command *command
		err     error
	}{
		{"the first decision of a visit", approval(ctx, ids[0]), nil},
		{"the second decision of a visit", approval(ctx, ids[0]), errAgain},
		{"a stale version", late, visit.ErrStale},
		{"an unknown consultant", unknownConsultant, errAgain},
		{"an unknown visit", approval(ctx, uuid.NewString()), errAgain},
		{"a decision of another visit", approval(ctx, ids[3]), nil},
	}
	var batch []*command
	for _, c := range cases {
		batch = append(batch, c.command)
	}
	for i, got := range s.commit(batch) {
		if c := cases[i]; !errors.Is(got.err, c.err) || got.result.changed != (c.err == nil) {
			t.Errorf("%s: %v, changed %v", c.name, got.err, got.result.changed)
		}
	}
	again := s.commit([]*command{approval(ctx, ids[0])})[0]
	if again.err != nil || again.result.changed || again.result.snapshot.Visit.Version != 2 {
		t.Errorf("a repetition: %v, %+v", again.err, again.result)
	}
}

// A decision alone in its batch that waits for another transaction's decision, which assigns the visit, is answered by
// the rules.
func TestADecisionWhoseVisitIsAssignedMeanwhileIsWrittenAgain(t *testing.T) {
	s, ids := withVisits(t, 1)
	denial := &command{
		ctx: t.Context(), by: visit.Actor{ID: "p2", Name: "The other PA", Role: contract.RolePA}, id: ids[0],
		want: visit.Request{Action: visit.Deny},
	}
	denied := make(chan error, 1)
	err := s.outbox.InTx(t.Context(), func(tx pgx.Tx) error {
		if _, err := s.writeIn(t.Context(), tx, []*command{approval(t.Context(), ids[0])}); err != nil {
			return err
		}
		go func() {
			_, err := s.do(denial, s.decisions)
			denied <- err
		}()
		return awaitBlocked(t.Context(), s.store.pool)
	})
	if err != nil {
		t.Fatal(err)
	}
	var decided *visit.DecidedError
	if err := <-denied; !errors.As(err, &decided) {
		t.Errorf("the second decision is answered %v", err)
	}
}

// awaitBlocked waits until a session of the database waits for a lock.
func awaitBlocked(ctx context.Context, pool *pgxpool.Pool) error {
	const waits = `
SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
	for {
		var count int
		if err := pool.QueryRow(ctx, waits).Scan(&count); err != nil || count > 0 {
			return err
		}
		time.Sleep(time.Millisecond)
	}
}

// A key that has an answer is answered with it before any rule, also in a batch: a registration whose appointment has
// its visit by now, and a Next whose visitor is in session by now.
func TestAKeyIsAnsweredBeforeAnyRuleInABatch(t *testing.T) {
	s, _ := withVisits(t, 0)
	ctx, service, appointment := t.Context(), uuid.NewString(), uuid.NewString()
	const offered = `INSERT INTO services VALUES ($1, 'ITR Filing', true)`
	const booked = `INSERT INTO appointments (id, service_name, slot, status)
		SELECT $1, 'ITR Filing', (now() AT TIME ZONE 'Asia/Kolkata')::date + interval '23 hours', 'confirmed'`
	for statement, arg := range map[string]string{offered: service, booked: appointment} {
		if _, err := s.store.pool.Exec(ctx, statement, arg); err != nil {
			t.Fatal(err)
		}
	}
	register := func(key, appointment string) *command {
		by := visit.Actor{ID: "r", Name: "Reception", Role: contract.RoleReception}
		req := createVisit{Name: "Asha", Phone: "9876543210", ServiceID: service, AppointmentID: appointment}
		of, err := idempotency.Of(by.ID, createRoute, key, req)
		if err != nil {
			t.Fatal(err)
		}
		return registration(ctx, by, req.newVisit(newID(), by), of)
	}
	next := func(key string) *command {
		by := visit.Actor{ID: "c1", Name: "The consultant", Role: contract.RoleConsultant}
		of, err := idempotency.Of(by.ID, "POST /api/visits/next", key, nil)
		if err != nil {
			t.Fatal(err)
		}
		return &command{ctx: ctx, by: by, consultant: "c1", key: of, want: visit.Request{Action: visit.Next}}
	}
	first, err := s.do(register("key-of-asha", appointment), nil)
	if err != nil {
		t.Fatal(err)
	}
	approve := approval(ctx, first.snapshot.Visit.ID)
	start := &command{ctx: ctx, by: next("").by, id: approve.id, want: visit.Request{Action: visit.Start}}
	for _, c := range []*command{approve, next("key-of-next"), start} {
		if _, err := s.do(c, nil); err != nil {
			t.Fatal(err)
		}
	}
	registrations := []*command{
		register("another-key", ""), register("key-of-asha", appointment), register("new-key", appointment),
	}
	for i, got := range s.commit(registrations) {
		if want := []error{nil, errAgain, errAppointmentUnknown}[i]; !errors.Is(got.err, want) {
			t.Errorf("registration %d of the batch: %v, want %v", i, got.err, want)
		}
	}
	other := next("key-of-the-other")
	other.consultant = "c2"
	for key, want := range map[string]error{"key-of-next": errAgain, "new-key": visit.ErrSessionActive} {
		if got := s.commit([]*command{other, next(key)})[1]; !errors.Is(got.err, want) {
			t.Errorf("Next of the batch with %s: %v, want %v", key, got.err, want)
		}
	}
	if again, err := s.do(next("key-of-next"), s.nexts); err != nil || !again.next.replayed {
		t.Errorf("the repeated Next: %v", err)
	}
	if again, err := s.do(register("key-of-asha", appointment), s.registrations); err != nil || again.replayed == nil {
		t.Errorf("the repeated registration: %v", err)
	}
}
