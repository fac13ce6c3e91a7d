package audit

import (
	"context"
	"net/http"

	"github.com/jackc/pgx/v5"

	"baari.dev/services/contract"
	"baari.dev/services/platform/endpoint"
	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/postgres"
	"baari.dev/services/platform/wire"
)

// actorOf returns the actor to store. The chain covers the actor permanently, so the address of a visitor who requests
// an appointment is left out.
func actorOf(event outbox.Event) outbox.Actor {
	if event.Actor == nil {
		return outbox.Actor{}
	}
	actor := *event.Actor
	if actor.ID == "" && event.Subject.Entity == contract.EntityAppointment {
		actor.IP = ""
	}
	return actor
}

// The function is owned by the role audit_retention: this service's role cannot change records.
const redactSubject = `SELECT redact_erased($1, $2)`

// redactErased takes the values of those whom the events say to be erased out of their earlier records.
func redactErased(ctx context.Context, tx pgx.Tx, events []outbox.Event) error {
	for _, event := range events {
		if action(event) != erased {
			continue
		}
		if _, err := tx.Exec(ctx, redactSubject, event.Subject.Entity, event.Subject.ID); err != nil {
			return err
		}
	}
	return nil
}

// InternalRoutes returns the routes of the internal listener: a data subject's records, by the ids of the other
// services' rows, and breach reports.
func (a *Audit) InternalRoutes() []endpoint.Route {
	return append(a.breachRoutes(), endpoint.Route{Method: http.MethodPost, Pattern: "/internal/subject/export", Access: endpoint.Service(),
		Handler: endpoint.JSON(readSubject, a.exportSubject)})
}

// mostIDs is the largest number of ids in one request.
const mostIDs = 1000

func readSubject(r *http.Request) ([]string, error) {
	var body struct {
		IDs []string `json:"ids"`
	}
	if err := wire.Read(r, &body); err != nil {
		return nil, err
	}
	if len(body.IDs) > mostIDs {
		return nil, fault.Field("ids", "At most 1,000 ids at once.")
	}
	return body.IDs, nil
}

const selectOfSubjects = `
SELECT n, entity, entity_id, action, actor_id, actor_name, actor_email, actor_role, ip, old_values, new_values, created_at
FROM audit_records
WHERE entity_id = ANY($1) AND entity IN ('visit', 'appointment', 'notification')
  AND coalesce(old_values::jsonb, '{}') <> '{"redacted": true}' AND coalesce(new_values::jsonb, '{}') <> '{"redacted": true}' AND action <> 'erased'
ORDER BY n`

// subjectAnswer is the records that still have values of the subject.
type subjectAnswer struct {
	Records []recordBody `json:"records"`
}

func (a *Audit) exportSubject(ctx context.Context, ids []string) (subjectAnswer, error) {
	answer := subjectAnswer{Records: []recordBody{}}
	rows, err := a.pool.Query(ctx, selectOfSubjects, ids)
	if err != nil {
		return answer, postgres.Classify(err)
	}
	entries, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (e Entry, err error) {
		err = row.Scan(&e.N, &e.Entity, &e.EntityID, &e.Action, &e.ActorID, &e.ActorName, &e.ActorEmail, &e.ActorRole, &e.IP,
			(*[]byte)(&e.Old), (*[]byte)(&e.New), &e.CreatedAt)
		return e, err
	})
	for _, e := range entries {
		answer.Records = append(answer.Records, bodyOf(e))
	}
	return answer, postgres.Classify(err)
}
