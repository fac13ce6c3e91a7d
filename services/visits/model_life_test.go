package visits_test

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// days is a small model of calls, sessions, undo and midnights. It knows which calls and sessions the board shows, and
// which session notes are stored.
type days struct {
	visits []*dayVisit
	typed  int // notes so far
}

type dayVisit struct {
	id, stage, consultant string
	called, sat           bool // today
	lined                 bool // the visit is in today's line, if it waits
	ended                 bool // today
	pinned                bool
	notes                 []string
	last                  string // change that the consultant who made it can undo; "" for none
	repeated              bool   // the service has repeated the call
	noted                 bool   // the last change added a note
	releasedBy            string
	shown                 bool // value of called before the release
	taken                 bool // the session began without a call
}

func (m *days) busy(consultant string) bool {
	return slices.ContainsFunc(m.visits, func(v *dayVisit) bool {
		return v.consultant == consultant && (v.stage == "called" || v.stage == "in-session")
	})
}

// steps are the possible changes. A step returns false if the drawn visit or consultant is not in a state for it.
var steps = map[string]func(m *days, rt *rapid.T, d *desk) bool{
	"arrives": func(m *days, _ *rapid.T, d *desk) bool {
		if len(m.visits) == 6 { // all fit on the board, which shows at most eight calls
			return false
		}
		v := d.lined(fmt.Sprint("Visitor ", len(m.visits)))
		m.visits = append(m.visits, &dayVisit{id: v.ID, stage: "waiting", lined: true})
		return true
	},
	"is called": func(m *days, rt *rapid.T, d *desk) bool {
		consultant := rapid.SampledFrom([]string{"consultant", "consultant2"}).Draw(rt, "consultant")
		if m.busy(consultant) {
			return false
		}
		got := d.next(consultant)
		if got.status != http.StatusOK {
			rt.Fatalf("next answered %d %s", got.status, got.text)
		}
		waits := func(v *dayVisit) bool {
			return v.stage == "waiting" && v.lined && (!v.pinned || v.consultant == consultant)
		}
		if got.Visit == nil {
			if slices.ContainsFunc(m.visits, waits) {
				rt.Fatalf("next found no visitor: %s", got.text)
			}
			return false
		}
		v := m.visits[slices.IndexFunc(m.visits, func(v *dayVisit) bool { return v.id == got.Visit.ID })]
		if !waits(v) {
			rt.Fatalf("next called a visitor who is %+v", v)
		}
		v.stage, v.consultant, v.called, v.last, v.noted = "called", consultant, true, "call", false
		v.repeated = false
		return true
	},
	"is called again by the service": change("called", func(_ *days, d *desk, v *dayVisit) answer {
		if v.repeated {
			return answer{}
		}
		d.ages(v.id, 31)
		d.followCalls()
		v.called, v.repeated, v.last = true, true, ""
		return answer{status: http.StatusOK}
	}),
	"is missed by the service": change("called", func(_ *days, d *desk, v *dayVisit) answer {
		d.ages(v.id, 301)
		d.followCalls()
		v.stage, v.last = "missed", ""
		return answer{status: http.StatusOK}
	}),
	"comes back": change("missed", func(_ *days, d *desk, v *dayVisit) answer {
		if v.stage, v.called, v.lined, v.last = "waiting", false, true, ""; !v.pinned {
			v.consultant = ""
		}
		return d.act("pa", v.id, "back", `{}`)
	}),
	"starts": change("called", func(_ *days, d *desk, v *dayVisit) answer {
		v.stage, v.sat, v.last, v.noted, v.taken = "in-session", true, "start", false, false
		return d.set(v.consultant, v.id, "in-session")
	}),
	"is released": change("called", func(_ *days, d *desk, v *dayVisit) answer {
		v.releasedBy, v.shown = v.consultant, v.called
		v.stage, v.called, v.last, v.lined = "waiting", false, "release", true
		if !v.pinned {
			v.consultant = ""
		}
		return d.act(v.releasedBy, v.id, "release", `{}`)
	}),
	"is taken": func(m *days, rt *rapid.T, d *desk) bool {
		consultant := rapid.SampledFrom([]string{"consultant", "consultant2"}).Draw(rt, "consultant")
		return change("waiting", func(m *days, d *desk, v *dayVisit) answer {
			if m.busy(consultant) || v.pinned {
				return answer{}
			}
			v.stage, v.consultant, v.sat, v.last, v.noted, v.taken = "in-session", consultant, true, "start", false, true
			return d.act(consultant, v.id, "start", `{}`)
		})(m, rt, d)
	},
	"is completed": change("in-session", func(m *days, d *desk, v *dayVisit) answer {
		v.stage, v.last, v.ended = "completed", "complete", true
		return d.set(v.consultant, v.id, "completed", fmt.Sprintf(`"notes":%q`, m.note(v)))
	}),
	"is reopened": change("completed", func(m *days, d *desk, v *dayVisit) answer {
		if !v.ended {
			return answer{}
		}
		v.stage, v.called, v.sat, v.lined, v.pinned, v.last = "waiting", false, false, true, true, ""
		return d.act(v.consultant, v.id, "reopen", fmt.Sprintf(`{"note":%q}`, m.note(v)))
	}),
	"is put back today": change("waiting", func(_ *days, d *desk, v *dayVisit) answer {
		if v.lined {
			return answer{}
		}
		v.lined, v.last = true, ""
		return d.act("pa", v.id, "resume", `{}`)
	}),
	"takes back": change("", func(m *days, d *desk, v *dayVisit) answer {
		consultant := v.consultant
		switch v.last {
		case "call":
			v.stage, v.called = "waiting", false
			if !v.pinned {
				v.consultant = ""
			}
		case "start":
			v.stage, v.sat = "called", false
			if v.taken {
				v.stage, v.consultant = "waiting", ""
			}
		case "release":
			if m.busy(v.releasedBy) {
				return answer{}
			}
			consultant, v.consultant, v.stage, v.called = v.releasedBy, v.releasedBy, "called", v.shown
		case "complete":
			if m.busy(consultant) {
				return answer{}
			}
			v.stage, v.ended = "in-session", false
			if v.noted {
				v.notes = v.notes[:len(v.notes)-1]
			}
		default:
			return answer{}
		}
		v.last = ""
		return d.act(consultant, v.id, "undo", `{}`)
	}),
	"midnight": func(m *days, rt *rapid.T, d *desk) bool {
		if len(m.visits) == 0 {
			return false
		}
		exec(rt, d.owner, `UPDATE visits SET office_day = office_day - 1001`) // two updates keep tokens unique
		exec(rt, d.owner, `UPDATE visits SET office_day = office_day + 1000, created_at = created_at - interval '1 day',
			decided_at = decided_at - interval '1 day', rank_at = rank_at - interval '1 day',
			due_at = due_at - interval '1 day', called_at = called_at - interval '1 day',
			started_at = started_at - interval '1 day', sat_since = sat_since - interval '1 day',
			completed_at = completed_at - interval '1 day'`)
		exec(rt, d.owner, `UPDATE day_counter SET day = day - 1`)
		exec(rt, d.owner, `UPDATE outbox SET created_at = created_at - interval '1 day'`)
		for _, v := range m.visits {
			v.called, v.sat, v.lined, v.ended, v.last = false, false, false, false, ""
		}
		return true
	},
}

// change returns a step that changes a random visit in the stage, or in any stage if stage is "". If act returns an
// answer without a status, the visit is not in a state for the step.
func change(stage string, act func(*days, *desk, *dayVisit) answer) func(*days, *rapid.T, *desk) bool {
	return func(m *days, rt *rapid.T, d *desk) bool {
		var fit []*dayVisit
		for _, v := range m.visits {
			if stage == "" || v.stage == stage {
				fit = append(fit, v)
			}
		}
		if len(fit) == 0 {
			return false
		}
		v := rapid.SampledFrom(fit).Draw(rt, "visit")
		before := *v
		got := act(m, d, v)
		if got.status != 0 && got.status != http.StatusOK {
			rt.Fatalf("from %+v to %+v answered %d %s", before, *v, got.status, got.text)
		}
		return got.status != 0
	}
}

// note returns notes for the next change of a visit. Every third note is empty.
func (m *days) note(v *dayVisit) string {
	m.typed++
	if v.noted = m.typed%3 != 0; !v.noted {
		return ""
	}
	v.notes = append(v.notes, fmt.Sprintf("note %d.", m.typed))
	return v.notes[len(v.notes)-1]
}

// After any sequence of calls, undos, reopenings and midnights, the board shows exactly the calls and the sessions of
// today, and no notes of a session are lost.
func TestRandomCallsAgreeWithTheModel(t *testing.T) {
	d, _ := newDesk(t).midday() // calls of some minutes ago must be of today
	d.unchecked = true
	d.policy(`{"nudgeAfterSeconds":30,"autoMissAfterSeconds":300}`)
	names := slices.Sorted(maps.Keys(steps))
	rapid.Check(t, func(rt *rapid.T) {
		clearDay(t, d)
		m := &days{}
		var done []string
		for range rapid.IntRange(5, 40).Draw(rt, "steps") {
			name := rapid.SampledFrom(names).Draw(rt, "step")
			if steps[name](m, rt, d) {
				done = append(done, name)
				m.agrees(rt, d, done)
			}
		}
	})
}

func (m *days) agrees(rt *rapid.T, d *desk, done []string) {
	board, text := d.board("reception")
	var shown, want []string
	for _, call := range board.Calls {
		shown = append(shown, call.VisitID)
	}
	sessions := 0
	for _, v := range m.visits {
		if v.called {
			want = append(want, v.id)
		}
		if v.sat && v.stage == "in-session" {
			sessions++
		}
		var notes string
		if err := d.owner.QueryRow(rt.Context(), `SELECT coalesce(session_notes, '') FROM visits WHERE id = $1`,
			v.id).Scan(&notes); err != nil {
			rt.Fatal(err)
		}
		at := 0
		for _, note := range v.notes {
			found := strings.Index(notes[at:], note)
			if found < 0 {
				rt.Fatalf("after %v the notes are %q, without %q", done, notes, note)
			}
			at += found + len(note)
		}
	}
	slices.Sort(shown)
	slices.Sort(want)
	if !slices.Equal(shown, want) || len(board.Serving) != sessions {
		rt.Fatalf("after %v the board shows %s; the model has the calls %v and %d sessions", done, text, want, sessions)
	}
}
