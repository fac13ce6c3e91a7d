package queue

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/prometheus/client_golang/prometheus"

	"baari.dev/services/contract"
	"baari.dev/services/operate"
	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/idempotency"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/testkit"
	"baari.dev/services/visits/catalog"
	"baari.dev/services/visits/forecast"
	"baari.dev/services/visits/migrations"
	"baari.dev/services/visits/papers"
	"baari.dev/services/visits/privacy"
	"baari.dev/services/visits/row"
	"baari.dev/services/visits/visit"
)

// queueOver returns a queue that calls no other service.
func queueOver(db *row.DB, o *outbox.Outbox) *Queue {
	registry := prometheus.NewRegistry()
	privacy := privacy.New(db, o, papers.New(db, o), operate.Installation{}, registry)
	return New(db, o, catalog.New(db.Pool, nil), privacy, forecast.New(db, db, registry), registry)
}

// withVisits returns a queue with a consultant and count new visits.
func withVisits(t *testing.T, count int) (q *Queue, ids []string) {
	t.Helper()
	db := testkit.NewDatabase(t, migrations.All()...)
	if err := outbox.EnsureStream(t.Context(), db.Pool, contract.SourceVisits); err != nil {
		t.Fatal(err)
	}
	const consultant = `INSERT INTO consultants VALUES ('c1', 'The consultant', true)`
	if _, err := db.Pool.Exec(t.Context(), consultant); err != nil {
		t.Fatal(err)
	}
	o := outbox.New(contract.SourceVisits, db.Pool)
	q = queueOver(row.NewDB(db.Pool, "Asia/Kolkata"), o)
	registrations := make([]*planned, count)
	for i := range registrations {
		req := Form{Name: "Asha", Phone: "9876543210", ServiceID: uuid.NewString()}
		v := req.Visit(row.NewID(), visit.Actor{ID: "r", Name: "Reception"})
		registrations[i] = &planned{Origin: &Origin{}, registration: &Registration{}, after: v}
		ids = append(ids, registrations[i].after.ID)
	}
	err := q.outbox.InTx(t.Context(), func(tx pgx.Tx) error {
		_, err := q.store.insert(t.Context(), tx, registrations)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return q, ids
}

func approval(ctx context.Context, id string) *Change {
	by := visit.Actor{ID: "p", Name: "The PA", Role: contract.RolePA}
	return &Change{
		Origin: Origin{Context: ctx, By: by}, VisitID: id, Consultant: "c1", Want: visit.Request{Action: visit.Approve},
	}
}

// counted is a transaction that counts its statements and its round trips to the server.
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
	q, ids := withVisits(t, 1+most)
	for _, batchIDs := range [][]string{ids[:1], ids[1:]} {
		var batch []*Change
		for _, id := range batchIDs {
			batch = append(batch, approval(t.Context(), id))
		}
		wanted := 6
		if len(batch) == 1 { // the consultant's sessions are also locked
			wanted++
		}
		var sent *counted
		var replies []reply[Outcome]
		err := q.outbox.InTx(t.Context(), func(tx pgx.Tx) (err error) {
			sent = &counted{Tx: tx}
			replies, err = q.writeChanges(t.Context(), sent, batch)
			return err
		})
		if err != nil || sent.statements != wanted || sent.trips != 3 {
			t.Errorf("%d decisions: %d statements in %d round trips, %v", len(batch), sent.statements, sent.trips, err)
		}
		for i, got := range replies {
			now := got.result.Snapshot.Visit
			if !got.result.Changed || now.ID != batchIDs[i] || *now.ConsultantName != "The consultant" {
				t.Errorf("the reply to decision %d is %+v", i, got)
			}
		}
	}
}

// If the first client of a batch disconnects, the whole batch is committed, including the command of that client.
func TestADisconnectedClientDoesNotFailItsBatch(t *testing.T) {
	q, ids := withVisits(t, 2)
	gone, leave := context.WithCancel(t.Context())
	leave()
	replies := q.changes.commit([]*Change{approval(gone, ids[0]), approval(t.Context(), ids[1])})
	for i, got := range replies {
		if got.err != nil || !got.result.Changed {
			t.Errorf("decision %d: %v, changed %v", i, got.err, got.result.Changed)
		}
	}
}

// A second command about a visit and commands with unknown ids are written alone; a rejected command returns its error.
func TestABatchLeavesOutCommandsThatItCannotDecide(t *testing.T) {
	q, ids := withVisits(t, 4)
	stale, ctx := int64(7), t.Context()
	late, unknownConsultant := approval(ctx, ids[1]), approval(ctx, ids[2])
	late.Want.Version, unknownConsultant.Consultant = &stale, "c2"
	cases := []struct {
		name    string
		command *Change
		err     error
	}{
		{"the first decision of a visit", approval(ctx, ids[0]), nil},
		{"the second decision of a visit", approval(ctx, ids[0]), errAgain},
		{"a stale version", late, visit.ErrStale},
		{"an unknown consultant", unknownConsultant, errAgain},
		{"an unknown visit", approval(ctx, uuid.NewString()), errAgain},
		{"a decision of another visit", approval(ctx, ids[3]), nil},
	}
	var batch []*Change
	for _, c := range cases {
		batch = append(batch, c.command)
	}
	for i, got := range q.changes.commit(batch) {
		if c := cases[i]; !errors.Is(got.err, c.err) || got.result.Changed != (c.err == nil) {
			t.Errorf("%s: %v, changed %v", c.name, got.err, got.result.Changed)
		}
	}
	again := q.changes.commit([]*Change{approval(ctx, ids[0])})[0]
	if again.err != nil || again.result.Changed || again.result.Snapshot.Visit.Version != 2 {
		t.Errorf("a repetition: %v, %+v", again.err, again.result)
	}
}

// A decision alone in its batch waits for another transaction's decision, which assigns the visit. It then gets the
// response of the rules.
func TestADecisionWhoseVisitIsAssignedMeanwhileIsWrittenAgain(t *testing.T) {
	q, ids := withVisits(t, 1)
	other := visit.Actor{ID: "p2", Name: "The other PA", Role: contract.RolePA}
	denial := &Change{
		Origin: Origin{Context: t.Context(), By: other}, VisitID: ids[0], Want: visit.Request{Action: visit.Deny},
	}
	denied := make(chan error, 1)
	err := q.outbox.InTx(t.Context(), func(tx pgx.Tx) error {
		if _, err := q.DoIn(tx, approval(t.Context(), ids[0])); err != nil {
			return err
		}
		go func() {
			var err error = fault.ErrBusy
			for errors.Is(err, fault.ErrBusy) { // Clients repeat such calls.
				_, err = q.Do(denial)
			}
			denied <- err
		}()
		return awaitBlocked(t.Context(), q.store.Pool)
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

// A key's stored response takes precedence over any rule, also in a batch. The cases are a registration whose
// appointment has a visit by now, and a Next whose visitor is in session by now.
func TestAKeyIsAnsweredBeforeAnyRuleInABatch(t *testing.T) {
	q, _ := withVisits(t, 0)
	ctx, service, appointment := t.Context(), uuid.NewString(), uuid.NewString()
	const offered = `INSERT INTO services VALUES ($1, 'ITR Filing', true)`
	const booked = `INSERT INTO appointments (id, service_name, slot, status)
		SELECT $1, 'ITR Filing', (now() AT TIME ZONE 'Asia/Kolkata')::date + interval '23 hours', 'confirmed'`
	for statement, arg := range map[string]string{offered: service, booked: appointment} {
		if _, err := q.store.Pool.Exec(ctx, statement, arg); err != nil {
			t.Fatal(err)
		}
	}
	register := func(key, appointment string) *Registration {
		by := visit.Actor{ID: "r", Name: "Reception", Role: contract.RoleReception}
		req := Form{Name: "Asha", Phone: "9876543210", ServiceID: service, AppointmentID: appointment}
		of, err := idempotency.Of(by.ID, RegistrationScope, key, req)
		if err != nil {
			t.Fatal(err)
		}
		return &Registration{Origin: Origin{Context: ctx, By: by, Key: of}, Visit: req.Visit(row.NewID(), by)}
	}
	next := func(key string) *Next {
		by := visit.Actor{ID: "c1", Name: "The consultant", Role: contract.RoleConsultant}
		of, err := idempotency.Of(by.ID, "POST /api/visits/next", key, nil)
		if err != nil {
			t.Fatal(err)
		}
		return &Next{Origin: Origin{Context: ctx, By: by, Key: of}, Consultant: "c1"}
	}
	first, err := q.registrations.do(register("key-of-asha", appointment), false)
	if err != nil {
		t.Fatal(err)
	}
	approve, called := approval(ctx, first.Snapshot.Visit.ID), next("key-of-next")
	start := &Change{
		Origin: Origin{Context: ctx, By: called.By}, VisitID: approve.VisitID, Want: visit.Request{Action: visit.Start},
	}
	for _, do := range []func() (Outcome, error){
		func() (Outcome, error) { return q.changes.do(approve, false) },
		func() (Outcome, error) { return q.nexts.do(called, false) },
		func() (Outcome, error) { return q.changes.do(start, false) },
	} {
		if _, err := do(); err != nil {
			t.Fatal(err)
		}
	}
	registrations := []*Registration{
		register("another-key", ""), register("key-of-asha", appointment), register("new-key", appointment),
	}
	for i, got := range q.registrations.commit(registrations) {
		if want := []error{nil, errAgain, catalog.ErrAppointmentUnknown}[i]; !errors.Is(got.err, want) {
			t.Errorf("registration %d of the batch: %v, want %v", i, got.err, want)
		}
	}
	other := next("key-of-the-other")
	other.Consultant = "c2"
	for key, want := range map[string]error{"key-of-next": errAgain, "new-key": visit.ErrSessionActive} {
		if got := q.nexts.commit([]*Next{other, next(key)})[1]; !errors.Is(got.err, want) {
			t.Errorf("Next of the batch with %s: %v, want %v", key, got.err, want)
		}
	}
	if again, err := q.nexts.do(next("key-of-next"), true); err != nil || !again.next.replayed {
		t.Errorf("the repeated Next: %v", err)
	}
	if again, err := q.registrations.do(register("key-of-asha", appointment), true); err != nil || again.Replayed == nil {
		t.Errorf("the repeated registration: %v", err)
	}
}
