package postgres_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"

	"github.com/jackc/pgx/v5"

	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/postgres"
)

func TestAStartingReplicaWaitsForAnother(t *testing.T) {
	db := shop(t)
	calls := 0
	err := postgres.AtStart(t.Context(), func(ctx context.Context) error {
		return postgres.InTx(ctx, db.Pool, func(tx pgx.Tx) error { return raise(ctx, "55P03", 2, &calls)(tx) })
	})
	if err != nil || calls != 3 {
		t.Errorf("%d calls, %v", calls, err)
	}
}

func TestAtStartRetriesOnlyABusyDatabase(t *testing.T) {
	broken := errors.New("broken")
	calls := 0
	err := postgres.AtStart(t.Context(), func(context.Context) error { calls++; return broken })
	if !errors.Is(err, broken) || calls != 1 {
		t.Errorf("%d calls, %v", calls, err)
	}
}

func TestTheStartFailsAfterAMinuteOfABusyDatabase(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		if err := postgres.AtStart(t.Context(), func(context.Context) error {
			return fault.ErrBusy
		}); !errors.Is(err, fault.ErrBusy) {
			t.Errorf("ended with %v", err)
		}
	})
}
