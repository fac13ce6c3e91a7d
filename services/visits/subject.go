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

// subjectRoutes returns the routes for a data subject's requests: export and erasure.
func (s *Service) subjectRoutes() []endpoint.Route {
	return []endpoint.Route{
		{Method: http.MethodPost, Pattern: "/internal/subject/export", Access: endpoint.Service(), Handler: endpoint.JSON(readLookup, s.ExportSubject)},
		{Method: http.MethodPost, Pattern: "/internal/subject/erase", Access: endpoint.Service(), Handler: endpoint.JSON(readLookup, s.EraseSubject)},
	}
}

// subjectAnswer is all data that this service stores about a data subject.
type subjectAnswer struct {
	Visits []contract.Visit `json:"visits"`
	Access []accessAnswer   `json:"access"`
}

// accessAnswer is one disclosure of the subject's data.
type accessAnswer struct {
	At     wire.Time `json:"at"`
	UserID string    `json:"userId"`
	Role   string    `json:"role"`
	Call   string    `json:"call"`
}

var selectOf = `
SELECT ` + columns + `,` + momentColumns + `
FROM visits v WHERE v.phone = @phone ORDER BY v.created_at, v.id`

const selectAccess = `SELECT at, user_id, role, call FROM access_log WHERE visit_ids && $1::uuid[] ORDER BY at`

// operator is the user id in the access log for requests from the command line.
const operator = "operator"

// ExportSubject returns the visits of a phone number and their disclosures. The export itself is recorded, too.
func (s *Service) ExportSubject(ctx context.Context, req lookupVisitor) (answer subjectAnswer, err error) {
	err = pgx.BeginFunc(ctx, s.store.pool, func(tx pgx.Tx) error {
		found, err := collect(tx.Query(ctx, selectOf, postgres.Args{"phone": req.Phone, "zone": s.store.zone}))
		if err != nil {
			return err
		}
		ids := make([]string, len(found))
		answer.Visits = make([]contract.Visit, len(found))
		for i, v := range visitsOf(found) {
			ids[i], answer.Visits[i] = v.ID, eventVisit(v)
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

// erasedAnswer lists the ids of the erased visits.
type erasedAnswer struct {
	Erased []string `json:"erased"`
}

// EraseSubject erases all visits of a phone number. It is idempotent.
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
