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

// Erases the personal data of requests. The service, the preferred time and the status remain.
const erasing = `
UPDATE appointments SET name = 'Erased', phone = NULL, email = '', message = '', mail_due = NULL, erased_at = now()
WHERE id IN (SELECT id FROM due)
RETURNING` + appointmentColumns

// Retention counts from the preferred day, if that is later than the day of the request, but at most a year after the
// request: a preferred day far in the future must not extend retention without bound.
const eraseOld = `
WITH due AS (
  SELECT id FROM appointments
  WHERE erased_at IS NULL AND created_at < @before 
    AND least(preferred_date, created_at + interval '1 year') < @before ORDER BY created_at LIMIT @limit FOR UPDATE
)` + erasing

const eraseOf = `
WITH due AS (
  SELECT id FROM appointments WHERE phone = @phone ORDER BY id LIMIT @limit FOR UPDATE
)` + erasing

// eraseBatch is the largest number of requests erased in one transaction.
const eraseBatch = 200

// redaction replaces the personal data in stored events.
type redaction struct {
	Name    string `json:"name"`
	Phone   string `json:"phone"`
	Email   string `json:"email"`
	Message string `json:"message"`
}

// erase erases the requests that the statement selects, at most eraseBatch, and appends an event for each. It returns
// the erased requests.
func (d *Directory) erase(ctx context.Context, statement string, args postgres.Args) (erased []contract.Appointment, err error) {
	args["limit"] = eraseBatch
	err = d.outbox.InTx(ctx, func(tx pgx.Tx) error {
		rows, err := tx.Query(ctx, statement, args)
		if err != nil {
			return err
		}
		if erased, err = pgx.CollectRows(rows, scanAppointment); err != nil || len(erased) == 0 {
			return err
		}
		ids := make([]string, len(erased))
		changes := make([]outbox.Change, len(erased))
		for i, a := range erased {
			ids[i] = a.ID
			changes[i] = outbox.Change{Type: contract.AppointmentErased, Entity: contract.EntityAppointment, EntityID: a.ID, After: a}
		}
		if err := outbox.Redact(ctx, tx, contract.EntityAppointment, ids, redaction{Name: "Erased"}); err != nil {
			return err
		}
		return outbox.Append(ctx, tx, changes...)
	})
	return erased, postgres.Classify(err)
}

// Retention returns the retention tasks: old requests are erased, entries of the access log are deleted.
func (d *Directory) Retention() []retention.Task {
	return []retention.Task{{Name: "appointments", Erase: func(ctx context.Context, before time.Time) (int64, error) {
		erased, err := d.erase(ctx, eraseOld, postgres.Args{"before": before})
		return int64(len(erased)), err
	}}, d.forgetReaders()}
}

// subjectRoutes returns the routes for a data subject's requests: export, with disclosures, and erasure.
func (d *Directory) subjectRoutes() []endpoint.Route {
	return []endpoint.Route{
		{Method: http.MethodPost, Pattern: "/internal/subject/export", Access: endpoint.Service(), Handler: endpoint.JSON(readSubject, d.exportSubject)},
		{Method: http.MethodPost, Pattern: "/internal/breach", Access: endpoint.Service(), Handler: endpoint.JSON(readBreach, d.reportBreach)},
		{Method: http.MethodPost, Pattern: "/internal/subject/erase", Access: endpoint.Service(), Handler: endpoint.JSON(readSubject, d.eraseSubject)},
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

const selectOf = `
SELECT` + appointmentColumns + `
FROM appointments WHERE phone = $1 ORDER BY created_at, id`

// subjectAnswer is all data that this service stores about a data subject.
type subjectAnswer struct {
	Appointments []contract.Appointment `json:"appointments"`
	Access       []accessAnswer         `json:"access"`
}

func (d *Directory) exportSubject(ctx context.Context, phone string) (answer subjectAnswer, err error) {
	err = pgx.BeginFunc(ctx, d.pool, func(tx pgx.Tx) error {
		rows, err := tx.Query(ctx, selectOf, phone)
		if err != nil {
			return err
		}
		if answer.Appointments, err = pgx.CollectRows(rows, scanAppointment); err != nil {
			return err
		}
		ids := make([]string, len(answer.Appointments))
		for i, a := range answer.Appointments {
			ids[i] = a.ID
		}
		answer.Access, err = readers(ctx, tx, ids)
		return err
	})
	return answer, postgres.Classify(err)
}

// erasedAnswer names what was erased.
type erasedAnswer struct {
	Erased []string `json:"erased"`
}

// eraseSubject erases all requests of a phone number. It is idempotent.
func (d *Directory) eraseSubject(ctx context.Context, phone string) (erasedAnswer, error) {
	answer := erasedAnswer{Erased: []string{}}
	for {
		some, err := d.erase(ctx, eraseOf, postgres.Args{"phone": phone})
		if err != nil || len(some) == 0 {
			return answer, err
		}
		for _, a := range some {
			answer.Erased = append(answer.Erased, a.ID)
		}
	}
}
