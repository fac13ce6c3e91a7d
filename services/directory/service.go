// Package directory is the service that owns the offered services, consultants' skills, the office document,
// appointment requests, due dates and voice packs. It projects consultants from auth and their load from visits.
//
// Start with package appointment for the rules, package office for the office document and package settings for its
// versions. Then read service.go, appointments.go and due_dates.go for the use cases, store.go for SQL, events.go for
// what is published, project_auth.go and project_visits.go for what is followed, and http.go for the routes.
package directory

import (
	"context"
	_ "embed"
	"reflect"
	"slices"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"baari.dev/services/contract"
	"baari.dev/services/directory/settings"
	"baari.dev/services/office"
	"baari.dev/services/office/due"
	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/feed"
	"baari.dev/services/platform/limit"
	"baari.dev/services/platform/outbox"
)

// Service has the use cases. The route table has already checked the caller's role.
type Service struct {
	store  *store
	outbox *outbox.Outbox
	office *settings.Settings
	// limiter counts requests and mails; nil if LIMITS is off.
	limiter *limit.Limiter
	metrics *metrics
	// baseURL is the address of the product, for the addresses of calendars.
	baseURL string
	// arrived wakes Post after a new request; nil: no mails are sent.
	arrived chan struct{}
}

// New returns a service for the given office, whose Pool, Outbox and Today it sets; limiter is nil if LIMITS is off.
// Start must be called before it serves. Days begin at midnight in the file's time zone, which is fixed while the
// service runs.
func New(pool *pgxpool.Pool, o *outbox.Outbox, limiter *limit.Limiter, options settings.Options) *Service {
	s := &Service{store: &store{pool: pool, zone: options.File.TimeZone}, outbox: o, limiter: limiter,
		metrics: newMetrics()}
	options.Pool, options.Outbox, options.Today = pool, o, s.Today
	s.office = settings.New(options)
	return s
}

// Start initializes an empty database with the office file's services, the calendar of due dates and the first version
// of the office document.
func (s *Service) Start(ctx context.Context) error {
	if err := s.seedServices(ctx); err != nil {
		return err
	}
	if err := s.seedDueDates(ctx); err != nil {
		return err
	}
	return s.office.Start(ctx)
}

var (
	errNameTaken      = fault.New(fault.Conflict, "name_taken", "Another service has this name.")
	errServiceUnknown = fault.New(fault.Unprocessable, "service_unknown", "Please choose a service from the list.")
)

// Conflicts are the codes of directory's 409 answers.
var Conflicts = append([]string{
	errNameTaken.Code, codeIllegal, errSlotFull.Code, errConsultantBooked.Code, errTooEarly.Code, errUndoGone.Code,
}, settings.Conflicts...)

// SaveService is a request to create or update a service. A nil field is left unchanged. By default a new service is
// active, has no description, and gets the group of due dates that belongs to its name.
type SaveService struct {
	Name        string
	Description *string
	EstMinutes  int
	IsActive    *bool
	Texts       map[string]contract.ServiceText
	Group       *string
	Documents   []contract.ServiceDocument // each has a key; readDocuments adds a missing one
}

func (s SaveService) onto(service contract.Service) contract.Service {
	service.Name, service.EstMinutes = s.Name, s.EstMinutes
	if s.Description != nil {
		service.Description = *s.Description
	}
	if s.IsActive != nil {
		service.IsActive = *s.IsActive
	}
	if s.Texts != nil {
		service.Texts = s.Texts
	}
	if s.Group != nil {
		service.Group = *s.Group
	}
	if s.Documents != nil {
		service.Documents = s.Documents
	}
	return service
}

// Services lists the offered services: active ones first, in the order of the office file, then by name. If inactive is
// true, it lists inactive services as well.
func (s *Service) Services(ctx context.Context, inactive bool) ([]contract.Service, error) {
	return s.store.services(ctx, inactive)
}

// Service returns a service, active or not, or fault.ErrNotFound.
func (s *Service) Service(ctx context.Context, id string) (contract.Service, error) {
	return s.store.service(ctx, id)
}

// AddService stores a new service. It returns errNameTaken if another service has the name.
func (s *Service) AddService(ctx context.Context, save SaveService) (contract.Service, error) {
	id, err := uuid.NewV7()
	if err != nil {
		return contract.Service{}, err
	}
	service := save.onto(contract.Service{ID: id.String(), IsActive: true, Group: due.GroupOf(save.Name)})
	err = s.outbox.InTx(ctx, func(tx pgx.Tx) error {
		if err := s.store.addService(ctx, tx, service, nil); err != nil {
			return err
		}
		if err := s.office.NoteServices(ctx, tx); err != nil {
			return err
		}
		return outbox.Append(ctx, tx, serviceCreated(service))
	})
	return service, err
}

// ChangeService updates a service. A request that changes nothing publishes no event. It returns fault.ErrNotFound for
// an unknown id and errNameTaken if another service has the name.
func (s *Service) ChangeService(ctx context.Context, id string, save SaveService) (contract.Service, error) {
	var after contract.Service
	err := s.outbox.InTx(ctx, func(tx pgx.Tx) error {
		before, err := s.store.lockService(ctx, tx, id)
		if err != nil {
			return err
		}
		if after = save.onto(before); reflect.DeepEqual(after, before) {
			return nil
		}
		if err := s.store.saveService(ctx, tx, after); err != nil {
			return err
		}
		if err := s.office.NoteServices(ctx, tx); err != nil {
			return err
		}
		return outbox.Append(ctx, tx, serviceUpdated(before, after))
	})
	return after, err
}

// seedServices stores the office file's services if the database has no service.
func (s *Service) seedServices(ctx context.Context) error {
	return s.outbox.InTx(ctx, func(tx pgx.Tx) error {
		seeded, err := s.store.lockSeed(ctx, tx, anyService)
		if err != nil || seeded {
			return err
		}
		for place, offered := range s.office.File.Services {
			id, err := uuid.NewV7()
			if err != nil {
				return err
			}
			service := contract.Service{
				ID: id.String(), Name: offered.Name, Description: offered.Description, EstMinutes: offered.EstMinutes,
				IsActive: true, Texts: textsOf(offered), Group: due.GroupOf(offered.Name),
				Documents: documentsOf(offered),
			}
			if err := s.store.addService(ctx, tx, service, &place); err != nil {
				return err
			}
			if err := outbox.Append(ctx, tx, serviceCreated(service)); err != nil {
				return err
			}
		}
		return nil
	})
}

func textsOf(offered office.Service) map[string]contract.ServiceText {
	texts := map[string]contract.ServiceText{}
	for language, text := range offered.Texts {
		texts[language] = contract.ServiceText(text)
	}
	return texts
}

func documentsOf(offered office.Service) []contract.ServiceDocument {
	documents := make([]contract.ServiceDocument, len(offered.Documents))
	for i, document := range offered.Documents {
		documents[i] = contract.ServiceDocument(document)
	}
	return documents
}

// Load has the numbers of a consultant's visits, projected from the events of visits.
type Load struct {
	Waiting   int // visits that wait for the consultant or are called
	Completed int // sessions completed on the office day
	Running   bool
}

// Colleague is a consultant with the consultant's load.
type Colleague struct {
	contract.Consultant
	Load Load
}

// Colleagues has consultants, and the position in visits' events at which their loads were counted.
type Colleagues struct {
	List []Colleague
	At   feed.Position
	// Place is the position at which the list was read, with an empty Role. Its Seq is the oldest transaction that had
	// not ended at that time.
	Place feed.Since
	// Continues is true if List has only the changes since an earlier place.
	Continues bool
}

// Consultants lists the consultants by name. If id is not nil, it lists only that consultant. If since is the place of
// an earlier list, it lists only the consultants that changed after this place; it lists all if a consultant was added
// or renamed, a new office day has begun or the epoch has changed.
func (s *Service) Consultants(ctx context.Context, id *string, since feed.Since) (Colleagues, error) {
	return s.store.consultants(ctx, id, since)
}

// Consultant returns a consultant, active or not, or fault.ErrNotFound.
func (s *Service) Consultant(ctx context.Context, id string) (contract.Consultant, error) {
	return s.store.consultant(ctx, id)
}

// Skills has a consultant's specializations, services and desk number. A nil field is left unchanged.
type Skills struct {
	Specialization []string
	Serves         []string // ids of services, each once, in order; empty: all services
	Counter        *string  // suggested while the consultant's desk has no number; "": none
}

func (s Skills) onto(consultant contract.Consultant) contract.Consultant {
	if s.Specialization != nil {
		consultant.Specialization = s.Specialization
	}
	if s.Serves != nil {
		consultant.Serves = s.Serves
	}
	if s.Counter != nil {
		consultant.Counter = s.Counter
	}
	return consultant
}

// Specialize sets a consultant's skills. Equal skills publish no event. It returns fault.ErrNotFound for an unknown
// consultant and errServiceUnknown for a service that does not exist; an inactive service is allowed.
func (s *Service) Specialize(ctx context.Context, id string, skills Skills) (Colleagues, error) {
	var after Colleagues
	err := s.outbox.InTx(ctx, func(tx pgx.Tx) error {
		before, err := s.store.lockConsultant(ctx, tx, id)
		if err != nil {
			return err
		}
		known, err := s.store.countServices(ctx, tx, skills.Serves)
		if err != nil {
			return err
		}
		if known < len(skills.Serves) {
			return errServiceUnknown
		}
		if err := s.changeConsultant(ctx, tx, before, skills.onto(before)); err != nil {
			return err
		}
		after, err = s.store.countLoads(ctx, tx, &id, feed.Since{})
		return err
	})
	return after, err
}

// changeConsultant stores a consultant and appends an event, unless nothing changed.
func (s *Service) changeConsultant(ctx context.Context, tx pgx.Tx, before, after contract.Consultant) error {
	if before.Name == after.Name && before.IsActive == after.IsActive && *before.Counter == *after.Counter &&
		slices.Equal(before.Specialization, after.Specialization) && slices.Equal(before.Serves, after.Serves) {
		return nil
	}
	if err := s.store.saveConsultant(ctx, tx, after); err != nil {
		return err
	}
	return outbox.Append(ctx, tx, consultantUpdated(before, after))
}

// Office returns the office document with the active services of the database, and without special days that are over.
func (s *Service) Office(ctx context.Context) (settings.Current, error) {
	document := *s.office.Load()
	today, err := s.Today(ctx)
	if err != nil {
		return document, err
	}
	document.SpecialDays = slices.DeleteFunc(slices.Clone(document.SpecialDays), func(day office.SpecialDay) bool {
		return day.Date < today
	})
	document.Services, err = s.store.offeredServices(ctx)
	return document, err
}

// Today returns the office day in the form 2026-11-23.
func (s *Service) Today(ctx context.Context) (string, error) { return s.store.today(ctx) }
