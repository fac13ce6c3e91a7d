package visits

import (
	"context"
	"errors"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"baari.dev/services/contract"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/testkit"
	"baari.dev/services/visits/visit"
)

// waitingRoom is a service with so many visitors who wait, and a consultant.
func waitingRoom(t *testing.T, count int) (s *Service, ids []string) {
	t.Helper()
	db := testkit.NewDatabase(t, Migrations()...)
	if err := outbox.EnsureStream(t.Context(), db.Pool, contract.SourceVisits); err != nil {
		t.Fatal(err)
	}
	if _, err := db.Pool.Exec(t.Context(), `INSERT INTO consultants VALUES ('c1', 'The consultant', true)`); err != nil {
		t.Fatal(err)
	}
	s = New(db.Pool, outbox.New(contract.SourceVisits, db.Pool), nil, "Asia/Kolkata")
	visits := make([]visit.Visit, count)
	for i := range visits {
		visits[i] = visit.Visit{ID: uuid.NewString(), Name: "Asha", Phone: "9876543210", ServiceID: uuid.NewString(), CreatedBy: "r", CreatedByName: "Reception"}
		ids = append(ids, visits[i].ID)
	}
	err := s.outbox.InTx(t.Context(), func(tx pgx.Tx) error {
		_, err := s.store.create(t.Context(), tx, visits)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return s, ids
}

func approval(ctx context.Context, id string) *decision {
	by := visit.Actor{ID: "p", Name: "The PA", Role: contract.RolePA}
	return &decision{joining: newJoining(ctx), by: by, req: changeStatus{ID: id, To: visit.Approved, ConsultantID: "c1"}}
}

// counted is a transaction that counts what is sent to the server.
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

func TestManyDecisionsAreAsManyStatementsAsOne(t *testing.T) {
	const most = 40
	s, ids := waitingRoom(t, 1+most)
	for _, batchIDs := range [][]string{ids[:1], ids[1:]} {
		var batch []*decision
		for _, id := range batchIDs {
			batch = append(batch, approval(t.Context(), id))
		}
		var sent *counted
		var verdicts map[*decision]verdict
		err := s.outbox.InTx(t.Context(), func(tx pgx.Tx) (err error) {
			sent = &counted{Tx: tx}
			verdicts, err = s.decideAll(t.Context(), sent, batch)
			return err
		})
		if err != nil || sent.statements != 4 || sent.trips != 3 {
			t.Errorf("%d decisions: %d statements in %d round trips, %v", len(batch), sent.statements, sent.trips, err)
		}
		for _, d := range batch {
			if got := verdicts[d]; !got.changed || got.now.Visit.ID != d.req.ID || *got.now.Visit.ConsultantName != "The consultant" {
				t.Errorf("a decision came to %+v", got)
			}
		}
	}
}

// Nobody else's decision fails because the first of a batch has left, and what the gone one asked for is made as well.
func TestWhoeverLeavesTakesNobodyAlong(t *testing.T) {
	s, ids := waitingRoom(t, 2)
	gone, leave := context.WithCancel(t.Context())
	leave()
	batch := []*decision{approval(gone, ids[0]), approval(t.Context(), ids[1])}
	s.decideJoined(batch)
	for i, d := range batch {
		if err := <-d.settled; err != nil || !d.changed {
			t.Errorf("decision %d: %v, made %v", i, err, d.changed)
		}
	}
}

// The second about a visit, and whoever asks for what is unknown here, find out by themselves; who is refused hears why.
func TestOfABatchOnlyThoseWhoCanBeJudgedAre(t *testing.T) {
	s, ids := waitingRoom(t, 4)
	stale, ctx := int64(7), t.Context()
	first, second, late, strange := approval(ctx, ids[0]), approval(ctx, ids[0]), approval(ctx, ids[1]), approval(ctx, ids[2])
	unknown, fine := approval(ctx, uuid.NewString()), approval(ctx, ids[3])
	late.req.Version, strange.req.ConsultantID = &stale, "c2"
	s.decideJoined([]*decision{first, second, late, strange, unknown, fine})
	for d, want := range map[*decision]error{first: nil, second: errAlone, late: visit.ErrStale, strange: errAlone, unknown: errAlone, fine: nil} {
		if err := <-d.settled; !errors.Is(err, want) || d.changed != (want == nil) {
			t.Errorf("%s for %s: %v, made %v", d.req.ID, d.req.ConsultantID, err, d.changed)
		}
	}
	again := approval(ctx, ids[0])
	s.decideJoined([]*decision{again})
	if err := <-again.settled; err != nil || again.changed || again.now.Visit.Version != 2 {
		t.Errorf("asked again: %v, made %v, %+v", err, again.changed, again.now.Visit)
	}
}
