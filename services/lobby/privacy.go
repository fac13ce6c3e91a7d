package lobby

import (
	"context"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5"

	"baari.dev/services/contract"
	"baari.dev/services/platform/endpoint"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/postgres"
	"baari.dev/services/platform/privacy"
	"baari.dev/services/platform/wire"
)

// Forget deletes the visits and links of old days, and the consents, subscriptions, deliveries and costs that are no
// longer kept, every hour until ctx ends.
func (s *Service) Forget(ctx context.Context, log *slog.Logger) error {
	ticker := time.NewTicker(time.Hour)
	defer ticker.Stop()
	for {
		if err := s.store.forget(ctx); err != nil && ctx.Err() == nil {
			log.WarnContext(ctx, "old links are deleted an hour later", "cause", err)
		}
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
		}
	}
}

// InternalRoutes returns the internal routes for a data subject's requests.
func (s *Service) InternalRoutes() []endpoint.Route {
	return privacy.Routes(privacy.Handlers{
		Asker:  contract.SourceVisits,
		Export: endpoint.JSON(privacy.ReadPhone, s.ExportSubject),
		Erase:  endpoint.JSON(privacy.ReadPhone, s.EraseSubject),
	})
}

// subjectArrivals are the arrivals of a data subject that still have the name and the phone.
type subjectArrivals struct {
	Arrivals []subjectArrival `json:"arrivals"`
}

type subjectArrival struct {
	ID            string    `json:"id"`
	Name          string    `json:"name"`
	Phone         string    `json:"phone"`
	State         string    `json:"state"`
	Language      string    `json:"language"`
	NoticeVersion string    `json:"noticeVersion"`
	Messages      bool      `json:"messages"`
	CreatedAt     wire.Time `json:"createdAt"`
}

// ExportSubject returns the arrivals of a phone number. Accepted arrivals are exported by the service visits.
func (s *Service) ExportSubject(ctx context.Context, phone string) (answer subjectArrivals, err error) {
	found, err := s.store.arrivalsOf(ctx, phone)
	answer.Arrivals = make([]subjectArrival, len(found))
	for i, a := range found {
		answer.Arrivals[i] = subjectArrival{a.ID, a.Person.Name, a.Person.Phone, a.State, a.Language, a.NoticeVersion,
			a.Messages, wire.Time(a.CreatedAt)}
	}
	return answer, postgres.Classify(err)
}

// EraseSubject removes name and phone from the arrivals of a phone number, and closes the arrivals that wait. It is
// idempotent.
func (s *Service) EraseSubject(ctx context.Context, phone string) (answer privacy.Erased, err error) {
	answer.Erased = []string{}
	var closed []arrival
	err = s.outbox.InTx(ctx, func(tx pgx.Tx) (err error) {
		if answer.Erased, closed, err = s.store.eraseArrivals(ctx, tx, phone); err != nil {
			return err
		}
		for _, a := range closed {
			if err := outbox.Append(ctx, tx, arrivalAnswered(a)); err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil {
		s.metrics.gone(len(closed))
	}
	return answer, postgres.Classify(err)
}
