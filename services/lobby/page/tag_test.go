package page

import (
	"reflect"
	"testing"
	"time"
)

// A change that the script shows in place does not change the page's tag. Any other change of the content changes the
// tag, so that an open page is replaced.
func TestTheTagChangesWithWhatThePageShows(t *testing.T) {
	now := time.Date(2026, 11, 28, 5, 58, 0, 0, time.UTC)
	soon, later := now.Add(20*time.Minute), now.Add(40*time.Minute)
	three := 3
	waiting := View{
		Code: "X", Language: "en", Offered: []string{"en", "hi"}, Office: "Lekha Tax", Phone: "080", Zone: time.UTC, At: now,
		Facts: Facts{
			Token: "T-014", Stage: "waiting", Service: "ITR Filing", Ahead: &three, From: &soon, To: &later,
			Now: []Call{{Token: "T-012", Counter: "3"}},
		},
	}
	held := waiting
	held.Facts.Stage, held.Facts.HeldReason, held.Facts.HeldUntil = "held", "papers", &soon
	missed := waiting
	missed.Facts.Stage = "missed"
	four := 4
	for name, c := range map[string]struct {
		of     View
		change func(*View)
		same   bool
	}{
		"reason of a hold":  {held, func(v *View) { v.Facts.HeldReason = "late" }, false},
		"end of a hold":     {held, func(v *View) { v.Facts.HeldUntil = &later }, false},
		"corrected service": {waiting, func(v *View) { v.Facts.Service = "GST" }, false},
		"second token":      {waiting, func(v *View) { v.Facts.TokenAlso = "A-003" }, false},
		"used late":         {waiting, func(v *View) { v.Facts.LateUsed = true }, false},
		"asked back":        {missed, func(v *View) { v.Facts.BackAsked = true }, false},
		"people ahead":      {waiting, func(v *View) { v.Facts.Ahead = &four }, false},
		"phone":             {waiting, func(v *View) { v.Phone = "081" }, false},
		"languages":         {waiting, func(v *View) { v.Offered = []string{"en"} }, false},
		"no range":          {waiting, func(v *View) { v.Facts.From = nil }, false},
		"later range":       {waiting, func(v *View) { v.Facts.To = &soon }, true},
		"last calls":        {waiting, func(v *View) { v.Facts.Now[0].Token = "T-013" }, true},
		"time":              {waiting, func(v *View) { v.At = now.Add(time.Minute) }, true},
	} {
		before, err := Tag(c.of)
		changed := c.of
		changed.Facts.Now = []Call{c.of.Facts.Now[0]}
		c.change(&changed)
		after, failed := Tag(changed)
		if err != nil || failed != nil || reflect.DeepEqual(changed, c.of) || (before == after) != c.same {
			t.Errorf("%s: the tag is %s, before %s", name, after, before)
		}
	}
}
