package audit

import (
	"context"
	"net/http"

	"github.com/jackc/pgx/v5"

	"baari.dev/services/contract"
	"baari.dev/services/platform/endpoint"
	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/privacy"
	"baari.dev/services/platform/wire"
)

// InternalRoutes returns the routes of the internal listener: the records about a data subject, given the ids of the
// subject's rows in other services; breach reports; exports and reads by user; users' names; the trail's verification.
func (s *Service) InternalRoutes() []endpoint.Route {
	return append(privacy.Routes(privacy.Handlers{
		Asker:  contract.SourceVisits,
		Export: endpoint.JSON(readSubjects, s.exportSubject),
		Breach: endpoint.JSON(readBreach, s.store.disclosures),
		Uses:   endpoint.JSON(readBreach, s.store.uses),
	}),
		endpoint.Route{Method: http.MethodPost, Pattern: "/internal/people",
			Access:  endpoint.Service(contract.SourceVisits, contract.CallerOperator),
			Handler: endpoint.JSON(readPeople, s.people)},
		s.verifyRoute(),
	)
}

// redactErased removes the values from the earlier records of each subject that one of the events erases.
func (s *Service) redactErased(ctx context.Context, tx pgx.Tx, events []outbox.Event) error {
	for _, event := range events {
		if action(event) != erased {
			continue
		}
		if err := s.store.redact(ctx, tx, event.Subject.Entity, event.Subject.ID); err != nil {
			return err
		}
	}
	return nil
}

const mostIDs = 1000

var idsMany = fault.NewMessage(fault.CodeTooMany, "At most 1,000 ids at once.").With("max", mostIDs)

// subjects has the ids of the rows about a person in the other services.
type subjects struct {
	IDs []string `json:"ids"`
	All bool     `json:"all"` // includes records without personal data, which an erasure keeps
}

func readSubjects(r *http.Request) (of subjects, err error) {
	if err := wire.Read(r, &of); err != nil {
		return of, err
	}
	if len(of.IDs) > mostIDs {
		return of, fault.Field("ids", idsMany)
	}
	return of, nil
}

func readPeople(r *http.Request) ([]string, error) {
	of, err := readSubjects(r)
	return of.IDs, err
}

// subjectAnswer has the records that still have values about the subject.
type subjectAnswer struct {
	Records []recordBody `json:"records"`
}

func (s *Service) exportSubject(ctx context.Context, of subjects) (subjectAnswer, error) {
	answer := subjectAnswer{Records: []recordBody{}}
	entries, err := s.store.recordsOf(ctx, of)
	for _, e := range entries {
		answer.Records = append(answer.Records, bodyOf(e))
	}
	return answer, err
}

func readBreach(r *http.Request) (Days, error) {
	period, err := privacy.ReadPeriod[privacy.Period](r)
	return Days{Start: period.From, End: period.To}, err
}

// breachAnswer lists a period's exports, by user and exported days, and its reads of the trail, by user.
type breachAnswer struct {
	Exports []disclosure `json:"exports"`
	Reads   []disclosure `json:"reads"`
}

// disclosure summarizes one user's disclosures of one kind. Start and End are the days of an export.
type disclosure struct {
	UserID string    `json:"userId"`
	Name   string    `json:"name"`
	Email  string    `json:"email"`
	Start  string    `json:"start,omitempty"`
	End    string    `json:"end,omitempty"`
	Times  int       `json:"times"`
	Rows   int       `json:"rows"`
	First  wire.Time `json:"first"`
	Last   wire.Time `json:"last"`
}

type peopleAnswer struct {
	People []member `json:"people"`
}

type member struct {
	ID    string `json:"id"`
	Name  string `json:"name"`
	Email string `json:"email"`
	Role  string `json:"role"`
}

func (s *Service) people(ctx context.Context, ids []string) (peopleAnswer, error) {
	people, err := s.store.people(ctx, ids)
	return peopleAnswer{People: append([]member{}, people...)}, err
}
