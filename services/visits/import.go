package visits

import (
	"context"
	"net/http"
	"time"

	"github.com/jackc/pgx/v5"

	"baari.dev/services/contract"
	"baari.dev/services/platform/endpoint"
	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/wire"
	"baari.dev/services/visits/forecast"
	"baari.dev/services/visits/queue"
	"baari.dev/services/visits/row"
	"baari.dev/services/visits/visit"
)

// importRoute returns the internal route that imports visits with given times, for demonstration data.
func (s *Service) importRoute() endpoint.Route {
	return endpoint.Route{
		Method: http.MethodPost, Pattern: "/internal/import", Access: endpoint.Service(contract.CallerOperator),
		Handler: endpoint.JSON(readImport, s.Import),
	}
}

type importRequest struct {
	Visits []contract.PastVisit `json:"visits"`
}

type importAnswer struct {
	Imported int `json:"imported"`
}

const importLimit = 500

var importLong = fault.NewMessage(fault.CodeTooMany, "At most 500 visits at once.").With("max", importLimit)

func readImport(r *http.Request) (importRequest, error) {
	var req importRequest
	r.Body = http.MaxBytesReader(nil, r.Body, 2<<20)
	if err := wire.ReadLarge(r, &req); err != nil {
		return req, err
	}
	if len(req.Visits) > importLimit {
		return req, fault.Field("visits", importLong)
	}
	return req, nil
}

// Import stores past visits, by the same rules and with the same events as if they had happened at the given times.
func (s *Service) Import(ctx context.Context, req importRequest) (importAnswer, error) {
	for _, past := range req.Visits {
		if err := s.directory.FetchService(ctx, past.ServiceID); err != nil {
			return importAnswer{}, err
		}
		if past.ConsultantID != "" {
			if err := s.directory.FetchConsultant(ctx, past.ConsultantID); err != nil {
				return importAnswer{}, err
			}
		}
	}
	err := s.outbox.InTx(ctx, func(tx pgx.Tx) error {
		for _, past := range req.Visits {
			if err := s.importOne(ctx, tx, past); err != nil {
				return err
			}
		}
		return nil
	})
	return importAnswer{Imported: len(req.Visits)}, err
}

type step struct {
	action visit.Action
	at     *time.Time
	by     visit.Actor
	notes  string
}

func (s *Service) importOne(ctx context.Context, tx pgx.Tx, past contract.PastVisit) error {
	reception := visit.Actor{ID: past.ReceptionUserID, Name: "Reception", Role: contract.RoleReception}
	req := queue.Form{Name: past.Name, Phone: past.Phone, ServiceID: past.ServiceID, Notes: past.Notes}
	v, err := imported(s.queue.RegisterIn(tx, &queue.Registration{
		Origin: queue.Origin{Context: ctx, By: reception, At: &past.CreatedAt}, Visit: req.Visit(row.NewID(), reception),
	}))
	for _, next := range stepsOf(past) {
		if err != nil || next.at == nil {
			break
		}
		if next.by.Role == contract.RoleConsultant {
			next.by.Name = *v.ConsultantName
		}
		c := &queue.Change{
			Origin: queue.Origin{Context: ctx, By: next.by, At: next.at}, VisitID: v.ID,
			Want: visit.Request{Action: next.action, Notes: next.notes},
		}
		if next.action == visit.Approve {
			c.Consultant = past.ConsultantID
		}
		v, err = imported(s.queue.DoIn(tx, c))
	}
	if p := past.Promise; err == nil && p != nil && past.DecidedAt != nil {
		_, err = tx.Exec(ctx, forecast.ImportPromise,
			v.ID, v.ServiceID, past.DecidedAt, p.Q10, p.Q50, p.Q90, p.From, p.To, p.Place)
	}
	return err
}

// imported returns the visit from the result of a step, or the error of the API.
func imported(res queue.Outcome, err error) (visit.Visit, error) {
	if err != nil {
		return visit.Visit{}, row.APIError(err)
	}
	return res.Snapshot.Visit, nil
}

func stepsOf(p contract.PastVisit) []step {
	assistant := visit.Actor{ID: p.PAUserID, Name: "Personal assistant", Role: contract.RolePA}
	consultant := visit.Actor{ID: p.ConsultantID, Name: "Consultant", Role: contract.RoleConsultant}
	if p.Denied {
		return []step{{visit.Deny, p.DecidedAt, assistant, p.PANotes}}
	}
	return []step{
		{visit.Approve, p.DecidedAt, assistant, p.PANotes},
		{visit.Start, p.StartedAt, consultant, ""},
		{visit.Complete, p.CompletedAt, consultant, p.SessionNotes},
	}
}
