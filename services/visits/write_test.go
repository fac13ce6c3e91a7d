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

// waitingRoom returns a service with a consultant and count new visits.
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
	drafts := make([]*planned, count)
	for i := range drafts {
		drafts[i] = &planned{command: &command{}, after: visit.Visit{ID: uuid.NewString(), Name: "Asha", Phone: "9876543210",
			ServiceID: uuid.NewString(), Status: visit.New, CreatedBy: "r", CreatedByName: "Reception"}}
		ids = append(ids, drafts[i].after.ID)
	}
	err := s.outbox.InTx(t.Context(), func(tx pgx.Tx) error {
		_, err := s.store.insert(t.Context(), tx, drafts)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return s, ids
}

func approval(ctx context.Context, id string) *command {
	by := visit.Actor{ID: "p", Name: "The PA", Role: contract.RolePA}
	return statusChange(ctx, by, id, visit.Request{To: visit.Approved, ConsultantID: "c1"})
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

func TestManyDecisionsAreAsManyStatementsAsOne(t *testing.T) {
	const most = 40
	s, ids := waitingRoom(t, 1+most)
	for _, batchIDs := range [][]string{ids[:1], ids[1:]} {
		var batch []*command
		for _, id := range batchIDs {
			batch = append(batch, approval(t.Context(), id))
		}
		var sent *counted
		var outcomes map[*command]outcome
		err := s.outbox.InTx(t.Context(), func(tx pgx.Tx) (err error) {
			sent = &counted{Tx: tx}
			outcomes, err = s.writeIn(t.Context(), sent, batch)
			return err
		})
		if err != nil || sent.statements != 4 || sent.trips != 3 {
			t.Errorf("%d decisions: %d statements in %d round trips, %v", len(batch), sent.statements, sent.trips, err)
		}
		for _, d := range batch {
			if got := outcomes[d]; !got.changed || got.now.Visit.ID != d.id || *got.now.Visit.ConsultantName != "The consultant" {
				t.Errorf("a decision came to %+v", got)
			}
		}
	}
}

// When the first client of a batch disconnects, the whole batch is committed, its command included.
func TestADisconnectedClientDoesNotFailItsBatch(t *testing.T) {
	s, ids := waitingRoom(t, 2)
	gone, leave := context.WithCancel(t.Context())
	leave()
	batch := []*command{approval(gone, ids[0]), approval(t.Context(), ids[1])}
	s.commit(batch)
	for i, d := range batch {
		if err := <-d.done; err != nil || !d.changed {
			t.Errorf("decision %d: %v, made %v", i, err, d.changed)
		}
	}
}

// A second command on a visit and commands with unknown ids are written alone; a rejected command returns its error.
func TestCommandsThatABatchCannotDecideHaveNoOutcome(t *testing.T) {
	s, ids := waitingRoom(t, 4)
	stale, ctx := int64(7), t.Context()
	first, second, late, strange := approval(ctx, ids[0]), approval(ctx, ids[0]), approval(ctx, ids[1]), approval(ctx, ids[2])
	unknown, fine := approval(ctx, uuid.NewString()), approval(ctx, ids[3])
	late.want.Version, strange.want.ConsultantID = &stale, "c2"
	s.commit([]*command{first, second, late, strange, unknown, fine})
	for d, want := range map[*command]error{first: nil, second: errAgain, late: visit.ErrStale, strange: errAgain, unknown: errAgain, fine: nil} {
		if err := <-d.done; !errors.Is(err, want) || d.changed != (want == nil) {
			t.Errorf("%s for %s: %v, made %v", d.id, d.want.ConsultantID, err, d.changed)
		}
	}
	again := approval(ctx, ids[0])
	s.commit([]*command{again})
	if err := <-again.done; err != nil || again.changed || again.now.Visit.Version != 2 {
		t.Errorf("asked again: %v, made %v, %+v", err, again.changed, again.now.Visit)
	}
}
