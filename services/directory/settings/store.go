package settings

import (
	"context"
	"errors"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"baari.dev/services/office"
	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/postgres"
)

// store executes the SQL of the package. A method with a transaction returns PostgreSQL's errors as they are:
// outbox.InTx classifies them. Other methods classify them.
type store struct {
	pool *pgxpool.Pool
}

// author is who made a version or ticked an item. Both fields are empty for the system.
type author struct {
	ID, Name string
}

// stamp says when a section or the document was last changed, and by whom.
type stamp struct {
	Version int64
	At      time.Time
	By      author
}

// state is the last version, its text and the last change of each section.
type state struct {
	Current
	raw      []byte // nil: nothing was published before
	sections map[string]stamp
}

// Releases without versions take the same lock before they publish the document.
const lockOffice = `SELECT pg_advisory_xact_lock(hashtextextended('directory:office', 0))`

const selectLast = `SELECT version, document FROM office_versions ORDER BY version DESC LIMIT 1`

const selectStamps = `
SELECT DISTINCT ON (section) section, version, changed_at, coalesce(changed_by, ''), coalesce(changed_by_name, '')
FROM office_versions, unnest(sections) AS section ORDER BY section, version DESC`

// lock takes the lock for new versions, which is held until the transaction ends, and returns the last version; its
// Version is 0 if there is none.
func (s *store) lock(ctx context.Context, tx pgx.Tx) (state, error) {
	if _, err := tx.Exec(ctx, lockOffice); err != nil {
		return state{}, err
	}
	return readState(ctx, tx)
}

type querier interface {
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
}

func readState(ctx context.Context, q querier) (last state, err error) {
	err = q.QueryRow(ctx, selectLast).Scan(&last.Version, &last.raw)
	if errors.Is(err, pgx.ErrNoRows) {
		return last, nil
	}
	if err != nil {
		return last, err
	}
	if last.Document, err = office.Stored(last.raw); err != nil {
		return last, err
	}
	rows, err := q.Query(ctx, selectStamps)
	if err != nil {
		return last, err
	}
	last.sections = map[string]stamp{}
	var key string
	var one stamp
	_, err = pgx.ForEachRow(rows, []any{&key, &one.Version, &one.At, &one.By.ID, &one.By.Name}, func() error {
		last.sections[key] = one
		return nil
	})
	return last, err
}

// state reads the last version without a lock.
func (s *store) state(ctx context.Context) (last state, err error) {
	err = pgx.BeginTxFunc(ctx, s.pool, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly},
		func(tx pgx.Tx) error {
			last, err = readState(ctx, tx)
			return err
		})
	return last, postgres.Classify(err)
}

const insertVersion = `
INSERT INTO office_versions (version, document, sections, source, restored_from, changed_by, changed_by_name)
VALUES ($1, $2, $3, $4, $5, nullif($6, ''), nullif($7, ''))`

func (s *store) addVersion(ctx context.Context, tx pgx.Tx, version int64, document []byte, e entry) error {
	_, err := tx.Exec(ctx, insertVersion, version, document, e.Sections, e.Source, e.RestoredFrom, e.By.ID, e.By.Name)
	return err
}

const selectOtherNotice = `
SELECT EXISTS (SELECT FROM office_versions
  WHERE document->'notice'->>'version' = $1 AND document->'notice' <> $2::jsonb)`

// hasOtherNotice reports whether a version of the document has another notice with the same version.
func (s *store) hasOtherNotice(ctx context.Context, q querier, notice office.Notice) (found bool, err error) {
	text, err := json.Marshal(notice)
	if err != nil {
		return false, err
	}
	err = q.QueryRow(ctx, selectOtherNotice, notice.Version, text).Scan(&found)
	return found, err
}

const selectFile = `SELECT document FROM office`

// loadedFile returns the document that a release without versions has loaded last, nil if there is none.
func (s *store) loadedFile(ctx context.Context, tx pgx.Tx) (document []byte, err error) {
	err = tx.QueryRow(ctx, selectFile).Scan(&document)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, nil
	}
	return document, err
}

const upsertFile = `
INSERT INTO office (document) VALUES ($1) ON CONFLICT (only_row) DO UPDATE SET document = EXCLUDED.document`

// saveFile stores the file for a release without versions, which publishes a file that differs from this row.
func (s *store) saveFile(ctx context.Context, tx pgx.Tx, file office.Document) error {
	data, err := json.Marshal(file)
	if err != nil {
		return err
	}
	_, err = tx.Exec(ctx, upsertFile, data)
	return err
}

const selectNewest = `SELECT coalesce(max(version), 0) FROM office_versions`

func (s *store) newest(ctx context.Context) (version int64, err error) {
	err = s.pool.QueryRow(ctx, selectNewest).Scan(&version)
	return version, postgres.Classify(err)
}

const versionColumns = `version, changed_at, coalesce(changed_by, ''), coalesce(changed_by_name, ''), sections, source,
  restored_from`

const selectVersion = `SELECT document, ` + versionColumns + ` FROM office_versions WHERE version = $1`

// version returns the document of a version, or fault.ErrNotFound.
func (s *store) version(ctx context.Context, n int64) (Current, error) {
	_, document, err := s.described(ctx, n)
	return Current{document, n}, err
}

// described returns a version with its document, or fault.ErrNotFound.
func (s *store) described(ctx context.Context, n int64) (version Version, document office.Document, err error) {
	var raw []byte
	err = s.pool.QueryRow(ctx, selectVersion, n).Scan(append([]any{&raw}, version.columns()...)...)
	if errors.Is(err, pgx.ErrNoRows) {
		return version, document, fault.ErrNotFound
	}
	if err != nil {
		return version, document, postgres.Classify(err)
	}
	document, err = office.Stored(raw)
	return version, document, err
}

const selectVersions = `SELECT ` + versionColumns + ` FROM office_versions ORDER BY version DESC LIMIT $1 OFFSET $2`

// versions returns a page of the versions, newest first, and the number of all.
func (s *store) versions(ctx context.Context, limit, skip int) (list []Version, total int, err error) {
	newest, err := s.newest(ctx) // versions are dense
	if err != nil {
		return nil, 0, err
	}
	rows, err := s.pool.Query(ctx, selectVersions, limit, skip)
	if err != nil {
		return nil, 0, postgres.Classify(err)
	}
	list, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (one Version, err error) {
		err = row.Scan(one.columns()...)
		return one, err
	})
	return list, int(newest), postgres.Classify(err)
}

const selectBooked = `
SELECT id::text, name, preferred_date::text, preferred_time FROM appointments
WHERE status IN ('pending', 'confirmed', 'arrived') AND preferred_date >= $1::text::date
ORDER BY preferred_date, preferred_time, created_at, id`

// booked lists the appointments from a day on that have a place in their slot.
func (s *store) booked(ctx context.Context, q querier, from string) ([]booking, error) {
	rows, err := q.Query(ctx, selectBooked, from)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[booking])
}

const countWaiting = `SELECT count(*) FROM assigned_visits WHERE status = 'approved'`

// waiting counts the visitors who wait for a consultant.
func (s *store) waiting(ctx context.Context, q querier) (count int, err error) {
	err = q.QueryRow(ctx, countWaiting).Scan(&count)
	return count, err
}

const (
	selectItems = `SELECT key, done, at, by_id, by_name FROM setup_items`
	upsertItem  = `
INSERT INTO setup_items (key, done, at, by_id, by_name) VALUES ($1, $2, now(), $3, $4)
ON CONFLICT (key) DO UPDATE SET done = EXCLUDED.done, at = EXCLUDED.at, by_id = EXCLUDED.by_id,
  by_name = EXCLUDED.by_name`
	insertItem = `
INSERT INTO setup_items (key, done, at, by_id, by_name) VALUES ($1, true, now(), $2, $3)
ON CONFLICT (key) DO UPDATE SET done = true, at = EXCLUDED.at, by_id = EXCLUDED.by_id, by_name = EXCLUDED.by_name
WHERE NOT setup_items.done`
	// An office with several consultants gives each a number; without a consultant nothing is decided yet.
	countNumbered = `SELECT count(*), count(*) FILTER (WHERE counter <> '') FROM consultants WHERE is_active`
)

// items returns the ticked items by key, and whether the desks have the numbers that they need.
func (s *store) items(ctx context.Context) (items map[string]item, numbered bool, err error) {
	rows, err := s.pool.Query(ctx, selectItems)
	if err != nil {
		return nil, false, postgres.Classify(err)
	}
	items = map[string]item{}
	var key string
	var one item
	_, err = pgx.ForEachRow(rows, []any{&key, &one.Done, &one.At, &one.By.ID, &one.By.Name}, func() error {
		items[key] = one
		return nil
	})
	if err != nil {
		return nil, false, postgres.Classify(err)
	}
	var all, with int
	err = s.pool.QueryRow(ctx, countNumbered).Scan(&all, &with)
	return items, all == 1 || all > 1 && with == all, postgres.Classify(err)
}

func (s *store) tick(ctx context.Context, key string, done bool, by author) error {
	_, err := s.pool.Exec(ctx, upsertItem, key, done, by.ID, by.Name)
	return postgres.Classify(err)
}

// note ticks an item in a transaction, unless it is ticked.
func (s *store) note(ctx context.Context, tx pgx.Tx, key string, by author) error {
	_, err := tx.Exec(ctx, insertItem, key, by.ID, by.Name)
	return err
}
