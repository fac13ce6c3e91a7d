package directory

import (
	"context"
	"errors"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"baari.dev/services/contract"
	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/postgres"
)

// Errors of the offered services.
var (
	errNameTaken      = fault.New(fault.Conflict, "name_taken", "Another service has this name.")
	errServiceUnknown = fault.New(fault.Unprocessable, "service_unknown", "Please choose a service from the list.")
)

// codeIllegal is the error code for a change of an appointment's status that is not in the table.
const codeIllegal = "illegal_transition"

// Conflicts are the codes of 409 that directory answers.
var Conflicts = []string{errNameTaken.Code, codeIllegal}

// SaveService is a request to create or update a service. A nil field is left unchanged; for a new service the
// defaults are active and no description.
type SaveService struct {
	Name        string
	Description *string
	EstMinutes  int
	IsActive    *bool
}

func (s SaveService) onto(service contract.Service) contract.Service {
	service.Name, service.EstMinutes = s.Name, s.EstMinutes
	if s.Description != nil {
		service.Description = *s.Description
	}
	if s.IsActive != nil {
		service.IsActive = *s.IsActive
	}
	return service
}

const selectServices = `
SELECT id::text, name, description, est_minutes, is_active FROM services
WHERE is_active OR $1 ORDER BY is_active DESC, place NULLS LAST, lower(name)`

// Services lists the offered services: active ones first, in the order of the office file, then by name. inactive
// includes inactive services.
func (d *Directory) Services(ctx context.Context, inactive bool) ([]contract.Service, error) {
	rows, err := d.pool.Query(ctx, selectServices, inactive)
	if err != nil {
		return nil, postgres.Classify(err)
	}
	services, err := pgx.CollectRows(rows, pgx.RowToStructByPos[contract.Service])
	return services, postgres.Classify(err)
}

const selectService = `SELECT id::text, name, description, est_minutes, is_active FROM services WHERE id = $1`

// Service returns a service, active or not, or fault.ErrNotFound.
func (d *Directory) Service(ctx context.Context, id string) (contract.Service, error) {
	rows, err := d.pool.Query(ctx, selectService, id)
	if err != nil {
		return contract.Service{}, postgres.Classify(err)
	}
	return collectService(rows)
}

func collectService(rows pgx.Rows) (contract.Service, error) {
	service, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByPos[contract.Service])
	if errors.Is(err, pgx.ErrNoRows) {
		return service, fault.ErrNotFound
	}
	return service, postgres.Classify(err)
}

const insertService = `
INSERT INTO services (id, name, description, est_minutes, is_active, place) VALUES ($1, $2, $3, $4, $5, $6)`

// AddService stores a new service. It returns errNameTaken if another service has the name.
func (d *Directory) AddService(ctx context.Context, save SaveService) (contract.Service, error) {
	id, err := uuid.NewV7()
	if err != nil {
		return contract.Service{}, err
	}
	service := save.onto(contract.Service{ID: id.String(), IsActive: true})
	err = d.outbox.InTx(ctx, func(tx pgx.Tx) error { return addService(ctx, tx, service, nil) })
	return service, err
}

func addService(ctx context.Context, tx pgx.Tx, service contract.Service, place *int) error {
	_, err := tx.Exec(ctx, insertService, service.ID, service.Name, service.Description, service.EstMinutes, service.IsActive, place)
	if err != nil {
		return nameTaken(err)
	}
	return outbox.Append(ctx, tx, outbox.Change{
		Type: contract.ServiceCreated, Entity: contract.EntityService, EntityID: service.ID, After: service})
}

func nameTaken(err error) error {
	if postgres.Violates(err, "services_name") {
		return errNameTaken.Because(err)
	}
	return err
}

const updateService = `UPDATE services SET name = $2, description = $3, est_minutes = $4, is_active = $5 WHERE id = $1`

// ChangeService updates a service. A request that changes nothing publishes no event. It returns fault.ErrNotFound for
// an unknown id and errNameTaken if another service has the name.
func (d *Directory) ChangeService(ctx context.Context, id string, save SaveService) (contract.Service, error) {
	var after contract.Service
	err := d.outbox.InTx(ctx, func(tx pgx.Tx) error {
		rows, err := tx.Query(ctx, selectService+` FOR UPDATE`, id)
		if err != nil {
			return err
		}
		before, err := collectService(rows)
		if err != nil {
			return err
		}
		if after = save.onto(before); after == before {
			return nil
		}
		if _, err := tx.Exec(ctx, updateService, id, after.Name, after.Description, after.EstMinutes, after.IsActive); err != nil {
			return nameTaken(err)
		}
		return outbox.Append(ctx, tx, outbox.Change{
			Type: contract.ServiceUpdated, Entity: contract.EntityService, EntityID: id, Before: before, After: after})
	})
	return after, err
}

// Two replicas that start together must not both find the table empty.
const lockSeed = `SELECT pg_advisory_xact_lock(hashtextextended('directory:services', 0))`

const anyService = `SELECT EXISTS (SELECT FROM services)`

// seedServices stores the office file's services on an empty database; afterwards the database rules.
func (d *Directory) seedServices(ctx context.Context) error {
	return d.outbox.InTx(ctx, func(tx pgx.Tx) error {
		var seeded bool
		if _, err := tx.Exec(ctx, lockSeed); err != nil {
			return err
		}
		if err := tx.QueryRow(ctx, anyService).Scan(&seeded); err != nil || seeded {
			return err
		}
		for place, offered := range d.office.Load().Services {
			id, err := uuid.NewV7()
			if err != nil {
				return err
			}
			service := contract.Service{ID: id.String(), Name: offered.Name, Description: offered.Description, EstMinutes: offered.EstMinutes, IsActive: true}
			if err := addService(ctx, tx, service, &place); err != nil {
				return err
			}
		}
		return nil
	})
}
