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

// directory is this service's projection of services and consultants. It follows directory's events; an id that is not
// in the projection yet is requested from directory.
type directory struct {
	pool *pgxpool.Pool
	ask  *identity.Client
}

// projection returns the sink that applies directory's events.
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

// selectServices reads the names of active services.
const selectServices = `SELECT id::text, name FROM services WHERE id = ANY ($1::uuid[]) AND is_active`

// Consultants are locked FOR SHARE: a concurrent deactivation waits for the decision, or the decision reads its result.
// lockConsultantsFree skips those that another transaction is changing.
const (
	lockConsultantsAll  = `SELECT id, name FROM consultants WHERE id = ANY ($1::text[]) AND is_active FOR SHARE`
	lockConsultantsFree = lockConsultantsAll + ` SKIP LOCKED`
)

// learn reads the service or the consultant that a command names from directory, when this copy does not have it. It
// reports whether the copy has it now.
func (d *directory) learn(c *command) (learned bool, err error) {
	switch {
	case c.draft != nil:
		err = d.learnService(c.ctx, c.draft.ServiceID)
	case c.consultantID() != "":
		err = d.learnConsultant(c.ctx, c.consultantID())
	}
	if errors.Is(err, errServiceUnknown) || errors.Is(err, errConsultantUnavailable) {
		return false, nil
	}
	return err == nil, err
}

const knowsService = `SELECT EXISTS (SELECT FROM services WHERE id = $1)`

// learnService reads a service that is not in the projection from directory. Call it outside a transaction.
func (d *directory) learnService(ctx context.Context, id string) error {
	if _, err := uuid.Parse(id); err != nil {
		return errServiceUnknown
	}
	var s struct {
		ID       string `json:"id"`
		Name     string `json:"name"`
		IsActive int    `json:"is_active"`
	}
	return d.askDirectory(ctx, knowsService, id, "/internal/services/"+id, &s, errServiceUnknown, func(tx pgx.Tx) error {
		return keepService(ctx, tx, contract.Service{ID: s.ID, Name: s.Name, IsActive: s.IsActive == 1})
	})
}

const knowsConsultant = `SELECT EXISTS (SELECT FROM consultants WHERE id = $1)`

// learnConsultant reads a consultant that is not in the projection from directory. Call it outside a transaction.
func (d *directory) learnConsultant(ctx context.Context, id string) error {
	if !userID(id) {
		return errConsultantUnavailable
	}
	var c contract.Consultant
	return d.askDirectory(ctx, knowsConsultant, id, "/internal/consultants/"+id, &c, errConsultantUnavailable, func(tx pgx.Tx) error { return keepConsultant(ctx, tx, c) })
}

func (d *directory) askDirectory(ctx context.Context, known, id, path string, into any, unknown error, keep func(pgx.Tx) error) error {
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

// userID reports whether id has the form of auth's user ids: at most 64 letters and digits, safe in a path.
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
