package queue

import (
	"net/http"

	"github.com/go-json-experiment/json"

	"baari.dev/services/platform/feed"
	"baari.dev/services/platform/wire"
	"baari.dev/services/visits/row"
	"baari.dev/services/visits/visit"
)

// Answer is {"visit": …} with the feed position at which it was read, which is sent in a header. It is also the value
// stored under an idempotency key.
type Answer struct {
	Visit row.Body `json:"visit"`
	Feed  string   `json:"feed"`
}

func answerOf(s row.Snapshot, by visit.Actor) Answer {
	return Answer{Visit: row.BodyOf(s, by), Feed: row.PositionHeader(s.At.Feed)}
}

// body encodes the part of the answer that is sent to the caller.
func (a Answer) body() ([]byte, error) {
	return json.Marshal(struct {
		Visit row.Body `json:"visit"`
	}{a.Visit}, json.Deterministic(true))
}

// Created is a response with 201. replayed is set if an earlier request with the same key has created the visit.
type Created struct {
	Answer
	replayed bool
}

// CreatedOf returns the response to a registration.
func CreatedOf(res Outcome, by visit.Actor) Created {
	if res.Replayed != nil {
		return Created{*res.Replayed, true}
	}
	return Created{answerOf(res.Snapshot, by), false}
}

// MarshalJSON writes the visit.
func (c Created) MarshalJSON() ([]byte, error) { return c.body() }

// StatusCode implements kithttp.StatusCoder.
func (Created) StatusCode() int { return http.StatusCreated }

// Headers implements kithttp.Headerer.
func (c Created) Headers() http.Header { return row.FeedHeaderOf(c.Feed, c.replayed) }

// changedVisit is a response with 200 and the visit after the change.
type changedVisit struct {
	Answer
	replayed bool
}

// MarshalJSON writes the visit.
func (c changedVisit) MarshalJSON() ([]byte, error) { return c.body() }

// Headers implements kithttp.Headerer.
func (c changedVisit) Headers() http.Header { return row.FeedHeaderOf(c.Feed, c.replayed) }

type visitorAnswer struct {
	Visitor *visitor `json:"visitor"`
	at      feed.Position
}

// visitor is a visitor who has earlier visits.
type visitor struct {
	Name      string `json:"name"`
	Language  string `json:"language"`
	Visits    int    `json:"visits"`
	LastVisit string `json:"lastVisit"`
}

// Headers implements kithttp.Headerer.
func (a visitorAnswer) Headers() http.Header { return row.FeedHeader(a.at) }

type draftAnswer struct {
	Draft draft `json:"draft"`
}

// draft is the stored draft of a session's notes; SavedAt is nil if there is none.
type draft struct {
	Notes   string     `json:"notes"`
	SavedAt *wire.Time `json:"savedAt"`
}

type earlierAnswer struct {
	Visits []earlierVisit `json:"visits"`
	at     feed.Position
}

// earlierVisit is a completed visit of the same visitor, with the fields that the consultant of the current visit may
// read.
type earlierVisit struct {
	ID                 string      `json:"id"`
	Day                string      `json:"day"`
	Name               string      `json:"name"`
	Service            row.Service `json:"service"`
	AssignedConsultant string      `json:"assignedConsultant"`
	SessionNotes       string      `json:"sessionNotes"`
}

// Headers implements kithttp.Headerer.
func (a earlierAnswer) Headers() http.Header { return row.FeedHeader(a.at) }
