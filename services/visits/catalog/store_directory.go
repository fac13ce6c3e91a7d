package catalog

import (
	"context"
	"maps"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/jackc/pgx/v5"

	"baari.dev/services/contract"
	"baari.dev/services/office"
	"baari.dev/services/platform/postgres"
)

// This file has the SQL of the copy of directory: services, due_dates, consultants, appointments and office.

const upsertService = `
INSERT INTO services (id, name, is_active, est_minutes, due_group) VALUES ($1, $2, $3, $4, nullif($5, ''))
ON CONFLICT (id) DO UPDATE SET name = EXCLUDED.name, is_active = EXCLUDED.is_active,
  est_minutes = EXCLUDED.est_minutes, due_group = EXCLUDED.due_group`

func (*Directory) keepService(ctx context.Context, tx pgx.Tx, s contract.Service) error {
	_, err := tx.Exec(ctx, upsertService, s.ID, s.Name, s.IsActive, s.EstMinutes, s.Group)
	return err
}

const upsertDueDate = `
INSERT INTO due_dates (id, due_group, due_on, months, day, moved_from, moved_to, is_active)
VALUES ($1, $2, nullif($3, '')::date, $4, $5, nullif($6, '')::date, nullif($7, '')::date, $8)
ON CONFLICT (id) DO UPDATE SET due_group = EXCLUDED.due_group, due_on = EXCLUDED.due_on, months = EXCLUDED.months,
  day = EXCLUDED.day, moved_from = EXCLUDED.moved_from, moved_to = EXCLUDED.moved_to, is_active = EXCLUDED.is_active`

func (*Directory) keepDueDate(ctx context.Context, tx pgx.Tx, d contract.DueDate) error {
	months := d.Months
	if months == nil {
		months = []int{}
	}
	_, err := tx.Exec(ctx, upsertDueDate, d.ID, d.Group, d.Date, months, d.Day, d.MovedFrom, d.MovedTo, d.IsActive)
	return err
}

const upsertConsultant = `
INSERT INTO consultants (id, name, is_active, serves, counter) VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (id) DO UPDATE SET name = EXCLUDED.name, is_active = EXCLUDED.is_active, serves = EXCLUDED.serves,
  counter = coalesce(EXCLUDED.counter, consultants.counter)`

// keepConsultant stores a consultant. If an older directory sends no counter, the stored counter is kept.
func (*Directory) keepConsultant(ctx context.Context, tx pgx.Tx, c contract.Consultant) error {
	serves := c.Serves
	if serves == nil {
		serves = []string{}
	}
	_, err := tx.Exec(ctx, upsertConsultant, c.ID, c.Name, c.IsActive, serves, c.Counter)
	return err
}

// keepNotices also adds the stored version, because a release without notice_versions may have written it.
const (
	keepNotices = `
INSERT INTO notice_versions SELECT notice_version FROM office UNION SELECT $1::text ON CONFLICT DO NOTHING`
	// A replica of the previous release reads hours and does not write the columns after notice_languages, so a row that
	// it has written has a version that its other values do not have. The same version replaces such a row.
	upsertOffice = `
INSERT INTO office AS stored
  (notice_version, policy, hours, language, notice_languages, days, brand, contact, version)
VALUES ($1, $2, $3, ($4::text[])[1], $5, $6, $7, $8, $9)
ON CONFLICT (only_row) DO UPDATE SET
  notice_version = EXCLUDED.notice_version, policy = EXCLUDED.policy, hours = EXCLUDED.hours,
  language = EXCLUDED.language, notice_languages = EXCLUDED.notice_languages, days = EXCLUDED.days,
  brand = EXCLUDED.brand, contact = EXCLUDED.contact, version = EXCLUDED.version
WHERE coalesce(stored.version, 0) <= EXCLUDED.version`
)

// keepOffice stores a version of the office document unless the stored version is higher.
func (*Directory) keepOffice(ctx context.Context, tx pgx.Tx, document officeCopy) error {
	notice := append([]string{office.NoticeLanguage}, slices.Sorted(maps.Keys(document.Notice.Translations))...)
	if _, err := tx.Exec(ctx, keepNotices, document.Notice.Version); err != nil {
		return err
	}
	days, err := json.Marshal(officeDays{document.Hours, document.Yearly, document.SpecialDays})
	if err != nil {
		return err
	}
	_, err = tx.Exec(
		ctx, upsertOffice, document.Notice.Version, document.Queue, document.Hours, document.Languages, notice,
		days, document.Brand, document.Notice.Contact, document.Version,
	)
	return err
}

const selectVersion = `SELECT coalesce(max(version), 0) FROM office`

func (d *Directory) officeVersion(ctx context.Context) (version int64, err error) {
	err = d.pool.QueryRow(ctx, selectVersion).Scan(&version)
	return version, err
}

// A release without versions publishes version 0. Such an event is applied in the order of the feed, and its row takes
// the next version, whichever it is.
const upsertAppointment = `
INSERT INTO appointments AS stored (id, service_name, slot, status, service_id, consultant_id, version)
VALUES ($1, $2, $3::date + $4::time, $5, nullif($6, '')::uuid, nullif($7, ''), $8)
ON CONFLICT (id) DO UPDATE SET service_name = EXCLUDED.service_name, slot = EXCLUDED.slot, status = EXCLUDED.status,
  service_id = CASE WHEN EXCLUDED.version > 0 THEN EXCLUDED.service_id ELSE stored.service_id END,
  consultant_id = CASE WHEN EXCLUDED.version > 0 THEN EXCLUDED.consultant_id ELSE stored.consultant_id END,
  version = EXCLUDED.version
WHERE EXCLUDED.version = 0 OR EXCLUDED.version > coalesce(stored.version, 0)`

// keepAppointment stores an appointment, without the data of the person, unless the stored version is as high.
func (*Directory) keepAppointment(ctx context.Context, tx pgx.Tx, a contract.Appointment) error {
	_, err := tx.Exec(ctx, upsertAppointment, a.ID, a.Service, a.PreferredDate, a.PreferredTime, a.Status, a.ServiceID,
		a.ConsultantID, a.Version)
	return err
}

// readAgain sets the cursor back if a column was never written, because a release without these columns may have moved
// the cursor past events that have values for them.
const readAgain = `
UPDATE feed_cursor SET epoch = '', seq = 0 WHERE source = 'directory' AND (
  EXISTS (SELECT FROM office WHERE hours IS NULL OR notice_languages IS NULL OR version IS NULL)
  OR EXISTS (SELECT FROM consultants WHERE serves IS NULL) OR EXISTS (SELECT FROM services WHERE est_minutes IS NULL))`

// ReadAgain makes the copy read directory's feed from its beginning if it lacks values of newer columns.
func (d *Directory) ReadAgain(ctx context.Context) error {
	_, err := d.pool.Exec(ctx, readAgain)
	return err
}

const emptyCopies = `DELETE FROM services; DELETE FROM consultants; DELETE FROM office;
  DELETE FROM appointments; DELETE FROM due_dates`

func (*Directory) emptyCopies(ctx context.Context, tx pgx.Tx) error {
	_, err := tx.Conn().PgConn().Exec(ctx, emptyCopies).ReadAll()
	return err
}

const knowsService = `SELECT EXISTS (SELECT FROM services WHERE id = $1)`

func (d *Directory) hasService(ctx context.Context, id string) (has bool, err error) {
	err = d.pool.QueryRow(ctx, knowsService, id).Scan(&has)
	return has, err
}

const nameOfConsultant = `SELECT coalesce((SELECT name FROM consultants WHERE id = $1), '')`

// ConsultantName returns the name of a consultant of the copy, or "" for any other id.
func (d *Directory) ConsultantName(ctx context.Context, id string) (name string, err error) {
	err = d.pool.QueryRow(ctx, nameOfConsultant, id).Scan(&name)
	return name, postgres.Classify(err)
}

const knowsConsultant = `SELECT EXISTS (SELECT FROM consultants WHERE id = $1)`

func (d *Directory) hasConsultant(ctx context.Context, id string) (has bool, err error) {
	err = d.pool.QueryRow(ctx, knowsConsultant, id).Scan(&has)
	return has, err
}
