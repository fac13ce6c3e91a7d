package queue

import (
	"context"
	"net/http"
	"slices"
	"time"

	"github.com/go-json-experiment/json"

	"baari.dev/services/contract"
	"baari.dev/services/platform/feed"
	"baari.dev/services/platform/postgres"
	"baari.dev/services/platform/wire"
	"baari.dev/services/visits/forecast"
	"baari.dev/services/visits/line"
	"baari.dev/services/visits/row"
	"baari.dev/services/visits/visit"
)

// lineAnswer is the line in its order, with the desks, and with lists of visits outside the line or of earlier days.
type lineAnswer struct {
	Line     []placeBody `json:"line"`
	Held     []row.Body  `json:"held"`
	Missed   []row.Body  `json:"missed"`
	LeftOver []row.Body  `json:"leftOver"`
	Carried  []row.Body  `json:"carried"` // visits of earlier days in Line
	Ended    []row.Body  `json:"ended"`   // visits of earlier days that ended today and can be reopened
	Desks    []deskBody  `json:"desks"`
	// The place in Line, by visit id, that the action "back" would give to each visitor of Missed.
	ReturnPositions map[string]int         `json:"returnPositions"`
	Accuracy        *forecast.AccuracyLine `json:"accuracy"` // null while there is not enough history
	at              feed.Position
}

// Headers implements kithttp.Headerer.
func (a lineAnswer) Headers() http.Header { return row.FeedHeader(a.at) }

// placeBody is a waiting visitor's place. Name is absent in a response to a consultant.
type placeBody struct {
	Position  int          `json:"position"`
	VisitID   string       `json:"visitId"`
	Token     string       `json:"token"`
	TokenAlso string       `json:"tokenAlso,omitzero"`
	Day       string       `json:"day"`
	Name      *string      `json:"name,omitzero"`
	Service   row.Service  `json:"service"`
	Class     string       `json:"class"`
	PinnedTo  *personBody  `json:"pinnedTo"`
	RankAt    wire.Time    `json:"rankAt"`
	DueAt     wire.Time    `json:"dueAt"`
	Bypassed  int          `json:"bypassed"`
	MaxBypass int          `json:"maxBypass"`
	Reasons   []reasonBody `json:"reasons"`
	Version   int64        `json:"version"`

	Forecast  *row.Forecast `json:"forecast"`
	Documents *row.Papers   `json:"documents"`
}

// reasonBody is one reason for a place, as a code. The client has the sentences for the codes.
type reasonBody struct {
	Code   string         `json:"code"`
	Values map[string]any `json:"values"`
}

func reasonsOf(reasons []line.Reason) []reasonBody {
	bodies := make([]reasonBody, len(reasons))
	for i, r := range reasons {
		bodies[i] = reasonBody(r)
	}
	return bodies
}

type personBody struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

// Line returns the line of today in the order of the rule. A consultant gets only the visitors whom that consultant may
// call, without names, and the consultant's own visitors on hold or missed.
func (q *Queue) Line(ctx context.Context, _ struct{}) (lineAnswer, error) {
	by := row.Actor(ctx)
	view, err := q.View(ctx)
	if err != nil {
		return lineAnswer{}, postgres.Classify(err)
	}
	shown := row.Snapshots{At: view.Rows.At}
	answer := lineAnswer{
		Line: []placeBody{}, Held: []row.Body{}, Missed: []row.Body{}, LeftOver: []row.Body{}, Carried: []row.Body{},
		Ended: []row.Body{}, Desks: desksOf(view.desksByName()), ReturnPositions: map[string]int{},
		Accuracy: q.forecasts.Line(), at: view.Rows.At.Feed,
	}
	byID := map[string]row.Snapshot{}
	for _, one := range view.Rows.Rows {
		byID[one.Visit.ID] = one
		to := answer.listFor(one)
		if to == nil || by.Role == contract.RoleConsultant && !isOwnHeldOrMissed(one.Visit, by) {
			continue
		}
		shown.Rows = append(shown.Rows, one)
		*to = append(*to, row.BodyOf(one, by))
		if to == &answer.Missed {
			answer.ReturnPositions[one.Visit.ID] = view.returnPosition(one.Visit, by, one.At.Clock)
		}
	}
	for _, w := range line.Order(view.waiting, view.policy.MaxBypass) {
		found := byID[w.ID]
		if by.Role == contract.RoleConsultant && !view.desk(by.ID).Takes(w) {
			continue
		}
		place := placeOf(w, found.Visit, view.policy, len(answer.Line)+1, by)
		place.Forecast, place.Documents = q.forecasts.Of(found.Visit, found.At.Clock), found.Documents
		answer.Line = append(answer.Line, place)
	}
	return answer, q.access.Note(ctx, by, "line", shown)
}

// listFor returns the list other than Line in which a visit is shown; nil if there is none.
func (a *lineAnswer) listFor(one row.Snapshot) *[]row.Body {
	v, today := one.Visit, one.At.Today
	switch {
	case v.Stage == visit.StageWaiting && v.Day == today:
		return nil
	case v.Stage == visit.StageWaiting && !v.RankAt.Before(one.At.Start):
		return &a.Carried
	case v.Status == visit.Completed || v.Status == visit.Denied:
		if v.End().Before(one.At.Start) { // the visit ended earlier; only another value changed today
			return nil
		}
		return &a.Ended
	case v.Day < today:
		return &a.LeftOver
	case v.Stage == visit.StageHeld:
		return &a.Held
	case v.Stage == visit.StageMissed:
		return &a.Missed
	}
	return nil
}

// returnPosition returns the place of a missed visitor who returns at a time: for a consultant in that consultant's
// line, for other roles in the whole line.
func (l *locked) returnPosition(v visit.Visit, by visit.Actor, at time.Time) int {
	back := row.LineOf(v)
	back.MovedDue, back.Forced = nil, false
	back.RankAt = line.ReturnRank(l.policy, back, l.rivals(v), v.MissedCount, at)
	back.DueAt = back.RankAt.Add(l.policy.Allowances[back.Class])
	position := 1
	for _, w := range line.Order(append(slices.Clone(l.waiting), back), l.policy.MaxBypass) {
		if w.ID == v.ID {
			break
		}
		if by.Role != contract.RoleConsultant || l.desk(by.ID).Takes(w) {
			position++
		}
	}
	return position
}

func isOwnHeldOrMissed(v visit.Visit, by visit.Actor) bool {
	own := v.ConsultantID != nil && *v.ConsultantID == by.ID
	return own && (v.Stage == visit.StageHeld || v.Stage == visit.StageMissed)
}

func placeOf(w line.Waiting, v visit.Visit, policy line.Policy, position int, by visit.Actor) placeBody {
	place := placeBody{
		Position: position, VisitID: v.ID, Token: v.Token(), TokenAlso: v.TokenAlso, Day: v.Day,
		Service: row.Service{ID: v.ServiceID, Name: v.ServiceName}, Class: v.Class,
		RankAt: wire.Time(w.RankAt), DueAt: wire.Time(w.Due()),
		Bypassed: w.Bypassed, MaxBypass: policy.MaxBypass, Reasons: reasonsOf(line.Explain(w, policy)), Version: v.Version,
	}
	if by.Role != contract.RoleConsultant {
		place.Name = &v.Name
	}
	if w.PinnedTo != "" {
		place.PinnedTo = &personBody{ID: w.PinnedTo, Name: w.PinnedName}
	}
	return place
}

// nextAnswer is the response to a call of the next visitor, and the value stored under its key.
type nextAnswer struct {
	Visit    *row.Body    `json:"visit"`
	Again    bool         `json:"again"`
	Reasons  []reasonBody `json:"reasons"`
	Waiting  int          `json:"waiting"`
	Feed     string       `json:"feed"`
	replayed bool
}

// nextResponse is a response with 200, and the called visit if there is one.
type nextResponse struct{ nextAnswer }

// MarshalJSON writes the part of the answer that is sent to the caller.
func (a nextResponse) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Visit   *row.Body    `json:"visit"`
		Again   bool         `json:"again"`
		Reasons []reasonBody `json:"reasons"`
		Waiting int          `json:"waiting"`
	}{a.Visit, a.Again, a.Reasons, a.Waiting}, json.Deterministic(true))
}

// Headers implements kithttp.Headerer.
func (a nextResponse) Headers() http.Header { return row.FeedHeaderOf(a.Feed, a.replayed) }

// Ahead returns for each visitor in the line the number of earlier rivals, which are visitors who share a possible
// consultant.
func (l *View) Ahead() map[string]int {
	order := line.Order(l.waiting, l.policy.MaxBypass)
	takers := make([][]bool, len(order))
	for i, w := range order {
		takers[i] = make([]bool, len(l.staff))
		for j, person := range l.staff {
			takers[i][j] = line.Desk{Consultant: person.ID, Serves: person.Serves}.Takes(w)
		}
	}
	ahead := make(map[string]int, len(order))
	for i, w := range order {
		n := 0
		for before := range i {
			if shareOne(takers[before], takers[i]) {
				n++
			}
		}
		ahead[w.ID] = n
	}
	return ahead
}

func shareOne(a, b []bool) bool {
	for i := range a {
		if a[i] && b[i] {
			return true
		}
	}
	return false
}
