package visits

import (
	"context"
	"net/http"
	"time"

	"github.com/jackc/pgx/v5"

	"baari.dev/services/contract"
	"baari.dev/services/platform/endpoint"
	"baari.dev/services/platform/postgres"
	"baari.dev/services/platform/wire"
)

// subjectRoutes answer what a person may ask of the office: what is known of them, and that it be forgotten.
func (s *Service) subjectRoutes() []endpoint.Route {
	return []endpoint.Route{
		{Method: http.MethodPost, Pattern: "/internal/subject/export", Access: endpoint.Service(), Handler: endpoint.JSON(readLookup, s.ExportSubject)},
		{Method: http.MethodPost, Pattern: "/internal/subject/erase", Access: endpoint.Service(), Handler: endpoint.JSON(readLookup, s.EraseSubject)},
	}
}

// subjectAnswer is everything this service knows of a person.
type subjectAnswer struct {
	Visits []contract.Visit `json:"visits"`
	Access []accessAnswer   `json:"access"`
}

// accessAnswer is who saw data of the person, when and how.
type accessAnswer struct {
	At     wire.Time `json:"at"`
	UserID string    `json:"userId"`
	Role   string    `json:"role"`
	Call   string    `json:"call"`
}

const selectOf = `
SELECT` + columns + `,` + momentColumns + `
FROM visits v WHERE v.phone = @phone ORDER BY v.created_at, v.id`

const selectAccess = `SELECT at, user_id, role, call FROM access_log WHERE visit_ids && $1::uuid[] ORDER BY at`

// operator stands in the access log for who answers a person's request at the command line.
const operator = "operator"

// ExportSubject gathers the visits of a phone number and who has seen them. The export is recorded, too.
func (s *Service) ExportSubject(ctx context.Context, req lookupVisitor) (answer subjectAnswer, err error) {
	err = pgx.BeginFunc(ctx, s.store.pool, func(tx pgx.Tx) error {
		found, err := collect(tx.Query(ctx, selectOf, postgres.Args{"phone": req.Phone, "zone": s.store.zone}))
		if err != nil {
			return err
		}
		ids := make([]string, len(found))
		answer.Visits = make([]contract.Visit, len(found))
		for i, v := range found {
			ids[i], answer.Visits[i] = v.ID, told(v)
		}
		rows, err := tx.Query(ctx, selectAccess, ids)
		if err != nil {
			return err
		}
		if answer.Access, err = pgx.CollectRows(rows, scanAccess); err != nil {
			return err
		}
		_, err = tx.Exec(ctx, insertAccess, operator, operator, "subject_export", ids)
		return err
	})
	return answer, postgres.Classify(err)
}

func scanAccess(row pgx.CollectableRow) (a accessAnswer, err error) {
	var at time.Time
	err = row.Scan(&at, &a.UserID, &a.Role, &a.Call)
	a.At = wire.Time(at)
	return a, err
}

// erasedAnswer names what was erased.
type erasedAnswer struct {
	Erased []string `json:"erased"`
}

// EraseSubject erases a person from all visits of a phone number. Asked again it finds nothing to do.
func (s *Service) EraseSubject(ctx context.Context, req lookupVisitor) (erasedAnswer, error) {
	answer := erasedAnswer{Erased: []string{}}
	for {
		some, err := s.erase(ctx, eraseOf, postgres.Args{"phone": req.Phone})
		if err != nil || len(some) == 0 {
			return answer, err
		}
		for _, v := range some {
			answer.Erased = append(answer.Erased, v.ID)
		}
	}
}
