package visits

import (
	"context"
	"net/http"

	"github.com/jackc/pgx/v5"

	"baari.dev/services/platform/feed"
	"baari.dev/services/platform/postgres"
	"baari.dev/services/visits/visit"
)

// mostEarlier is the largest number of earlier visits in an answer; the latest are returned.
const mostEarlier = 20

// earlierAnswer is {"visits": […]}.
type earlierAnswer struct {
	Visits []earlierVisit `json:"visits"`
	at     feed.Position
}

// earlierVisit is a completed visit of the same visitor, without the fields that the consultant of the current visit
// has no access to.
type earlierVisit struct {
	ID                 string      `json:"id"`
	Day                string      `json:"day"`
	Name               string      `json:"name"`
	Service            serviceBody `json:"service"`
	AssignedConsultant string      `json:"assignedConsultant"`
	SessionNotes       string      `json:"sessionNotes"`
}

// Headers implements kithttp.Headerer.
func (a earlierAnswer) Headers() http.Header {
	return http.Header{feed.HeaderSeq: {positionHeader(a.at)}}
}

// A visitor is identified by phone. The disclosure is recorded in the same statement.
const selectEarlier = `
WITH earlier AS (
  SELECT id, office_day, name, service_id, service_name, consultant_name, session_notes, created_at
  FROM visits WHERE phone = @phone AND status = 'completed' AND created_at < @before
  ORDER BY created_at DESC LIMIT @most
), logged AS (
  INSERT INTO access_log (user_id, role, call, visit_ids)
  SELECT @actor, @role, 'earlier', array_agg(id) FROM earlier HAVING count(*) > 0
)
SELECT h.epoch::text, h.head, e.id::text, e.office_day::text, e.name, e.service_id::text, e.service_name, e.consultant_name, e.session_notes
FROM stream_head h LEFT JOIN earlier e ON true WHERE h.stream = 'visits'
ORDER BY e.created_at DESC`

// Earlier lists the completed visits of an open visit's visitor, latest first, and records the disclosure. Errors:
// not_found, not_assigned, visit_over.
func (s *Service) Earlier(ctx context.Context, id string) (answer earlierAnswer, err error) {
	err = postgres.InTx(ctx, s.store.pool, func(tx pgx.Tx) error {
		v, err := s.attend(ctx, tx, id)
		if err != nil {
			return err
		}
		answer, err = readEarlier(ctx, tx, v, actor(ctx))
		return err
	})
	return answer, err
}

func readEarlier(ctx context.Context, tx pgx.Tx, v visit.Visit, by visit.Actor) (earlierAnswer, error) {
	answer := earlierAnswer{Visits: []earlierVisit{}}
	rows, err := tx.Query(ctx, selectEarlier, postgres.Args{
		"phone": v.Phone, "before": v.CreatedAt, "most": mostEarlier, "actor": by.ID, "role": by.Role})
	if err != nil {
		return answer, err
	}
	defer rows.Close()
	for rows.Next() {
		var id, day, name, serviceID, service, consultant, notes *string
		if err := rows.Scan(&answer.at.Epoch, &answer.at.Seq, &id, &day, &name, &serviceID, &service, &consultant, &notes); err != nil {
			return answer, err
		}
		if id == nil { // no visits: the row carries the position only
			continue
		}
		answer.Visits = append(answer.Visits, earlierVisit{
			ID: *id, Day: *day, Name: *name, Service: serviceBody{ID: *serviceID, Name: *service}, AssignedConsultant: *consultant, SessionNotes: *notes})
	}
	return answer, rows.Err()
}
