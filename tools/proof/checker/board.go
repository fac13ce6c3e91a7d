package checker

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
)

// This file describes the screens of the waiting room, and is a second implementation of the rule for what they show.

// board is the role of these screens.
const board = "display"

// Call is the call of a visitor, as a board shows it.
type Call struct {
	Visit, Token string
	At           time.Time
}

// is reports whether two calls are the same. Times are compared in milliseconds, because boards receive no more digits.
func (c Call) is(other Call) bool {
	return c.Visit == other.Visit && c.At.UnixMilli() == other.At.UnixMilli()
}

// Look is what a board showed at a time when it was up to date. Its fields come from the newest answer; Calls also has
// the calls that only the stream has sent.
type Look struct {
	Asked   time.Time // the time of the board's request
	Day     string    // the answer's day
	Epoch   string    // epoch of Seq; Seq is the position of the answer or a later one
	Seq     int64
	Calls   []Call   // newest first
	Serving []string // tokens
	Next    []string // tokens
}

const (
	boardCalls = 8
	boardNext  = 4
)

func isCall(row Event) bool { return row.Type == "visit_called" || row.Type == "visit_recalled" }

// standing is the call that boards show for a visit after event number seq. The call's time is zero if they show none.
type standing struct {
	seq int64
	Call
}

// standingCalls returns, for each visit and after each of its events, the call that boards show: the last call, or none
// once the visitor is back in the line. After an undo they show what they showed before the undone change.
func standingCalls(e *Evidence) map[string][]standing {
	calls := map[string][]standing{}
	for _, row := range e.Outbox {
		if row.Visit == "" {
			continue
		}
		past := calls[row.Visit]
		now := standing{Call: Call{Visit: row.Visit}}
		switch n := len(past); {
		case isCall(row):
			now.At = row.After.Called
		case row.Type == "visit_undone" && n > 1:
			now.Call = past[n-2].Call
		case row.Type != "visit_undone" && n > 0 && row.After.Stage != stageWaiting && row.After.Stage != stageNew:
			now.Call = past[n-1].Call
		}
		now.seq = row.Seq
		calls[row.Visit] = append(past, now)
	}
	return calls
}

// checkBoard checks I10 for a board. At the end the board shows the calls, the sessions and the first tokens of today's
// line as in the database. Before, it never showed a call that was taken back, replaced, or made on another day.
func checkBoard(e *Evidence, d Dashboard) []Violation {
	var found findings
	if len(d.Looks) == 0 {
		found.add("I10", nil, "%s has shown nothing", d.Name)
		return found
	}
	days, calls := &fold{evidence: e}, standingCalls(e)
	for _, look := range d.Looks {
		if what := wrongIn(look, days, calls); look.Epoch == e.Epoch && what != "" {
			found.add("I10", nil, "%s, which read the board of %s at seq %d, %s", d.Name, look.Day, look.Seq, what)
		}
	}
	last, shown := d.Looks[len(d.Looks)-1], callsOfToday(e, days, calls)
	if !slices.EqualFunc(last.Calls, shown, Call.is) {
		found.add("I10", nil, "%s shows the calls %s, by the database they are %s", d.Name, tokensOf(last.Calls),
			tokensOf(shown))
	}
	for _, list := range []struct {
		what      string
		got, want []string
	}{
		{"in session", slices.Sorted(slices.Values(last.Serving)), servingToday(e)},
		{"next", last.Next, nextTokens(e)},
	} {
		if !slices.Equal(list.got, list.want) {
			found.add("I10", nil, "%s shows %v %s, the database has %v", d.Name, list.got, list.what, list.want)
		}
	}
	return found
}

// wrongIn describes a call that a board should not have shown, or returns "". Events are numbered after the commit, so
// an answer may have changes beyond its position: a call is wrong if boards should show it neither then nor later.
func wrongIn(look Look, days *fold, calls map[string][]standing) string {
	if asked := days.dayOf(look.Asked); look.Day < asked {
		return "had asked for it on " + asked
	}
	for _, c := range look.Calls {
		if days.dayOf(c.At) != look.Day {
			return fmt.Sprintf("showed the call of %s of %s", c.Token, days.dayOf(c.At))
		}
		stands := false
		for i, s := range calls[c.Visit] {
			ended := i+1 < len(calls[c.Visit]) && calls[c.Visit][i+1].seq <= look.Seq
			stands = stands || s.is(c) && !ended
		}
		if !stands {
			return fmt.Sprintf("showed a call of %s that was taken back, replaced or never made", c.Token)
		}
	}
	return ""
}

// callsOfToday returns the calls that boards show at the end, newest first.
func callsOfToday(e *Evidence, days *fold, calls map[string][]standing) []Call {
	var shown []Call
	exact := map[string]time.Time{}
	for _, v := range e.Visits {
		past := calls[v.ID]
		if len(past) == 0 || past[len(past)-1].At.IsZero() || days.dayOf(past[len(past)-1].At) != e.Today {
			continue
		}
		exact[v.ID] = v.Called
		shown = append(shown, Call{v.ID, v.Token, past[len(past)-1].At})
	}
	slices.SortFunc(shown, func(a, b Call) int {
		return cmp.Or(b.At.Compare(a.At), exact[b.Visit].Compare(exact[a.Visit]), cmp.Compare(a.Visit, b.Visit))
	})
	return shown[:min(len(shown), boardCalls)]
}

func servingToday(e *Evidence) []string {
	var tokens []string
	for _, v := range e.Visits {
		if v.Stage == stageInSession && v.SatDay == e.Today {
			tokens = append(tokens, v.Token)
		}
	}
	slices.Sort(tokens)
	return tokens
}

// nextTokens returns the first tokens of the line. Two tokens of one visitor are shown together or not at all.
func nextTokens(e *Evidence) []string {
	tokens := map[string][]string{}
	for _, v := range e.Visits {
		tokens[v.ID] = slices.DeleteFunc([]string{v.Token, v.Also}, func(t string) bool { return t == "" })
	}
	var next []string
	for _, id := range lineOf(e, "reception", "") {
		if len(next)+len(tokens[id]) > boardNext {
			break
		}
		next = append(next, tokens[id]...)
	}
	return next
}

func tokensOf(calls []Call) string {
	var tokens []string
	for _, c := range calls {
		tokens = append(tokens, c.Token+" "+c.At.UTC().Format("15:04:05.000"))
	}
	return "[" + strings.Join(tokens, ", ") + "]"
}
