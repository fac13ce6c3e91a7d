package visits

import (
	"context"
	"net/http"
	"strconv"
	"strings"

	"baari.dev/services/contract"
	"baari.dev/services/platform/feed"
	"baari.dev/services/platform/postgres"
	"baari.dev/services/visits/visit"
)

// The lists of visits. Each answer has its position; a request with a position is answered with what changed after it.

// position is where a list was read. day and role are part of it because the day decides which visits a list has, and
// both decide which phones are shown.
type position struct {
	feed      feed.Position
	day, role string
}

// String returns "epoch.seq.day.role", which is opaque to clients.
func (p position) String() string {
	return strings.Join([]string{p.feed.Epoch, strconv.FormatInt(p.feed.Seq, 10), p.day, p.role}, ".")
}

// parsePosition returns the zero position, which nothing follows, for a text that is not a position.
func parsePosition(text string) position {
	parts := strings.Split(text, ".")
	if len(parts) != 4 {
		return position{}
	}
	seq, err := strconv.ParseInt(parts[1], 10, 64)
	if err != nil || seq < 0 {
		return position{}
	}
	return position{feed: feed.Position{Epoch: parts[0], Seq: seq}, day: parts[2], role: parts[3]}
}

// readSince reads the position after which the caller asks for changes. Without it, and with one that is not a
// position, the whole list is answered, so that no client is stuck with a position of another release.
func readSince(r *http.Request) (position, error) {
	return parsePosition(r.URL.Query().Get("since")), nil
}

// visitsAnswer is {"visits": […], "removed": […], "reset": …, "position": …}. With reset, visits is the whole list;
// without it, visits has those that changed and removed the ids of those that left the list.
type visitsAnswer struct {
	Visits   []visitBody `json:"visits"`
	Removed  []string    `json:"removed"`
	Reset    bool        `json:"reset"`
	Position string      `json:"position"`
	at       feed.Position
}

// Headers implements kithttp.Headerer.
func (a visitsAnswer) Headers() http.Header { return feedHeader(a.at) }

// Today lists the visits of the office day, by day and token; for a consultant, the visits assigned to the caller.
func (s *Service) Today(ctx context.Context, since position) (visitsAnswer, error) {
	by := actor(ctx)
	if by.Role == contract.RoleConsultant {
		return s.list(ctx, listAssigned, by, by.ID, "today", since)
	}
	return s.list(ctx, listToday, by, "", "today", since)
}

// Pending lists the visits without a decision, by day and token.
func (s *Service) Pending(ctx context.Context, since position) (visitsAnswer, error) {
	return s.list(ctx, listPending, actor(ctx), "", "pending", since)
}

// list reads a list, or its changes since a position that they follow, records the disclosures, and returns it as shown
// to by.
func (s *Service) list(
	ctx context.Context, l list, by visit.Actor, consultant, call string, since position,
) (visitsAnswer, error) {
	var rows snapshots
	removed, follows := []string{}, false
	var err error
	if since.role == by.Role {
		var left []string
		rows, left, follows, err = s.store.changes(ctx, l, consultant, since)
		removed = append(removed, left...)
	}
	if err == nil && !follows {
		rows, err = s.store.whole(ctx, l, consultant)
	}
	if err != nil {
		return visitsAnswer{}, postgres.Classify(err)
	}
	if err := s.access.note(ctx, by, call, rows); err != nil {
		return visitsAnswer{}, err
	}
	at := position{feed: rows.At.Feed, day: rows.At.Today, role: by.Role}
	answer := visitsAnswer{
		Visits: make([]visitBody, len(rows.Rows)), Removed: removed, Reset: !follows, Position: at.String(), at: rows.At.Feed,
	}
	for i, row := range s.forecasts.with(rows).Rows {
		answer.Visits[i] = bodyOf(row, by)
	}
	return answer, nil
}
