package line

import (
	"errors"
	"slices"
	"time"
)

// ReturnRank returns the rank of a missed visitor who returns. rivals are the waiting visitors who share a possible
// consultant with that visitor; misses is the number of misses on the day, including the last one. With p.Return "keep"
// the visitor keeps the rank, and with "end" the rank is now. With "after:N" the visitor is due 1 ms after the N-th
// rival in the order, or after the last rival if there are fewer. After a second miss the rank is always now. The new
// rank is never earlier than the old one.
func ReturnRank(p Policy, returning Waiting, rivals []Waiting, misses int, now time.Time) time.Time {
	n, isAfter := p.after()
	switch {
	case misses > 1 || p.Return == "end":
		return later(returning.RankAt, now)
	case !isAfter:
		return returning.RankAt
	}
	rank := returning.RankAt
	ordered := Order(rivals, p.MaxBypass)
	for _, rival := range ordered[:min(n, len(ordered))] {
		// Rivals in the first group are skipped, as their due time may be later than that of the rivals behind them.
		if !rival.goesFirst(p.MaxBypass) {
			due := rival.Due().Add(time.Millisecond)
			rank = later(rank, due.Add(-p.allowance(returning.Class)))
		}
	}
	return rank
}

// Errors of MoveBetween.
var (
	ErrNotInLine = errors.New("the visitor is not in this line")
	ErrMustGo    = errors.New("a visitor who must be next cannot be moved back")
)

// resolution is the resolution of timestamps in PostgreSQL. eventResolution is that of times in events; an undo may
// read the time of a move from an event.
const (
	resolution      = time.Microsecond
	eventResolution = time.Millisecond
)

// MoveBetween returns the due time that places the visitor id directly before the visitor target: the middle between
// the times by which target and its predecessor are ordered, or 1 s before target's if target is the first of its
// group. The time has whole milliseconds if that is possible. If the two times are equal, id may be placed before both
// visitors. passesAtCap are the visitors of the first group whom the move would pass. If there are any, the move needs
// consent, and takes effect only while Forced is set on the moved visitor. It returns ErrNotInLine if id or target is
// not a visitor of order or they are the same, and ErrMustGo if id is in the first group and would move back.
func MoveBetween(
	order []Waiting, id, target string, maxBypass int,
) (moved time.Time, passesAtCap []Waiting, err error) {
	order = Order(order, maxBypass)
	from := indexOf(order, id)
	if from < 0 || id == target {
		return moved, nil, ErrNotInLine
	}
	moving := order[from]
	rest := slices.Delete(slices.Clone(order), from, from+1)
	to := indexOf(rest, target)
	switch {
	case to < 0:
		return moved, nil, ErrNotInLine
	case to > from && moving.goesFirst(maxBypass):
		return moved, nil, ErrMustGo
	}
	next := rest[to]
	moved = next.key(maxBypass).Add(-time.Second).Truncate(eventResolution)
	if to > 0 && rest[to-1].goesFirst(maxBypass) == next.goesFirst(maxBypass) {
		previous := rest[to-1].key(maxBypass)
		moved = previous.Add(next.key(maxBypass).Sub(previous) / 2).Truncate(resolution)
		if whole := moved.Truncate(eventResolution); whole.After(previous) {
			moved = whole
		}
	}
	moving.MovedDue, moving.Forced = &moved, moving.Forced || next.goesFirst(maxBypass)
	if compare(moving, next, maxBypass) > 0 { // the times are equal, and next has the lower token
		moved = moved.Add(-resolution)
	}
	for _, other := range order[:from] {
		if other.goesFirst(maxBypass) && compare(moving, other, maxBypass) < 0 {
			passesAtCap = append(passesAtCap, other)
		}
	}
	return moved, passesAtCap, nil
}

func indexOf(order []Waiting, id string) int {
	return slices.IndexFunc(order, func(w Waiting) bool { return w.ID == id })
}
