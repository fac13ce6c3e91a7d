package visit

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// Later notes are below the earlier ones, with their time and author, whichever actions add them.
func TestNotesAreAddedAndNeverReplaced(t *testing.T) {
	inSession, ofPA := func(v Visit) string { return v.SessionNotes }, func(v Visit) string { return v.PANotes }
	asha, ravi := Actor{theirConsultant, "Asha Rao", consultant}, Actor{"pa-1", "Ravi", pa}
	for name, c := range map[string]struct {
		stage Stage
		by    Actor
		want  Request
		of    func(Visit) string
	}{
		"complete": {StageInSession, asha, Request{Action: Complete}, inSession},
		"start":    {StageWaiting, asha, Request{Action: Start}, inSession},
		"transfer": {StageInSession, asha, Request{Action: Transfer, ToLine: true}, inSession},
		"reopen":   {StageCompleted, asha, Request{Action: Reopen}, inSession},
		"approve":  {StageNew, ravi, Request{Action: Approve, ToLine: true}, ofPA},
		"deny":     {StageNew, ravi, Request{Action: Deny}, ofPA},
	} {
		v := visitIn(c.stage, true, noon)
		v.SessionNotes, v.PANotes = "first", "first"
		c.want.Notes = "second"
		after, _, err := v.Change(c.by, c.want, today())
		if want := "first\n[24 Nov, 5:30 PM, " + c.by.Name + "] second"; err != nil || c.of(after) != want {
			t.Errorf("%s: %v: the notes are %q, want %q", name, err, c.of(after), want)
		}
		if typed := Typed("first", c.of(after)); typed != "second" {
			t.Errorf("%s: %q was typed", name, typed)
		}
		c.want.Notes = ""
		if after, _, err = v.Change(c.by, c.want, today()); err != nil || c.of(after) != "first" {
			t.Errorf("%s without notes: %v: %q", name, err, c.of(after))
		}
		v.SessionNotes, v.PANotes = strings.Repeat("x", 1960), strings.Repeat("x", 1960)
		c.want.Notes = "twenty letters or so"
		var long *NotesLongError
		if _, _, err = v.Change(c.by, c.want, today()); !errors.As(err, &long) || long.Left >= 20 || long.Left < 5 {
			t.Errorf("%s: notes that do not fit: %v", name, err)
		} else if want := fmt.Sprintf("the notes have room for %d characters", long.Left); err.Error() != want {
			t.Errorf("%s: the error says %q, want %q", name, err, want)
		}
	}
	if Typed("", "all of it") != "all of it" || Typed("first", "first") != "" {
		t.Error("what was typed is found wrong without earlier notes, or without an addition")
	}
}
