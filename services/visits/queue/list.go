package queue

import (
	"context"
	"net/http"

	"baari.dev/services/contract"
	"baari.dev/services/platform/feed"
	"baari.dev/services/platform/postgres"
	"baari.dev/services/visits/row"
	"baari.dev/services/visits/visit"
)

// The lists of visits. Each response has its position; a request with a position gets the changes after it.

// visitsAnswer is {"visits": […], "removed": […], "reset": …, "position": …}. With reset, visits is the whole list.
// Without it, visits are the changed ones, and removed are the ids of those that left the list.
type visitsAnswer struct {
	Visits   []row.Body `json:"visits"`
	Removed  []string   `json:"removed"`
	Reset    bool       `json:"reset"`
	Position string     `json:"position"`
	at       feed.Position
}

// Headers implements kithttp.Headerer.
func (a visitsAnswer) Headers() http.Header { return row.FeedHeader(a.at) }

// Today lists the office day's visits by token. For a consultant, it lists the visits of listAssigned by day and token.
func (q *Queue) Today(ctx context.Context, since feed.Since) (visitsAnswer, error) {
	by := row.Actor(ctx)
	if by.Role == contract.RoleConsultant {
		return q.list(ctx, listAssigned, by, by.ID, "today", since)
	}
	return q.list(ctx, listToday, by, "", "today", since)
}

// Pending lists the visits without a decision, oldest first.
func (q *Queue) Pending(ctx context.Context, since feed.Since) (visitsAnswer, error) {
	return q.list(ctx, listPending, row.Actor(ctx), "", "pending", since)
}

// list reads the changes of a list since a position, or the whole list if the changes are not known. It records the
// disclosures and returns the list as the given user sees it.
func (q *Queue) list(
	ctx context.Context, l list, by visit.Actor, consultant, call string, since feed.Since,
) (visitsAnswer, error) {
	var found changes
	var err error
	if since.Role == by.Role {
		found, err = q.store.changes(ctx, l, consultant, since)
	}
	if err == nil && !found.continues {
		found.Snapshots, err = q.store.whole(ctx, l, consultant)
	}
	if err != nil {
		return visitsAnswer{}, postgres.Classify(err)
	}
	if err := q.access.Note(ctx, by, call, found.Snapshots); err != nil {
		return visitsAnswer{}, err
	}
	at := found.At
	answer := visitsAnswer{
		Visits:   make([]row.Body, len(found.Rows)),
		Removed:  append([]string{}, found.removed...),
		Reset:    !found.continues,
		Position: feed.Since{Position: at.Feed, Day: at.Today, Role: by.Role}.String(),
		at:       at.Feed,
	}
	for i, one := range q.forecasts.With(found.Snapshots).Rows {
		answer.Visits[i] = row.BodyOf(one, by)
	}
	return answer, nil
}
