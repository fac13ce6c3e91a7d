package directory

import (
	"context"
	"errors"
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/jackc/pgx/v5"

	"baari.dev/services/contract"
	"baari.dev/services/directory/office"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/postgres"
)

const selectOfferedServices = `
SELECT name, description, est_minutes FROM services WHERE is_active ORDER BY place NULLS LAST, lower(name)`

// Office answers the office document with the active services of the database.
func (d *Directory) Office(ctx context.Context) (office.Document, error) {
	document := *d.office.Load()
	rows, err := d.pool.Query(ctx, selectOfferedServices)
	if err != nil {
		return document, postgres.Classify(err)
	}
	document.Services, err = pgx.CollectRows(rows, pgx.RowToStructByPos[office.Service])
	return document, postgres.Classify(err)
}

// Reload replaces the office document. A document with another time zone is rejected: the days of stored rows would be
// wrong.
func (d *Directory) Reload(ctx context.Context, document office.Document) error {
	if document.TimeZone != d.zone {
		return fmt.Errorf("key /timeZone: the zone %s cannot change while the services run", d.zone)
	}
	d.office.Store(&document)
	return d.publishOffice(ctx)
}

const lockOffice = `SELECT pg_advisory_xact_lock(hashtextextended('directory:office', 0))`

const selectOffice = `SELECT document, document = $1::jsonb FROM office`

const saveOffice = `
INSERT INTO office (document) VALUES ($1) ON CONFLICT (only_row) DO UPDATE SET document = EXCLUDED.document`

// publishOffice appends an event when the document differs from the last published one.
func (d *Directory) publishOffice(ctx context.Context) error {
	document, err := json.Marshal(d.office.Load())
	if err != nil {
		return err
	}
	return d.outbox.InTx(ctx, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, lockOffice); err != nil {
			return err
		}
		var last []byte
		var same bool
		err := tx.QueryRow(ctx, selectOffice, document).Scan(&last, &same)
		if err != nil && !errors.Is(err, pgx.ErrNoRows) || same {
			return err
		}
		if _, err := tx.Exec(ctx, saveOffice, document); err != nil {
			return err
		}
		change := outbox.Change{Type: contract.OfficeLoaded, Entity: contract.EntityOffice, EntityID: "office", After: jsontext.Value(document)}
		if last != nil {
			change.Before = jsontext.Value(last)
		}
		return outbox.Append(ctx, tx, change)
	})
}
