package visits_test

import (
	"fmt"
	"net/http"
	"testing"

	"baari.dev/services/platform/testkit"
)

// worded is a rejection as a role reads it. consultant is the name in the params, "" if they have none.
type worded struct {
	what             string
	got              answer
	code, sentence   string
	consultant, need string // need is the name of a param that must be there
}

func (d *desk) words(t *testing.T, cases ...worded) {
	t.Helper()
	for _, c := range cases {
		name, named := c.got.Params["consultant"]
		if c.got.Code != c.code || c.got.Error != c.sentence || named != (c.consultant != "") ||
			named && name != c.consultant || c.need != "" && c.got.Params[c.need] == nil {
			t.Errorf("%s answered %d %s", c.what, c.got.status, c.got.text)
		}
	}
}

// The error about an open call names its consultant to each role: "you" for the caller, otherwise the name.
func TestAnOpenCallSaysWhoHasCalled(t *testing.T) {
	d := newDesk(t)
	called, other, own := d.lined("Called"), d.lined("Other"), d.arrive("Own")
	d.must("approve", d.set("pa", own.ID, "approved", to("consultant")), "waiting")
	d.must("next", d.next("consultant"), "called")
	named := fmt.Sprintf(`{"consultant_id":%q}`, testkit.ID("consultant"))
	mine := "You have called " + called.Token + "."
	theirs := "The consultant has called " + called.Token + "."
	const code, name = "call_open", "The consultant"
	d.words(t,
		worded{"a call by the consultant", d.act("consultant", other.ID, "call", `{}`), code, mine, "", "token"},
		worded{"a start by the consultant", d.set("consultant", own.ID, "in-session"), code, mine, "", "token"},
		worded{"a start out of the line", d.act("consultant", other.ID, "start", `{}`), code, mine, "", "token"},
		worded{"a call by a PA", d.act("pa", other.ID, "call", named), code, theirs, name, "token"},
		worded{"a call by an admin", d.act("admin", other.ID, "call", named), code, theirs, name, "token"},
		worded{"a start by an admin", d.set("admin", own.ID, "in-session"), code, theirs, name, "token"},
		worded{"a start out of the line by an admin", d.act("admin", other.ID, "start", named), code, theirs, name, "token"},
	)
	for _, role := range []string{"reception", "pa", "admin", "consultant"} {
		d.wait(called.ID, 61)
		d.must("miss", d.act(role, called.ID, "miss", `{}`), "missed")
		d.must("another call", d.act("consultant", own.ID, "call", `{}`), "called")
		sentence, consultant := "The consultant has called "+own.Token+".", name
		if role == "consultant" {
			sentence, consultant = "You have called "+own.Token+".", ""
		}
		d.words(t, worded{"an undo by " + role, d.act(role, called.ID, "undo", `{}`), code, sentence, consultant, "token"})
		d.must("taken back", d.act("consultant", own.ID, "release", `{}`), "waiting")
		d.must("called again", d.act("consultant", called.ID, "call", `{}`), "called")
	}
}

func TestARunningSessionSaysWhoseItIs(t *testing.T) {
	d := newDesk(t)
	v := d.inSession("Busy")
	other, own := d.lined("Other"), d.arrive("Own")
	d.must("approve", d.set("pa", own.ID, "approved", to("consultant")), "waiting")
	named := fmt.Sprintf(`{"consultant_id":%q}`, testkit.ID("consultant"))
	const (
		code, name   = "session_active", "The consultant"
		mine, theirs = "You already have an active session", "The consultant already has an active session"
	)
	d.words(t,
		worded{"next", d.next("consultant"), code, mine, "", ""},
		worded{"a call", d.act("consultant", other.ID, "call", `{}`), code, mine, "", ""},
		worded{"a start", d.set("consultant", own.ID, "in-session"), code, mine, "", ""},
		worded{"a start out of the line", d.act("consultant", other.ID, "start", `{}`), code, mine, "", ""},
		worded{"a call by a PA", d.act("pa", other.ID, "call", named), code, theirs, name, ""},
		worded{"next by an admin", d.as("admin", http.MethodPost, "/api/visits/next", named), code, theirs, name, ""},
		worded{"a call by an admin", d.act("admin", other.ID, "call", named), code, theirs, name, ""},
		worded{"a start by an admin", d.set("admin", own.ID, "in-session"), code, theirs, name, ""},
		worded{"a start out of the line by an admin", d.act("admin", other.ID, "start", named), code, theirs, name, ""},
	)
	d.must("complete", d.set("admin", v.ID, "completed"), "completed")
	d.must("start", d.set("consultant", own.ID, "in-session"), "in-session")
	d.words(t, worded{"an undo by an admin", d.act("admin", v.ID, "undo", `{}`), code, theirs, name, ""})
}

func TestWhatIsNotAssignedIsAVisitorOrADesk(t *testing.T) {
	d := newDesk(t)
	v := d.lined("Asha")
	d.must("next", d.next("consultant"), "called")
	const visitor = "This visitor is assigned to another consultant."
	desk := func(id string) answer {
		return d.as("consultant2", http.MethodPut, "/api/visits/desks/"+id, `{"state":"open"}`)
	}
	d.words(t,
		worded{"another's visitor", d.act("consultant2", v.ID, "recall", `{}`), "not_assigned", visitor, "", ""},
		worded{
			"another's desk", desk(testkit.ID("consultant")), "not_assigned", "This desk is another consultant's.",
			"The consultant", "",
		},
		worded{"no desk", desk("unknown"), "not_assigned", "This desk is another consultant's.", "", ""},
		worded{
			"a recall at once", d.act("reception", v.ID, "recall", `{}`), "too_soon",
			"The last call was just now. Please wait a moment.", "", "seconds",
		},
	)
	soon := d.act("consultant", v.ID, "miss", `{}`).Params["seconds"]
	if seconds, ok := soon.(float64); !ok || seconds < 50 || seconds > 60 {
		t.Errorf("the wait is %v", soon)
	}
}
