package visits

import (
	"context"
	"errors"
	"net/http"

	"github.com/go-json-experiment/json"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"baari.dev/services/contract"
	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/feed"
	"baari.dev/services/platform/identity"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/postgres"
)

// directory is visits' own copy of services and consultants. It is kept from directory's events; only an id it
// has never heard of is asked for.
type directory struct {
	pool *pgxpool.Pool
	ask  *identity.Client
}

// Projection keeps the copy from directory's feed.
func (d *directory) projection() feed.Sink {
	return &feed.Projection{Pool: d.pool, Source: contract.SourceDirectory, Apply: d.apply, Empty: d.empty}
}

func (d *directory) apply(ctx context.Context, tx pgx.Tx, event outbox.Event) error {
	switch event.Type {
	case contract.ServiceCreated, contract.ServiceUpdated:
		var s contract.Service
		if err := json.Unmarshal(event.After, &s); err != nil {
			return err
		}
		return keepService(ctx, tx, s)
	case contract.ConsultantCreated, contract.ConsultantUpdated:
		var c contract.Consultant
		if err := json.Unmarshal(event.After, &c); err != nil {
			return err
		}
		return keepConsultant(ctx, tx, c)
	case contract.OfficeLoaded:
		var office struct {
			Notice struct {
				Version string `json:"version"`
			} `json:"notice"`
		}
		if err := json.Unmarshal(event.After, &office); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, upsertOffice, office.Notice.Version)
		return err
	}
	return nil
}

const emptyCopies = `DELETE FROM services; DELETE FROM consultants; DELETE FROM office`

func (d *directory) empty(ctx context.Context, tx pgx.Tx) error {
	_, err := tx.Conn().PgConn().Exec(ctx, emptyCopies).ReadAll()
	return err
}

const upsertService = `
INSERT INTO services (id, name, is_active) VALUES ($1, $2, $3)
ON CONFLICT (id) DO UPDATE SET name = EXCLUDED.name, is_active = EXCLUDED.is_active`

const upsertConsultant = `
INSERT INTO consultants (id, name, is_active) VALUES ($1, $2, $3)
ON CONFLICT (id) DO UPDATE SET name = EXCLUDED.name, is_active = EXCLUDED.is_active`

const upsertOffice = `
INSERT INTO office (notice_version) VALUES ($1)
ON CONFLICT (only_row) DO UPDATE SET notice_version = EXCLUDED.notice_version`

func keepService(ctx context.Context, tx pgx.Tx, s contract.Service) error {
	_, err := tx.Exec(ctx, upsertService, s.ID, s.Name, s.IsActive)
	return err
}

func keepConsultant(ctx context.Context, tx pgx.Tx, c contract.Consultant) error {
	_, err := tx.Exec(ctx, upsertConsultant, c.ID, c.Name, c.IsActive)
	return err
}

const selectService = `SELECT name FROM services WHERE id = $1 AND is_active`

// serviceName is the name of an offered service, errServiceUnknown when there is none of this id.
func (d *directory) serviceName(ctx context.Context, tx pgx.Tx, id string) (string, error) {
	return offered(ctx, tx, selectService, id, errServiceUnknown)
}

const selectServices = `
SELECT coalesce(s.name, '')
FROM unnest($1::uuid[]) WITH ORDINALITY AS asked(id, place) LEFT JOIN services s ON s.id = asked.id AND s.is_active
ORDER BY asked.place`

// serviceNames are the names of the services that newcomers ask for, "" where this copy offers none of the id.
func (d *directory) serviceNames(ctx context.Context, tx pgx.Tx, newcomers []*newcomer) ([]string, error) {
	ids := make([]string, len(newcomers))
	for i, n := range newcomers {
		ids[i] = n.req.ServiceID
	}
	rows, err := tx.Query(ctx, selectServices, ids)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[string])
}

// FOR SHARE: a deactivation that runs at the same time waits for this decision or is seen by it.
const selectConsultant = `SELECT name FROM consultants WHERE id = $1 AND is_active FOR SHARE`

// consultantName is the name of an active consultant, errConsultantUnavailable when there is none of this id.
func (d *directory) consultantName(ctx context.Context, tx pgx.Tx, id string) (string, error) {
	return offered(ctx, tx, selectConsultant, id, errConsultantUnavailable)
}

// Consultants whose row another transaction changes are left out rather than waited for.
const selectConsultants = `SELECT id, name FROM consultants WHERE id = ANY ($1::text[]) AND is_active FOR SHARE SKIP LOCKED`

func offered(ctx context.Context, tx pgx.Tx, query, id string, unknown error) (name string, err error) {
	err = tx.QueryRow(ctx, query, id).Scan(&name)
	if errors.Is(err, pgx.ErrNoRows) {
		return "", unknown
	}
	return name, err
}

const knowsService = `SELECT EXISTS (SELECT FROM services WHERE id = $1)`

// learnService asks directory for a service this copy has never heard of. It runs before the transaction.
func (d *directory) learnService(ctx context.Context, id string) error {
	if _, err := uuid.Parse(id); err != nil {
		return errServiceUnknown
	}
	var s struct {
		ID       string `json:"id"`
		Name     string `json:"name"`
		IsActive int    `json:"is_active"`
	}
	return d.learn(ctx, knowsService, id, "/internal/services/"+id, &s, errServiceUnknown, func(tx pgx.Tx) error {
		return keepService(ctx, tx, contract.Service{ID: s.ID, Name: s.Name, IsActive: s.IsActive == 1})
	})
}

const knowsConsultant = `SELECT EXISTS (SELECT FROM consultants WHERE id = $1)`

// learnConsultant asks directory for a consultant this copy has never heard of. It runs before the transaction.
func (d *directory) learnConsultant(ctx context.Context, id string) error {
	if !userID(id) {
		return errConsultantUnavailable
	}
	var c contract.Consultant
	return d.learn(ctx, knowsConsultant, id, "/internal/consultants/"+id, &c, errConsultantUnavailable, func(tx pgx.Tx) error { return keepConsultant(ctx, tx, c) })
}

func (d *directory) learn(ctx context.Context, known, id, path string, into any, unknown error, keep func(pgx.Tx) error) error {
	var here bool
	if err := d.pool.QueryRow(ctx, known, id).Scan(&here); err != nil || here {
		return postgres.Classify(err)
	}
	status, err := d.ask.Call(ctx, http.MethodGet, path, nil, into)
	switch {
	case err != nil:
		return fault.ErrUnavailable.Because(err)
	case status == http.StatusNotFound:
		return unknown
	case status != http.StatusOK:
		return fault.ErrUnavailable.Because(errors.New("directory answered " + http.StatusText(status)))
	}
	return postgres.Classify(pgx.BeginFunc(ctx, d.pool, keep))
}

// userID reports whether id could be one of auth's: letters and digits only, so that it is safe in a path.
func userID(id string) bool {
	if id == "" || len(id) > 64 {
		return false
	}
	for _, r := range id {
		if (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z') {
			return false
		}
	}
	return true
}
