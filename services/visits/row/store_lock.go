package row

import (
	"context"

	"github.com/jackc/pgx/v5"

	"baari.dev/services/platform/postgres"
	"baari.dev/services/visits/visit"
)

// LockOne locks the visits of @ids and returns rows that Collect can read.
var LockOne = `
WITH v AS MATERIALIZED (SELECT * FROM visits WHERE id = ANY (@ids::uuid[]) FOR UPDATE)
SELECT ` + Columns + `,` + PointColumns + LastColumns + ` FROM v` + LastJoin

// LockVisit locks one visit until the transaction ends and reads it.
func (db *DB) LockVisit(ctx context.Context, tx pgx.Tx, id string) (found Snapshot, exists bool, err error) {
	rows, err := tx.Query(ctx, LockOne, postgres.Args{"zone": db.Zone, "ids": []string{id}})
	list, err := Collect(rows, err)
	if err != nil || len(list) == 0 {
		return Snapshot{}, false, err
	}
	return list[0], true, nil
}

// LockFor locks a visit until the transaction ends, and returns it if a check allows the caller to use it. Errors:
// not_found, and those of the check.
func (db *DB) LockFor(
	ctx context.Context, tx pgx.Tx, id string, may func(visit.Visit, visit.Actor) error,
) (visit.Visit, error) {
	found, exists, err := db.LockVisit(ctx, tx, id)
	switch {
	case err != nil:
	case !exists:
		err = ErrNoVisit
	default:
		err = may(found.Visit, Actor(ctx))
	}
	if err != nil {
		return visit.Visit{}, postgres.Classify(APIError(err))
	}
	return found.Visit, nil
}
