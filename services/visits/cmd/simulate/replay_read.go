package main

import (
	"fmt"
	"slices"
	"time"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/wire"
	"baari.dev/services/visits/catalog"
	"baari.dev/services/visits/foresight"
	"baari.dev/services/visits/line"
)

// replayBody is a request in the form in which it is sent. The history is decoded only if there is no model for it yet.
type replayBody struct {
	Policy      jsontext.Value `json:"policy"`
	Services    jsontext.Value `json:"services"`
	Consultants jsontext.Value `json:"consultants"`
	Sittings    jsontext.Value `json:"sittings"`
	Scores      jsontext.Value `json:"scores"`
	Moments     []replayMoment `json:"moments"`
}

type replayService struct {
	ID         string  `json:"id"`
	EstMinutes float64 `json:"est_minutes"`
}

type replayConsultant struct {
	ID     string   `json:"id"`
	Serves []string `json:"serves"`
}

type replaySitting struct {
	VisitID      string            `json:"visitId"`
	ServiceID    string            `json:"serviceId"`
	ConsultantID string            `json:"consultantId"`
	Class        line.Class        `json:"class"`
	RegisteredAt wire.Time         `json:"registeredAt"`
	JoinedAt     wire.Time         `json:"joinedAt"`
	CalledAt     wire.Time         `json:"calledAt"`
	StartedAt    *wire.Time        `json:"startedAt"`
	EndedAt      wire.Time         `json:"endedAt"`
	EndedAs      foresight.Outcome `json:"endedAs"`
}

type replayScore struct {
	Kind          foresight.Kind `json:"kind"`
	ServiceID     string         `json:"serviceId"`
	MadeAt        wire.Time      `json:"madeAt"`
	Q10           float64        `json:"q10"`
	Q50           float64        `json:"q50"`
	Q90           float64        `json:"q90"`
	From          wire.Time      `json:"from"`
	To            wire.Time      `json:"to"`
	ActualMinutes float64        `json:"actualMinutes"`
}

type replayMoment struct {
	At    wire.Time     `json:"at"`
	Line  []replayPlace `json:"line"`
	Desks []replayDesk  `json:"desks"`

	Expected []replayExpected `json:"expected"` // missing or null: none
}

type replayExpected struct {
	ServiceID    string    `json:"serviceId"`
	At           wire.Time `json:"at"`
	ConsultantID *string   `json:"consultantId"`
}

type replayPlace struct {
	VisitID      string     `json:"visitId"`
	Token        int        `json:"token"`
	Stage        string     `json:"stage"`
	ServiceID    string     `json:"serviceId"`
	Class        line.Class `json:"class"`
	PinnedTo     *string    `json:"pinnedTo"`
	RegisteredAt wire.Time  `json:"registeredAt"`
	JoinedAt     *wire.Time `json:"joinedAt"`
	RankAt       wire.Time  `json:"rankAt"`
	DueAt        wire.Time  `json:"dueAt"`
	Bypassed     int        `json:"bypassed"`
}

type replayDesk struct {
	ConsultantID string              `json:"consultantId"`
	State        foresight.DeskState `json:"state"`
	Since        wire.Time           `json:"since"`
	Until        *wire.Time          `json:"until"`
	BackAt       *wire.Time          `json:"backAt"`
	Visit        *struct {
		ServiceID string    `json:"serviceId"`
		Stage     string    `json:"stage"`
		Since     wire.Time `json:"since"`
	} `json:"visit"`
}

// Limits of a request.
const (
	longestReplay  = 16 << 20 // bytes
	longestID      = 64       // characters
	mostIDs        = 500      // largest number of services, of consultants, and of visitors in a line
	longestMinutes = 100_000.0
	firstYear      = 2000
	lastYear       = 2200
)

// readReplay decodes a request without its history. Errors: bad_body, too_large.
func readReplay(request []byte) (body replayBody, err error) {
	if len(request) > longestReplay {
		return body, fault.ErrTooLarge
	}
	if err := json.Unmarshal(request, &body); err != nil {
		return body, fault.ErrBadBody.Because(err)
	}
	return body, nil
}

// replayCheck collects the invalid fields of a request.
type replayCheck struct {
	errs                  fault.Fields
	services, consultants map[string]bool
}

var (
	replayUnknown = fault.NewMessage(fault.CodeUnknownChoice, "This is none of the choices.")
	replayID      = fault.NewMessage(fault.CodeInvalidText, "An id has 1 to 64 characters.").With("min", 1).
			With("max", longestID)
	replayTime   = fault.NewMessage(fault.CodeInvalidDate, "A time is from the year 2000 to 2199.")
	replayNumber = fault.NewMessage(fault.CodeInvalidNumber, "This number is not in its range.")
	replayMany   = fault.NewMessage(fault.CodeTooMany, "At most 500 at once.").With("max", mostIDs)
)

func (c *replayCheck) when(wrong bool, field string, message fault.Message) {
	if wrong {
		c.errs.Reject(field, message)
	}
}

func (c *replayCheck) id(field, id string) {
	c.when(id == "" || utf8.RuneCountInString(id) > longestID, field, replayID)
}

func (c *replayCheck) times(field string, all ...wire.Time) {
	for _, t := range all {
		year := time.Time(t).Year()
		c.when(year < firstYear || year >= lastYear, field, replayTime)
	}
}

func (c *replayCheck) number(field string, n, least, most float64) {
	c.when(!(n >= least && n <= most), field, replayNumber)
}

// history decodes the values from which a model is derived. Errors: bad_body, invalid fields.
func (b replayBody) history() (o foresight.Setup, sittings []foresight.Sitting, scores []foresight.Score, err error) {
	var (
		services    []replayService
		consultants []replayConsultant
		sat         []replaySitting
		resolved    []replayScore
	)
	for value, into := range map[*jsontext.Value]any{
		&b.Services: &services, &b.Consultants: &consultants, &b.Sittings: &sat, &b.Scores: &resolved,
	} {
		if len(*value) == 0 || value.Kind() != '[' {
			return o, nil, nil, fault.ErrBadBody
		}
		if err := json.Unmarshal(*value, into); err != nil {
			return o, nil, nil, fault.ErrBadBody.Because(err)
		}
	}
	if b.Policy.Kind() != '{' {
		return o, nil, nil, fault.ErrBadBody
	}
	if o.Policy, err = catalog.PolicyOf(string(b.Policy)); err != nil {
		return o, nil, nil, fault.ErrBadBody.Because(err)
	}
	c := &replayCheck{services: map[string]bool{}, consultants: map[string]bool{}}
	c.setup(&o, services, consultants)
	for _, s := range sat {
		sittings = append(sittings, c.sitting(s))
	}
	for _, s := range resolved {
		scores = append(scores, c.score(s))
	}
	return o, sittings, scores, c.errs.Err()
}

func (c *replayCheck) setup(o *foresight.Setup, services []replayService, consultants []replayConsultant) {
	c.when(len(services) > mostIDs, "services", replayMany)
	c.when(len(consultants) > mostIDs, "consultants", replayMany)
	c.number("policy", float64(o.Policy.MaxBypass), 1, longestMinutes)
	for _, allowance := range o.Policy.Allowances {
		c.number("policy", allowance.Minutes(), 0, longestMinutes)
	}
	c.number("policy", o.Policy.MissAfter.Minutes(), 0, longestMinutes)
	for _, s := range services {
		c.id("services", s.ID)
		c.when(c.services[s.ID], "services", replayUnknown)
		c.number("services", s.EstMinutes, 1, longestMinutes)
		c.services[s.ID] = true
		o.Services = append(o.Services, foresight.Service{ID: s.ID, EstMinutes: s.EstMinutes})
	}
	for _, one := range consultants {
		c.id("consultants", one.ID)
		c.when(c.consultants[one.ID], "consultants", replayUnknown)
		c.consultants[one.ID] = true
		for _, id := range one.Serves {
			c.when(!c.services[id], "consultants", replayUnknown)
		}
		o.Consultants = append(o.Consultants, foresight.Consultant{ID: one.ID, Serves: one.Serves})
	}
}

var (
	replayClasses  = []line.Class{line.Normal, line.Deadline, line.Priority, line.Appointment}
	replayOutcomes = []foresight.Outcome{
		foresight.Completed, foresight.Held, foresight.Transferred, foresight.Missed,
	}
	replayKinds  = []foresight.Kind{foresight.Join, foresight.Next, foresight.New}
	replayStates = []foresight.DeskState{foresight.Open, foresight.Break, foresight.Last, foresight.Off}
)

func (c *replayCheck) sitting(s replaySitting) foresight.Sitting {
	c.id("sittings", s.VisitID)
	c.when(!c.services[s.ServiceID] || !c.consultants[s.ConsultantID], "sittings", replayUnknown)
	c.when(!slices.Contains(replayClasses, s.Class), "sittings", replayUnknown)
	c.when(!slices.Contains(replayOutcomes, s.EndedAs), "sittings", replayUnknown)
	c.times("sittings", s.RegisteredAt, s.JoinedAt, s.CalledAt, s.EndedAt)
	return foresight.Sitting{
		VisitID: s.VisitID, ServiceID: s.ServiceID, ConsultantID: s.ConsultantID, Class: s.Class,
		Registered: time.Time(s.RegisteredAt), Joined: time.Time(s.JoinedAt), Called: time.Time(s.CalledAt),
		Started: c.optional("sittings", s.StartedAt), Ended: time.Time(s.EndedAt), EndedAs: s.EndedAs,
	}
}

func (c *replayCheck) optional(field string, t *wire.Time) time.Time {
	if t == nil {
		return time.Time{}
	}
	c.times(field, *t)
	return time.Time(*t)
}

func (c *replayCheck) score(s replayScore) foresight.Score {
	c.when(!c.services[s.ServiceID] || !slices.Contains(replayKinds, s.Kind), "scores", replayUnknown)
	c.times("scores", s.MadeAt, s.From, s.To)
	c.number("scores", s.Q10, 0, longestMinutes)
	c.number("scores", s.Q50, s.Q10, longestMinutes)
	c.number("scores", s.Q90, s.Q50, longestMinutes)
	c.number("scores", s.ActualMinutes, 0, longestMinutes)
	return foresight.Score{
		Kind: s.Kind, ServiceID: s.ServiceID, MadeAt: time.Time(s.MadeAt), Q10: s.Q10, Q50: s.Q50,
		Q90: s.Q90, From: time.Time(s.From), To: time.Time(s.To), ActualMinutes: s.ActualMinutes,
	}
}

// states returns the moments of a request. Errors: invalid fields.
func (b replayBody) states(o foresight.Setup) (all []foresight.State, err error) {
	c := &replayCheck{services: map[string]bool{}, consultants: map[string]bool{}}
	for _, s := range o.Services {
		c.services[s.ID] = true
	}
	for _, one := range o.Consultants {
		c.consultants[one.ID] = true
	}
	for i, m := range b.Moments {
		field := fmt.Sprintf("moments/%d", i)
		c.times(field, m.At)
		c.when(len(m.Line) > mostIDs, field, replayMany)
		s := foresight.State{At: time.Time(m.At)}
		for _, p := range m.Line {
			s.Line = append(s.Line, c.place(field, p))
		}
		desks := map[string]bool{}
		for _, d := range m.Desks {
			c.when(desks[d.ConsultantID], field, replayUnknown)
			desks[d.ConsultantID] = true
			s.Desks = append(s.Desks, c.desk(field, d))
		}
		for _, e := range m.Expected {
			s.Expected = append(s.Expected, c.expected(field, e))
		}
		all = append(all, s)
	}
	return all, c.errs.Err()
}

func (c *replayCheck) place(field string, p replayPlace) foresight.Place {
	c.id(field, p.VisitID)
	c.when(p.Stage != "waiting" && p.Stage != "new", field, replayUnknown)
	c.when(!c.services[p.ServiceID] || !slices.Contains(replayClasses, p.Class), field, replayUnknown)
	c.times(field, p.RegisteredAt, p.RankAt, p.DueAt)
	c.number(field, float64(p.Bypassed), 0, longestMinutes)
	place := foresight.Place{
		New: p.Stage == "new", Registered: time.Time(p.RegisteredAt), Joined: c.optional(field, p.JoinedAt),
		Waiting: line.Waiting{
			ID: p.VisitID, Token: p.Token, ServiceID: p.ServiceID, Class: p.Class,
			RankAt: time.Time(p.RankAt), DueAt: time.Time(p.DueAt), Bypassed: p.Bypassed,
		},
	}
	if p.PinnedTo != nil {
		c.when(!c.consultants[*p.PinnedTo], field, replayUnknown)
		place.PinnedTo = *p.PinnedTo
	}
	return place
}

func (c *replayCheck) desk(field string, d replayDesk) foresight.Desk {
	c.when(!c.consultants[d.ConsultantID] || !slices.Contains(replayStates, d.State), field, replayUnknown)
	c.times(field, d.Since)
	desk := foresight.Desk{
		ConsultantID: d.ConsultantID, State: d.State, Since: time.Time(d.Since),
		Until: c.optional(field, d.Until), BackAt: c.optional(field, d.BackAt),
	}
	if d.Visit != nil {
		c.when(!c.services[d.Visit.ServiceID], field, replayUnknown)
		c.when(d.Visit.Stage != "called" && d.Visit.Stage != "in-session", field, replayUnknown)
		c.times(field, d.Visit.Since)
		desk.Visit = &foresight.DeskVisit{
			ServiceID: d.Visit.ServiceID, InSession: d.Visit.Stage == "in-session", Since: time.Time(d.Visit.Since),
		}
	}
	return desk
}

func (c *replayCheck) expected(field string, e replayExpected) foresight.Expected {
	c.when(!c.services[e.ServiceID], field, replayUnknown)
	c.times(field, e.At)
	expected := foresight.Expected{ServiceID: e.ServiceID, At: time.Time(e.At)}
	if e.ConsultantID != nil {
		c.when(!c.consultants[*e.ConsultantID], field, replayUnknown)
		expected.ConsultantID = *e.ConsultantID
	}
	return expected
}
