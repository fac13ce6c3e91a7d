// Package catalog is this service's copy of directory's data: services, due dates, consultants, appointments, and parts
// of the office document, such as the opening hours and the rules of the line.
//
// Start with Directory. store_read.go has the statements with which transactions of other packages read the copy.
package catalog

import (
	"context"
	"errors"
	"net/http"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
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

// Directory is this service's copy of directory's data. It follows directory's events. A service or consultant that is
// not in the copy yet is fetched from directory.
type Directory struct {
	pool   *pgxpool.Pool
	client *identity.Client
}

// New returns the copy in the database of pool. client calls directory.
func New(pool *pgxpool.Pool, client *identity.Client) *Directory {
	return &Directory{pool: pool, client: client}
}

// The errors for services and consultants that directory does not have or has deactivated, and for appointments that no
// visit can use now.
var (
	ErrServiceUnknown = fault.New(
		fault.Unprocessable, "service_unknown", "Please choose a service from the list.",
	)
	ErrConsultantUnavailable = fault.New(
		fault.Unprocessable, "consultant_unavailable", "This consultant is not available.",
	)
	ErrAppointmentUnknown = fault.New(
		fault.Unprocessable, "appointment_unknown", "This appointment cannot be used.",
	)
)

// Projection returns the sink that applies directory's events.
func (d *Directory) Projection() *feed.Projection {
	return &feed.Projection{
		Pool:   d.pool,
		Source: contract.SourceDirectory,
		Apply:  d.apply,
		Empty:  d.emptyCopies,
	}
}

// officeCopy has the fields of the office document that this service stores. Queue, and the days of officeDays, are
// stored as they are sent; policy.go and hours.go parse them.
type officeCopy struct {
	Version int64  `json:"-"` // the document's; 0: directory is of a release without versions
	Brand   string `json:"brand"`
	Notice  struct {
		Version      string                    `json:"version"`
		Contact      string                    `json:"contact"`
		Translations map[string]jsontext.Value `json:"translations"`
	} `json:"notice"`
	Queue       jsontext.Value `json:"queue"`
	Languages   []string       `json:"languages"` // the first is the default
	Hours       jsontext.Value `json:"hours"`
	Yearly      jsontext.Value `json:"yearly"`
	SpecialDays jsontext.Value `json:"specialDays"`
}

// officeDays are the keys of the office document that decide when the office is open on a day.
type officeDays struct {
	Hours       jsontext.Value `json:"hours,omitzero"`
	Yearly      jsontext.Value `json:"yearly,omitzero"`
	SpecialDays jsontext.Value `json:"specialDays,omitzero"`
}

func (d *Directory) apply(ctx context.Context, tx pgx.Tx, event outbox.Event) error {
	switch event.Type {
	case contract.ServiceCreated, contract.ServiceUpdated:
		var s contract.Service
		if err := json.Unmarshal(event.After, &s); err != nil {
			return err
		}
		return d.keepService(ctx, tx, s)
	case contract.ConsultantCreated, contract.ConsultantUpdated:
		var c contract.Consultant
		if err := json.Unmarshal(event.After, &c); err != nil {
			return err
		}
		return d.keepConsultant(ctx, tx, c)
	case contract.DueDateCreated, contract.DueDateUpdated:
		var entry contract.DueDate
		if err := json.Unmarshal(event.After, &entry); err != nil {
			return err
		}
		return d.keepDueDate(ctx, tx, entry)
	case contract.OfficeLoaded, contract.OfficeChanged, contract.OfficeRestored:
		office := officeCopy{Version: event.Version}
		if err := json.Unmarshal(event.After, &office); err != nil {
			return err
		}
		return d.keepOffice(ctx, tx, office)
	case contract.AppointmentRequested, contract.AppointmentBooked, contract.AppointmentConfirmed,
		contract.AppointmentDeclined, contract.AppointmentUpdated, contract.AppointmentMoved,
		contract.AppointmentCancelled, contract.AppointmentArrived, contract.AppointmentReturned,
		contract.AppointmentNoShow, contract.AppointmentDone, contract.AppointmentUndone, contract.AppointmentErased:
		var a contract.Appointment
		if err := json.Unmarshal(event.After, &a); err != nil {
			return err
		}
		return d.keepAppointment(ctx, tx, a)
	}
	return nil
}

// Names has the ids of the records of directory that a command names, "" for none. Appointment is set only if the copy
// has no such appointment that can be used.
type Names struct{ Service, Consultant, Appointment string }

// Fetch fetches records from directory: the service and the consultant if the copy does not have them, and the
// appointment. found reports whether the copy has them now. Fetch must be called outside a transaction.
func (d *Directory) Fetch(ctx context.Context, names Names) (found bool, err error) {
	if names.Service != "" {
		err = d.FetchService(ctx, names.Service)
	}
	if err == nil && names.Consultant != "" {
		err = d.FetchConsultant(ctx, names.Consultant)
	}
	if err == nil && names.Appointment != "" {
		err = d.FetchAppointment(ctx, names.Appointment)
	}
	if errors.Is(err, ErrServiceUnknown) || errors.Is(err, ErrConsultantUnavailable) ||
		errors.Is(err, ErrAppointmentUnknown) {
		return false, nil
	}
	return err == nil, err
}

// FetchService adds a service to the copy unless it is there. It returns ErrServiceUnknown if directory does not have
// it.
func (d *Directory) FetchService(ctx context.Context, id string) error {
	if _, err := uuid.Parse(id); err != nil {
		return ErrServiceUnknown
	}
	if has, err := d.hasService(ctx, id); err != nil || has {
		return postgres.Classify(err)
	}
	var s struct {
		ID       string `json:"id"`
		Name     string `json:"name"`
		IsActive int    `json:"is_active"`
		Minutes  int    `json:"est_minutes"`
		Group    string `json:"group"`
	}
	if err := d.request(ctx, "/internal/services/"+id, &s, ErrServiceUnknown); err != nil {
		return err
	}
	return d.keep(ctx, func(tx pgx.Tx) error {
		return d.keepService(ctx, tx, contract.Service{
			ID: s.ID, Name: s.Name, IsActive: s.IsActive == 1, EstMinutes: s.Minutes, Group: s.Group,
		})
	})
}

// FetchConsultant adds a consultant to the copy unless it is there. It returns ErrConsultantUnavailable if directory
// does not have that consultant.
func (d *Directory) FetchConsultant(ctx context.Context, id string) error {
	if !UserID(id) {
		return ErrConsultantUnavailable
	}
	if has, err := d.hasConsultant(ctx, id); err != nil || has {
		return postgres.Classify(err)
	}
	var c contract.Consultant
	if err := d.request(ctx, "/internal/consultants/"+id, &c, ErrConsultantUnavailable); err != nil {
		return err
	}
	return d.keep(ctx, func(tx pgx.Tx) error { return d.keepConsultant(ctx, tx, c) })
}

// FetchAppointment adds the present state of an appointment to the copy. It returns ErrAppointmentUnknown if directory
// does not have it.
func (d *Directory) FetchAppointment(ctx context.Context, id string) error {
	if _, err := uuid.Parse(id); err != nil {
		return ErrAppointmentUnknown
	}
	var a contract.Appointment
	if err := d.request(ctx, "/internal/appointments/"+id, &a, ErrAppointmentUnknown); err != nil {
		return err
	}
	return d.keep(ctx, func(tx pgx.Tx) error { return d.keepAppointment(ctx, tx, a) })
}

// request reads an object of directory into *into. Errors: the argument unknown for 404, else fault.ErrUnavailable.
func (d *Directory) request(ctx context.Context, path string, into any, unknown error) error {
	status, err := d.client.Call(ctx, http.MethodGet, path, nil, into)
	switch {
	case err != nil:
		return fault.ErrUnavailable.Because(err)
	case status == http.StatusNotFound:
		return unknown
	case status != http.StatusOK:
		return fault.ErrUnavailable.Because(errors.New("directory answered " + http.StatusText(status)))
	}
	return nil
}

func (d *Directory) keep(ctx context.Context, upsert func(pgx.Tx) error) error {
	return postgres.Classify(pgx.BeginFunc(ctx, d.pool, upsert))
}

// UserID reports whether id has the form of auth's user ids: at most 64 letters and digits, safe in a path.
func UserID(id string) bool {
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
