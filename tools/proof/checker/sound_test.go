package checker

import (
	"fmt"
	"maps"
	"slices"
	"time"
)

const today = "2026-11-20"

var begins = time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)

// moment is one change of a visit in sound evidence: kind, actor, and the changed fields besides the stage.
type moment struct {
	kind, role, actor string
	consultant        string // the consultant whom the request names, or who calls
	changes           map[string]any
}

type values = map[string]any

var (
	created = moment{kind: Create, role: "reception", actor: "r1"}
	denied  = moment{kind: Deny, role: "pa", actor: "p1"}
	lined   = moment{kind: Approve, role: "pa", actor: "p1"}
)

func by(consultant, kind string) moment {
	return moment{kind: kind, role: "consultant", actor: consultant}
}

func byPA(kind string, changes values) moment {
	return moment{kind: kind, role: "pa", actor: "p1", changes: changes}
}

func pinned(to string) moment {
	return moment{
		kind: Approve, role: "pa", actor: "p1", consultant: to, changes: values{"consultantId": to, "pinned": true},
	}
}

func called(consultant string) moment {
	return moment{
		kind: Next, role: "consultant", actor: consultant, consultant: consultant,
		changes: values{"consultantId": consultant},
	}
}

func taken(by string) moment {
	return moment{
		kind: Take, role: "consultant", actor: by, consultant: by, changes: values{"consultantId": by, "byHand": true},
	}
}

// sound returns the evidence of a small office without a violation: visits of most stages, three dashboards, a board.
// The session of the fourth visitor was started by hand from the line. Both calls of the fifth visitor were taken back,
// the first one by an undo. The eighth visitor waits, and was passed once by the ninth, who has class priority. The
// tenth waits behind the eighth.
func sound() *Evidence {
	e := &Evidence{
		Today: today, Counts: map[string]int{}, Stages: map[string]int{}, Exported: map[string]bool{},
		Queues: map[string]int{"c1": 1, "c2": 1}, Running: map[string]bool{}, Zone: time.UTC,
		Office:       []OfficeVersion{{1, "null", "a"}, {2, "a", "b"}, {3, "b", "a"}},
		OfficeCopies: map[string]int64{"auth": 3, "visits": 3},
	}
	for _, steps := range [][]moment{
		{created, pinned("c1"), by("c1", Start), by("c1", Complete)}, {created, denied}, {created},
		{created, lined, taken("c2"), by("c2", Complete)},
		{
			created, pinned("c2"), {kind: CallOne, role: "consultant", actor: "c2", consultant: "c2"}, by("c2", Undo),
			{kind: CallOne, role: "consultant", actor: "c2", consultant: "c2"}, by("c2", Release),
		},
		{
			created, lined, called("c1"), by("c1", Recall), by("c1", Miss),
			byPA(Back, values{"rankAt": begins.Add(time.Hour), "consultantId": nil}), called("c1"), by("c1", Start),
			by("c1", Hold), byPA(Resume, values{"pinned": true}), byPA(Leave, nil),
		},
		{
			created, lined, byPA(Hold, values{"heldReason": "papers"}), byPA(Undo, values{"heldReason": ""}),
			byPA(Cancel, nil),
		},
		{created, lined},
		{created, byPA(Prioritise, values{"class": "priority"}), lined, called("c1")},
		{created, lined, {kind: merge, role: "reception", actor: "r1"}},
		{created},
	} {
		e.live(steps)
	}
	e.goOffline()
	Link(e.Outbox)
	e.Head = int64(len(e.Outbox))
	e.Visits[7].Place.Bypassed = 1
	made := func(visit string) time.Time { return e.eventOf(visit, "visit_approved").After.Updated }
	e.Promises = []Promise{
		{
			Visit: "visit-6", Kind: "join", Made: made("visit-6"), Outcome: "called",
			Ended: e.eventOf("visit-6", "visit_called").After.Updated,
		},
		{Visit: "visit-8", Kind: "join", Made: made("visit-8")},
		{
			Visit: "visit-7", Kind: "join", Made: made("visit-7").Add(time.Second), Outcome: "held",
			Ended: e.eventOf("visit-7", "visit_held").After.Updated,
		},
	}
	first := e.eventOf("visit-6", "visit_created")
	e.Consents = []Consent{{Visit: "visit-6", Seq: first.Seq + 1, Given: true, At: first.At}}
	e.Messages = []Message{
		{"visit-6", "whatsapp", "near", e.eventOf("visit-6", "visit_approved").At.Add(time.Second)},
		{"visit-6", "sms", "called", e.eventOf("visit-6", "visit_called").At.Add(time.Second)},
		{"visit-6", "sms", "called", e.eventOf("visit-6", "visit_recalled").At.Add(time.Second)},
	}
	for _, d := range []Dashboard{
		{Name: "desk", Role: "reception", User: "r1"}, {Name: "pa", Role: "pa", User: "p1"},
		{Name: "room", Role: "consultant", User: "c1"}, {Name: "board", Role: board, User: "b1"},
	} {
		d.Frames = append(d.Frames, Frame{Type: Connection})
		for _, row := range e.Outbox {
			if due := receives(d.Role, d.User, row); due != nil {
				d.Frames = append(d.Frames, Frame{Type: due.kind, Record: due.record, Version: due.version, Seq: due.seq})
			}
		}
		d.Frames = append(d.Frames, Frame{Type: Mark, Seq: e.Head})
		if d.Role == board {
			d.Looks = e.looks()
		} else {
			d.Screen, d.Line = shows(d.Role, d.User, today, e.Visits), lineOf(e, d.Role, d.User)
		}
		e.Dashboards = append(e.Dashboards, d)
	}
	for _, v := range e.Visits {
		e.Counts["total"]++
		e.Stages[v.Stage]++
		if v.Status != "denied" || v.Stage == "denied" {
			e.Counts[v.Status]++
		}
		e.Exported[v.Day+" "+v.Token+" "+v.Status] = true
	}
	return e
}

// live adds the requests of one visit, with their records and events.
func (e *Evidence) live(steps []moment) {
	token := len(e.Visits) + 1
	v := Visit{ID: fmt.Sprintf("visit-%d", token), Day: today, TokenNo: token, Token: fmt.Sprintf("T-%03d", token)}
	var past []values
	state := values{
		"class": "normal", "day": today, "tokenNo": float64(token), "serviceId": "s1", "pinned": false,
		"consultantId": nil, "heldReason": "", "calledAt": nil,
	}
	for _, s := range steps {
		seq := int64(len(e.Outbox) + 1)
		at := begins.Add(time.Duration(seq) * time.Minute)
		was := maps.Clone(state)
		edge, stage := edgeAfter(s.kind, was, past)
		past = append(past, was)
		if s.kind == Create {
			was = values{}
		}
		state["stage"], state["status"], state["updatedAt"] = stage, StatusOf(stage), at.Format(time.RFC3339Nano)
		if s.kind == Create {
			state["rankAt"] = state["updatedAt"]
		}
		if s.kind == Next || s.kind == CallOne || s.kind == Recall {
			state["calledAt"] = state["updatedAt"]
		}
		if s.kind == Undo {
			state["calledAt"] = past[len(past)-2]["calledAt"]
		}
		for field, value := range s.changes {
			if t, is := value.(time.Time); is {
				value = t.Format(time.RFC3339Nano)
			}
			state[field] = value
		}
		if rank, err := time.Parse(time.RFC3339Nano, text(state["rankAt"])); err == nil && stage == stageWaiting {
			state["dueAt"] = rank.Add(allowances[text(state["class"])]).Format(time.RFC3339Nano)
		}
		v.Status, v.Stage, v.Consultant = StatusOf(stage), stage, text(state["consultantId"])
		v.Version++
		e.add(s, edge, v, was, maps.Clone(state), at)
	}
	v.Place, v.Called = StateOf(state).Place, StateOf(state).Called
	e.Visits = append(e.Visits, v)
}

// goOffline makes a desk without network print two slips. The first slip becomes the eleventh visit. The second slip is
// merged with the tenth visit, whose registration was not answered.
func (e *Evidence) goOffline() {
	at := e.eventOf("visit-11", "visit_created")
	at.After.Series, at.After.Token = "A", 1
	own, other := &e.Visits[10], &e.Visits[9]
	own.Series, own.TokenNo, own.Token, own.AfterNo, own.Arrived = "A", 1, "A-001", 10, at.At
	own.Place.Series, own.Place.Token = "A", 1
	other.Also = "A-002"
	e.Slips = []Slip{{today, "A", 1, at.At, "created"}, {today, "A", 2, at.At, "merged"}}
	for i := range e.Ops {
		if op := &e.Ops[i]; op.Kind == merge || op.Visit == own.ID {
			op.Kind, op.Visit, op.Seen, op.Key = Offline, "", nil, ""
		}
	}
}

// edgeAfter returns the edge of a step and the stage after it. An undo leads to the stage before the last step.
func edgeAfter(kind string, was values, past []values) (edge, string) {
	e, _ := edgeOf(kind)
	switch {
	case kind == Undo:
		return e, text(past[len(past)-1]["stage"])
	case e.to == "":
		return e, text(was["stage"])
	}
	return e, e.to
}

// add adds the request, the record and the event of one change.
func (e *Evidence) add(s moment, edge edge, v Visit, was, now values, at time.Time) {
	seq := int64(len(e.Outbox) + 1)
	op := Op{
		Client: "robot", Kind: s.kind, Role: s.role, Actor: s.actor, Consultant: s.consultant, Visit: v.ID,
		RequestID: fmt.Sprintf("request-%d", seq), Call: seq * 1e9, Return: seq*1e9 + 1e7, Outcome: OK, Status: 200, Seen: &v,
	}
	if s.kind == Create {
		op.Key = "key-" + v.ID
	}
	e.Ops = append(e.Ops, op)
	e.Records = append(e.Records, Record{
		N: seq, Visit: v.ID, Action: edge.action, RequestID: op.RequestID, Version: v.Version, Seq: seq,
		Old: unlike(was, now), New: unlike(now, was),
	})
	e.Outbox = append(e.Outbox, Event{
		Seq: seq, Visit: v.ID, Type: edge.event, Version: v.Version, RequestID: op.RequestID, At: at, After: StateOf(now),
	})
}

// unlike returns the fields of the first object whose values differ in the second.
func unlike(of, other values) values {
	fields := values{}
	for field, value := range of {
		if asText(value) != asText(other[field]) {
			fields[field] = value
		}
	}
	return fields
}

// record returns a visit's first record of the given action; eventOf returns a visit's first event of the given type.
func (e *Evidence) record(visit, action string) *Record {
	return &e.Records[slices.IndexFunc(e.Records, func(r Record) bool { return r.Visit == visit && r.Action == action })]
}

func (e *Evidence) eventOf(visit, kind string) *Event {
	return &e.Outbox[slices.IndexFunc(e.Outbox, func(r Event) bool { return r.Visit == visit && r.Type == kind })]
}
