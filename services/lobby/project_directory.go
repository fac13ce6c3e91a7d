package lobby

import (
	"context"

	"github.com/go-json-experiment/json"
	"github.com/jackc/pgx/v5"

	"baari.dev/services/contract"
	"baari.dev/services/office"
	"baari.dev/services/platform/feed"
	"baari.dev/services/platform/outbox"
)

// officeCopy has the values of the office document that lobby stores.
type officeCopy struct {
	Version   int64          `json:"-"` // the document's; 0: directory is of a release without versions
	Brand     string         `json:"brand"`
	Phone     string         `json:"phone"`
	Hours     []office.Hours `json:"hours"`
	Languages []string       `json:"languages"`
	Notice    office.Notice  `json:"notice"`
	CheckIn   string         `json:"checkIn"`
	Messages  string         `json:"messages"`

	Yearly      []office.YearlyDay  `json:"yearly"`
	SpecialDays []office.SpecialDay `json:"specialDays"`

	ArrivalsKept int                  `json:"arrivalsKept"`
	MessageHours *office.MessageHours `json:"messageHours"`

	Email     string   `json:"email"`
	Address   []string `json:"address"`
	MapsQuery string   `json:"mapsQuery"`

	Appointments *office.Appointments `json:"appointments,omitempty"` // missing keys and nil: the defaults
}

// rules returns the rules of appointments.
func (o officeCopy) rules() office.Appointments {
	if o.Appointments == nil {
		return office.DefaultAppointments()
	}
	return *o.Appointments
}

// FollowDirectory returns the sink that projects the services, the office and the appointments.
func (s *Service) FollowDirectory() *feed.Projection {
	return &feed.Projection{
		Pool: s.store.pool, Source: contract.SourceDirectory, Apply: s.applyDirectory, Empty: s.store.emptyDirectory,
	}
}

func (s *Service) applyDirectory(ctx context.Context, tx pgx.Tx, event outbox.Event) error {
	switch event.Type {
	case contract.ServiceCreated, contract.ServiceUpdated:
		var service contract.Service
		if err := json.Unmarshal(event.After, &service); err != nil {
			return err
		}
		return s.store.keepService(ctx, tx, service)
	case contract.OfficeLoaded, contract.OfficeChanged, contract.OfficeRestored:
		rules := office.DefaultAppointments()
		document := officeCopy{Version: event.Version, Appointments: &rules}
		if err := json.Unmarshal(event.After, &document); err != nil {
			return err
		}
		return s.store.keepOffice(ctx, tx, document)
	}
	if event.Subject.Entity == contract.EntityAppointment {
		return s.applyAppointment(ctx, tx, event)
	}
	return nil
}
