package visits

import (
	"context"

	"github.com/jackc/pgx/v5"

	"baari.dev/services/platform/postgres"
	"baari.dev/services/visits/visit"
)

var lockOne = `
WITH v AS MATERIALIZED (SELECT * FROM visits WHERE id = ANY (@ids::uuid[]) FOR UPDATE)
SELECT ` + columns + `,` + readPointColumns + lastColumns + ` FROM v` + lastJoin

// lockVisit locks one visit until the transaction ends and reads it.
func (db *DB) lockVisit(ctx context.Context, tx pgx.Tx, id string) (found snapshot, exists bool, err error) {
	rows, err := tx.Query(ctx, lockOne, postgres.Args{"zone": db.zone, "ids": []string{id}})
	list, err := collect(rows, err)
	if err != nil || len(list) == 0 {
		return snapshot{}, false, err
	}
	return list[0], true, nil
}

// lockFor locks a visit until the transaction ends, and returns it if the caller may do something with it. Errors:
// not_found, and those of may.
func (db *DB) lockFor(
	ctx context.Context, tx pgx.Tx, id string, may func(visit.Visit, visit.Actor) error,
) (visit.Visit, error) {
	found, exists, err := db.lockVisit(ctx, tx, id)
	switch {
	case err != nil:
	case !exists:
		err = errNoVisit
	default:
		err = may(found.Visit, actor(ctx))
	}
	if err != nil {
		return visit.Visit{}, postgres.Classify(apiError(err))
	}
	return found.Visit, nil
}
