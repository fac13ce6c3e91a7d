package directory

import (
	"context"
	"net/http"
	"time"

	"github.com/jackc/pgx/v5"

	"baari.dev/services/contract"
	"baari.dev/services/platform/endpoint"
	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/privacy"
	"baari.dev/services/platform/retention"
	"baari.dev/services/platform/wire"
)

// subjectRoutes returns the internal routes about data subjects: export, erasure, breach report and uses.
func (s *Service) subjectRoutes() []endpoint.Route {
	return privacy.Routes(privacy.Handlers{
		Asker:  contract.SourceVisits,
		Export: endpoint.JSON(privacy.ReadPerson, s.store.exportSubject),
		Erase:  endpoint.JSON(privacy.ReadPhone, s.eraseSubject),
		Breach: endpoint.JSON(readBreach, s.store.breach),
		Uses:   endpoint.JSON(privacy.ReadPeriod[privacy.Period], s.store.uses),
	})
}

type subjectAnswer struct {
	Appointments []contract.Appointment `json:"appointments"`
	Access       []privacy.Disclosure   `json:"access"`
}

// eraseSubject erases all appointment requests of a phone number. It is idempotent.
func (s *Service) eraseSubject(ctx context.Context, phone string) (privacy.Erased, error) {
	return privacy.EraseAll(func() ([]string, error) {
		return s.erase(ctx, func(tx pgx.Tx) ([]contract.Appointment, error) { return s.store.eraseOf(ctx, tx, phone) })
	})
}

// redaction replaces the personal data in stored events.
type redaction struct {
	Name     string `json:"name"`
	Phone    string `json:"phone"`
	Email    string `json:"email"`
	Message  string `json:"message"`
	Language string `json:"language"`
	Messages bool   `json:"messages"`
}

// erase runs update, which erases appointment requests. For each request it appends an event and redacts the earlier
// events. It returns the ids of the erased requests.
func (s *Service) erase(
	ctx context.Context, update func(pgx.Tx) ([]contract.Appointment, error),
) ([]string, error) {
	return privacy.Erase(ctx, s.outbox, redaction{Name: "Erased"}, func(tx pgx.Tx) ([]outbox.Change, error) {
		erased, err := update(tx)
		changes := make([]outbox.Change, len(erased))
		for i, a := range erased {
			changes[i] = appointmentErased(a)
		}
		return changes, err
	})
}

func idsOf(appointments []contract.Appointment) []string {
	ids := make([]string, len(appointments))
	for i, a := range appointments {
		ids[i] = a.ID
	}
	return ids
}

// Retention returns the retention tasks: old appointment requests are erased, old entries of the access log are
// deleted.
func (s *Service) Retention() []retention.Task {
	eraseOld := func(ctx context.Context, before time.Time) (int64, error) {
		ids, err := s.erase(ctx, func(tx pgx.Tx) ([]contract.Appointment, error) { return s.store.eraseOld(ctx, tx, before) })
		return int64(len(ids)), err
	}
	return []retention.Task{{Name: "appointments", Erase: eraseOld}, privacy.ForgetAccess(s.store.pool)}
}

// breachRequest selects the disclosures of a period; a Phone restricts them to one visitor's requests.
type breachRequest struct {
	privacy.Period
	Phone string `json:"phone"`
}

func readBreach(r *http.Request) (breachRequest, error) {
	req, err := privacy.ReadPeriod[breachRequest](r)
	if err == nil && req.Phone != "" && !wire.IsPhone(req.Phone) {
		err = fault.Field("phone", wire.PhoneWrong)
	}
	return req, err
}

type breachAnswer struct {
	Readers  []breachReader   `json:"readers"`
	Affected []breachAffected `json:"affected"`
}

// breachReader summarizes the disclosures of appointment requests to one user by one kind of API call.
type breachReader struct {
	UserID   string    `json:"userId"`
	Call     string    `json:"call"`
	Requests int       `json:"requests"`
	First    wire.Time `json:"first"`
	Last     wire.Time `json:"last"`
}

// breachAffected is a visitor whose appointment requests were read. All erased visitors share one entry, which has no
// phone and no e-mail.
type breachAffected struct {
	Name     string   `json:"name"`
	Phone    string   `json:"phone"`
	Email    string   `json:"email"`
	Requests int      `json:"requests"`
	Readers  []string `json:"readers"`
}
