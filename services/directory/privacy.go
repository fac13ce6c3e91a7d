package directory

import (
	"context"
	"net/http"
	"regexp"
	"time"

	"github.com/jackc/pgx/v5"

	"baari.dev/services/contract"
	"baari.dev/services/platform/endpoint"
	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/postgres"
	"baari.dev/services/platform/retention"
	"baari.dev/services/platform/wire"
)

// subjectRoutes returns the routes for a data subject's requests, export and erasure, and for breach reports.
func (s *Service) subjectRoutes() []endpoint.Route {
	return []endpoint.Route{
		{Method: http.MethodPost, Pattern: "/internal/subject/export", Access: endpoint.Service(),
			Handler: endpoint.JSON(readSubject, s.exportSubject)},
		{Method: http.MethodPost, Pattern: "/internal/breach", Access: endpoint.Service(),
			Handler: endpoint.JSON(readBreach, s.reportBreach)},
		{Method: http.MethodPost, Pattern: "/internal/subject/erase", Access: endpoint.Service(),
			Handler: endpoint.JSON(readSubject, s.eraseSubject)},
	}
}

var tenDigits = regexp.MustCompile(`^[0-9]{10}$`)

func readSubject(r *http.Request) (string, error) {
	var body struct {
		Phone wire.Field[string] `json:"phone"`
	}
	if err := wire.Read(r, &body); err != nil {
		return "", err
	}
	if !tenDigits.MatchString(body.Phone.Value) {
		return "", fault.Field("phone", "Please enter a valid 10-digit phone number")
	}
	return body.Phone.Value, nil
}

// subjectAnswer is all data that this service stores about a data subject.
type subjectAnswer struct {
	Appointments []contract.Appointment `json:"appointments"`
	Access       []accessAnswer         `json:"access"`
}

// accessAnswer is one disclosure of a subject's data.
type accessAnswer struct {
	At     wire.Time `json:"at"`
	UserID string    `json:"userId"`
	Role   string    `json:"role"`
	Call   string    `json:"call"`
}

func (s *Service) exportSubject(ctx context.Context, phone string) (subjectAnswer, error) {
	return s.store.exportSubject(ctx, phone)
}

// erasedAnswer has the ids of the erased requests.
type erasedAnswer struct {
	Erased []string `json:"erased"`
}

// eraseSubject erases all requests of a phone number. It is idempotent.
func (s *Service) eraseSubject(ctx context.Context, phone string) (erasedAnswer, error) {
	answer := erasedAnswer{Erased: []string{}}
	for {
		some, err := s.erase(ctx, func(tx pgx.Tx) ([]contract.Appointment, error) { return s.store.eraseOf(ctx, tx, phone) })
		if err != nil || len(some) == 0 {
			return answer, err
		}
		answer.Erased = append(answer.Erased, idsOf(some)...)
	}
}

// redaction replaces the personal data in stored events.
type redaction struct {
	Name    string `json:"name"`
	Phone   string `json:"phone"`
	Email   string `json:"email"`
	Message string `json:"message"`
}

// erase erases a batch of requests, redacts their earlier events and appends an event for each request. It returns the
// erased requests.
func (s *Service) erase(
	ctx context.Context, batch func(pgx.Tx) ([]contract.Appointment, error),
) (erased []contract.Appointment, err error) {
	err = s.outbox.InTx(ctx, func(tx pgx.Tx) (err error) {
		if erased, err = batch(tx); err != nil || len(erased) == 0 {
			return err
		}
		changes := make([]outbox.Change, len(erased))
		for i, a := range erased {
			changes[i] = appointmentErased(a)
		}
		err = outbox.Redact(ctx, tx, contract.EntityAppointment, idsOf(erased), redaction{Name: "Erased"})
		if err != nil {
			return err
		}
		return outbox.Append(ctx, tx, changes...)
	})
	return erased, postgres.Classify(err)
}

func idsOf(appointments []contract.Appointment) []string {
	ids := make([]string, len(appointments))
	for i, a := range appointments {
		ids[i] = a.ID
	}
	return ids
}

// Retention returns the retention tasks: old requests are erased, old entries of the access log are deleted.
func (s *Service) Retention() []retention.Task {
	return []retention.Task{
		{Name: "appointments", Erase: func(ctx context.Context, before time.Time) (int64, error) {
			erased, err := s.erase(ctx, func(tx pgx.Tx) ([]contract.Appointment, error) {
				return s.store.eraseOld(ctx, tx, before)
			})
			return int64(len(erased)), err
		}},
		{Name: "access_log", Erase: s.store.deleteAccess},
	}
}

// breachRequest selects the disclosures on the office days From to To, inclusive (reliability.md P4). A Phone restricts
// them to one visitor.
type breachRequest struct{ From, To, Phone string }

func readBreach(r *http.Request) (req breachRequest, err error) {
	var body struct {
		From  string `json:"from"`
		To    string `json:"to"`
		Phone string `json:"phone"`
	}
	if err := wire.Read(r, &body); err != nil {
		return req, err
	}
	for _, day := range []string{body.From, body.To} {
		if parsed, err := time.Parse(time.DateOnly, day); err != nil || parsed.Format(time.DateOnly) != day {
			return req, fault.Field("from", "Please enter the days as YYYY-MM-DD")
		}
	}
	if body.Phone != "" && !tenDigits.MatchString(body.Phone) {
		return req, fault.Field("phone", phoneWrong)
	}
	return breachRequest(body), nil
}

// breachAnswer lists the readers of requests and the visitors whose requests they read.
type breachAnswer struct {
	Readers  []breachReader   `json:"readers"`
	Affected []breachAffected `json:"affected"`
}

// breachReader summarizes one user's reads by one call of the access log.
type breachReader struct {
	UserID   string    `json:"userId"`
	Call     string    `json:"call"`
	Requests int       `json:"requests"`
	First    wire.Time `json:"first"`
	Last     wire.Time `json:"last"`
}

// breachAffected is a visitor whose requests were read. All erased visitors are one entry without phone and e-mail.
type breachAffected struct {
	Name     string   `json:"name"`
	Phone    string   `json:"phone"`
	Email    string   `json:"email"`
	Requests int      `json:"requests"`
	Readers  []string `json:"readers"`
}

func (s *Service) reportBreach(ctx context.Context, req breachRequest) (breachAnswer, error) {
	return s.store.breach(ctx, req)
}
