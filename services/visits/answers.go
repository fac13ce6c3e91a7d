package visits

import (
	"net/http"

	"github.com/go-json-experiment/json"

	"baari.dev/services/contract"
	"baari.dev/services/platform/feed"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/wire"
	"baari.dev/services/visits/visit"
)

// visitBody is a visit as it is shown to one role (api.md section 2).
type visitBody struct {
	ID                   string      `json:"id"`
	Token                string      `json:"token"`
	Day                  string      `json:"day"`
	Name                 string      `json:"name"`
	Phone                string      `json:"phone"`
	Service              serviceBody `json:"service"`
	Status               string      `json:"status"`
	CreatedAt            wire.Time   `json:"createdAt"`
	UpdatedAt            wire.Time   `json:"updatedAt"`
	DecidedAt            *wire.Time  `json:"decidedAt"`
	StartedAt            *wire.Time  `json:"startedAt"`
	CompletedAt          *wire.Time  `json:"completedAt"`
	AssignedConsultant   *string     `json:"assignedConsultant"`
	AssignedConsultantID *string     `json:"assignedConsultantId"`
	Notes                string      `json:"notes"`
	ReceptionNotes       string      `json:"receptionNotes"`
	PANotes              string      `json:"paNotes"`
	SessionNotes         string      `json:"sessionNotes"`
	WaitTime             int         `json:"waitTime"`
	SessionDuration      *int        `json:"sessionDuration"`
	Version              int64       `json:"version"`
}

type serviceBody struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

func bodyOf(v visit.Visit, at moment, role string) visitBody {
	return visitBody{
		ID: v.ID, Token: visit.Token(v.TokenNo), Day: v.Day, Name: v.Name, Phone: v.PhoneFor(role, at.Today),
		Service: serviceBody{ID: v.ServiceID, Name: v.ServiceName}, Status: string(v.Status),
		CreatedAt: wire.Time(v.CreatedAt), UpdatedAt: wire.Time(v.UpdatedAt),
		DecidedAt: wire.TimeOf(v.DecidedAt), StartedAt: wire.TimeOf(v.StartedAt), CompletedAt: wire.TimeOf(v.CompletedAt),
		AssignedConsultant: v.ConsultantName, AssignedConsultantID: v.ConsultantID,
		Notes: v.Notes(), ReceptionNotes: v.ReceptionNotes, PANotes: v.PANotes, SessionNotes: v.SessionNotes,
		WaitTime: v.WaitMinutes(at.Now), SessionDuration: v.SessionMinutes(), Version: v.Version,
	}
}

// visitAnswer is {"visit": …} and, for the header, the feed position at which it was read. It is also the value
// stored under an idempotency key.
type visitAnswer struct {
	Visit visitBody `json:"visit"`
	Feed  string    `json:"feed"`
}

// body encodes the part of the answer that is sent to the caller.
func (a visitAnswer) body() ([]byte, error) {
	return json.Marshal(struct {
		Visit visitBody `json:"visit"`
	}{a.Visit}, json.Deterministic(true))
}

func answerOf(s snapshot, by visit.Actor) visitAnswer {
	return visitAnswer{Visit: bodyOf(s.Visit, s.At, by.Role), Feed: positionHeader(s.At.Feed)}
}

// createdVisit answers 201. replayed: the visit was created by an earlier request with the same key.
type createdVisit struct {
	visitAnswer
	replayed bool
}

// MarshalJSON writes the visit.
func (c createdVisit) MarshalJSON() ([]byte, error) { return c.body() }

// StatusCode implements kithttp.StatusCoder.
func (createdVisit) StatusCode() int { return http.StatusCreated }

// Headers implements kithttp.Headerer.
func (c createdVisit) Headers() http.Header {
	header := http.Header{feed.HeaderSeq: {c.Feed}}
	if c.replayed {
		header.Set("Idempotency-Replayed", "true")
	}
	return header
}

// changedVisit answers 200 with the visit after the change.
type changedVisit struct{ visitAnswer }

// MarshalJSON writes the visit.
func (c changedVisit) MarshalJSON() ([]byte, error) { return c.body() }

// Headers implements kithttp.Headerer.
func (c changedVisit) Headers() http.Header { return http.Header{feed.HeaderSeq: {c.Feed}} }

// visitsAnswer is {"visits": […]}.
type visitsAnswer struct {
	Visits []visitBody `json:"visits"`
	at     feed.Position
}

func listOf(s snapshots, by visit.Actor) visitsAnswer {
	answer := visitsAnswer{Visits: make([]visitBody, len(s.Visits)), at: s.At.Feed}
	for i, v := range s.Visits {
		answer.Visits[i] = bodyOf(v, s.At, by.Role)
	}
	return answer
}

// Headers implements kithttp.Headerer.
func (a visitsAnswer) Headers() http.Header {
	return http.Header{feed.HeaderSeq: {positionHeader(a.at)}}
}

// visitorAnswer is {"visitor": …|null}.
type visitorAnswer struct {
	Visitor *visitor `json:"visitor"`
	at      feed.Position
}

type visitor struct {
	Name      string `json:"name"`
	Visits    int    `json:"visits"`
	LastVisit string `json:"lastVisit"`
}

// Headers implements kithttp.Headerer.
func (a visitorAnswer) Headers() http.Header {
	return http.Header{feed.HeaderSeq: {positionHeader(a.at)}}
}

// visitChange is the outbox entry of a change: the whole visit before and after.
func visitChange(kind string, before *visit.Visit, after visit.Visit) outbox.Change {
	change := outbox.Change{Type: kind, Entity: contract.EntityVisit, EntityID: after.ID, Version: after.Version, After: eventVisit(after)}
	if before != nil {
		change.Before = eventVisit(*before)
	}
	return change
}

func eventVisit(v visit.Visit) contract.Visit {
	return contract.Visit{
		ID: v.ID, TokenNo: v.TokenNo, Token: visit.Token(v.TokenNo), Day: v.Day, Name: v.Name, Phone: v.Phone,
		ServiceID: v.ServiceID, ServiceName: v.ServiceName, Status: string(v.Status),
		ConsultantID: v.ConsultantID, ConsultantName: v.ConsultantName,
		ReceptionNotes: v.ReceptionNotes, PANotes: v.PANotes, SessionNotes: v.SessionNotes,
		CreatedAt: wire.Time(v.CreatedAt), UpdatedAt: wire.Time(v.UpdatedAt),
		DecidedAt: wire.TimeOf(v.DecidedAt), StartedAt: wire.TimeOf(v.StartedAt), CompletedAt: wire.TimeOf(v.CompletedAt),
		WaitMinutes: v.FinalWait(), DurationMinutes: v.SessionMinutes(),
		CreatedByName: v.CreatedByName, DecidedByName: v.DecidedByName, NoticeVersion: v.NoticeVersion, Version: v.Version,
	}
}
