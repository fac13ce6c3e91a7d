package visits

import (
	"context"
	"net/http"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"baari.dev/services/contract"
	"baari.dev/services/platform/endpoint"
	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/postgres"
	"baari.dev/services/platform/wire"
	"baari.dev/services/visits/visit"
)

// importRoute takes visits with given times: demonstration data only, on the internal listener only.
func (s *Service) importRoute() endpoint.Route {
	return endpoint.Route{Method: http.MethodPost, Pattern: "/internal/import", Access: endpoint.Service(),
		Handler: endpoint.JSON(readImport, s.Import)}
}

// InternalRoutes are what other programs may call; demo adds the import.
func (s *Service) InternalRoutes(demo bool) []endpoint.Route {
	if !demo {
		return append(s.subjectRoutes(), s.breachRoute())
	}
	return append(s.subjectRoutes(), s.breachRoute(), s.importRoute())
}

// pastVisit is a visit as it went. Missing times mean that it did not get that far.
type pastVisit struct {
	Name            string     `json:"name"`
	Phone           string     `json:"phone"`
	ServiceID       string     `json:"service_id"`
	Notes           string     `json:"notes"`
	CreatedAt       time.Time  `json:"created_at"`
	DecidedAt       *time.Time `json:"decided_at"`
	Denied          bool       `json:"denied"`
	ConsultantID    string     `json:"consultant_id"`
	PANotes         string     `json:"pa_notes"`
	StartedAt       *time.Time `json:"started_at"`
	CompletedAt     *time.Time `json:"completed_at"`
	SessionNotes    string     `json:"session_notes"`
	ReceptionUserID string     `json:"reception_user_id"`
	PAUserID        string     `json:"pa_user_id"`
}

type importRequest struct {
	Visits []pastVisit `json:"visits"`
}

type imported struct {
	Imported int `json:"imported"`
}

// importLimit is the most visits of one request.
const importLimit = 500

func readImport(r *http.Request) (importRequest, error) {
	var req importRequest
	r.Body = http.MaxBytesReader(nil, r.Body, 2<<20)
	if err := wire.ReadLarge(r, &req); err != nil {
		return req, err
	}
	if len(req.Visits) > importLimit {
		return req, fault.Field("visits", "At most 500 visits at once.")
	}
	return req, nil
}

// Import stores past visits by the same rules, with the same events, as if they had happened at their times.
func (s *Service) Import(ctx context.Context, req importRequest) (imported, error) {
	for _, past := range req.Visits {
		if err := s.directory.learnService(ctx, past.ServiceID); err != nil {
			return imported{}, err
		}
		if past.ConsultantID != "" {
			if err := s.directory.learnConsultant(ctx, past.ConsultantID); err != nil {
				return imported{}, err
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
	return imported{Imported: len(req.Visits)}, err
}

const insertPast = `
WITH counter AS (
  INSERT INTO day_counter (day, last) VALUES ((@at::timestamptz AT TIME ZONE @zone)::date, 1)
  ON CONFLICT (day) DO UPDATE SET last = day_counter.last + 1
  RETURNING day, last
), v AS (
  INSERT INTO visits (id, office_day, token_no, name, phone, service_id, service_name, status, reception_notes,
    created_at, updated_at, created_by, created_by_name, notice_version)
  SELECT @id, counter.day, counter.last, @name, @phone, @service_id, @service_name, 'new', @notes,
    @at, @at, @actor, @actor_name, coalesce((SELECT notice_version FROM office), '')
  FROM counter
  RETURNING *
)
SELECT` + columns + `,` + momentColumns + ` FROM v`

// step is one change in the life of a past visit.
type step struct {
	to    visit.Status
	at    *time.Time
	by    visit.Actor
	notes string
}

func (s *Service) importOne(ctx context.Context, tx pgx.Tx, past pastVisit) error {
	service, err := s.directory.serviceName(ctx, tx, past.ServiceID)
	if err != nil {
		return err
	}
	reception := visit.Actor{ID: past.ReceptionUserID, Name: "Reception", Role: contract.RoleReception}
	v, _, _, err := scan(tx.QueryRow(ctx, insertPast, postgres.Args{
		"zone": s.store.zone, "at": past.CreatedAt, "id": uuid.Must(uuid.NewV7()).String(), "name": past.Name, "phone": past.Phone,
		"service_id": past.ServiceID, "service_name": service, "notes": past.Notes, "actor": reception.ID, "actor_name": reception.Name,
	}))
	if err != nil {
		return err
	}
	if err := outbox.Append(ctx, tx, tellPast(visit.Created, nil, v, past.CreatedAt, reception)); err != nil {
		return err
	}
	for _, next := range past.steps() {
		if next.at == nil {
			break
		}
		if v, err = s.importStep(ctx, tx, v, next, past.ConsultantID); err != nil {
			return err
		}
	}
	return nil
}

func (p pastVisit) steps() []step {
	assistant := visit.Actor{ID: p.PAUserID, Name: "Personal assistant", Role: contract.RolePA}
	consultant := visit.Actor{ID: p.ConsultantID, Name: "Consultant", Role: contract.RoleConsultant}
	if p.Denied {
		return []step{{visit.Denied, p.DecidedAt, assistant, p.PANotes}}
	}
	return []step{
		{visit.Approved, p.DecidedAt, assistant, p.PANotes},
		{visit.InSession, p.StartedAt, consultant, ""},
		{visit.Completed, p.CompletedAt, consultant, p.SessionNotes},
	}
}

const movePast = `
UPDATE visits SET updated_at = @at,
  decided_at   = CASE WHEN @to IN ('approved', 'denied') THEN @at ELSE decided_at END,
  started_at   = CASE WHEN @to = 'in-session' THEN @at ELSE started_at END,
  completed_at = CASE WHEN @to = 'completed' THEN @at ELSE completed_at END
WHERE id = @id`

func (s *Service) importStep(ctx context.Context, tx pgx.Tx, before visit.Visit, next step, consultantID string) (visit.Visit, error) {
	if _, err := before.Decide(next.by, visit.Request{To: next.to, ConsultantID: consultantID}); err != nil {
		return before, refusal(err)
	}
	c := change{from: before, to: next.to, by: next.by, notes: next.notes}
	if next.to == visit.Approved {
		name, err := s.directory.consultantName(ctx, tx, consultantID)
		if err != nil {
			return before, err
		}
		c.consultantID, c.consultantName = &consultantID, &name
	}
	if next.by.Role == contract.RoleConsultant {
		next.by.Name = *before.ConsultantName
	}
	if _, err := s.store.apply(ctx, tx, c); err != nil {
		return before, refusal(err)
	}
	if _, err := tx.Exec(ctx, movePast, postgres.Args{"id": before.ID, "to": string(next.to), "at": *next.at}); err != nil {
		return before, err
	}
	after, _, err := s.store.lock(ctx, tx, before.ID)
	if err != nil {
		return before, err
	}
	transition, _ := visit.To(next.to)
	return after, outbox.Append(ctx, tx, tellPast(transition.Event, &before, after, *next.at, next.by))
}

func tellPast(kind string, before *visit.Visit, after visit.Visit, at time.Time, by visit.Actor) outbox.Change {
	change := tell(kind, before, after)
	change.At = &at
	change.Actor = &outbox.Actor{ID: by.ID, Name: by.Name, Role: by.Role}
	return change
}
