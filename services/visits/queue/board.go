package queue

import (
	"context"
	"net/http"

	"baari.dev/services/platform/feed"
	"baari.dev/services/platform/postgres"
	"baari.dev/services/platform/wire"
	"baari.dev/services/visits/row"
)

// mostNext is how many tokens of the line a screen receives at most.
const mostNext = 4

// boardAnswer has the content of a screen in the waiting room: the last calls of the office day, newest first, the
// visits in session, and the next tokens of the line. It has no name, no service and no consultant.
type boardAnswer struct {
	Calls   []boardCall    `json:"calls"`
	Serving []boardServing `json:"serving"`
	Next    []string       `json:"next"`
	Day     string         `json:"day"`
	at      feed.Position
}

// Headers implements kithttp.Headerer.
func (a boardAnswer) Headers() http.Header { return row.FeedHeader(a.at) }

// boardCall is the last call of a visit. The call's frame in the stream has the same CallID.
type boardCall struct {
	CallID    string    `json:"callId"`
	VisitID   string    `json:"visitId"`
	Token     string    `json:"token"`
	TokenAlso string    `json:"tokenAlso,omitzero"` // second token, on the slip of a paired desk
	Counter   *string   `json:"counter"`
	At        wire.Time `json:"at"`
	CallCount int       `json:"callCount"`
	Language  string    `json:"language"`
}

type boardServing struct {
	Token     string  `json:"token"`
	TokenAlso string  `json:"tokenAlso,omitzero"`
	Counter   *string `json:"counter"`
}

// Board returns the content of a screen in the waiting room.
func (q *Queue) Board(ctx context.Context, _ struct{}) (boardAnswer, error) {
	answer, err := q.store.board(ctx)
	return answer, postgres.Classify(err)
}
