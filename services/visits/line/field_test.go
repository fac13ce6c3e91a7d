package line_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"baari.dev/services/visits/line"
)

func TestAFieldCallsWhomPickPicksAndCountsWhomItPasses(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		o := drawOffice(t, false)
		field := line.NewField(o.desks, o.policy.MaxBypass)
		for range rapid.IntRange(1, 12).Draw(t, "visitors") {
			o.now = o.now.Add(time.Duration(rapid.IntRange(0, 8).Draw(t, "gap")) * time.Minute)
			o.arrive()
			w := &o.waiting[len(o.waiting)-1]
			w.Bypassed = rapid.IntRange(0, o.policy.MaxBypass).Draw(t, "bypassed")
			if rapid.IntRange(0, 4).Draw(t, "moved") == 0 {
				due := o.now.Add(time.Duration(rapid.IntRange(-30, 30).Draw(t, "due")) * time.Minute)
				w.MovedDue, w.Forced = &due, rapid.Bool().Draw(t, "forced")
			}
		}
		ids := map[int]string{}
		for _, w := range o.waiting {
			n := field.Add(w)
			ids[n] = w.ID
			field.Enter(n)
		}
		again := line.NewField(nil, 0)
		again.CopyFrom(field)
		for range len(o.waiting) + 2 {
			called, _, desk, ok := o.next()
			n, also := again.Call(slices.IndexFunc(o.desks, func(d line.Desk) bool {
				return d.Consultant == desk.Consultant
			}))
			if ok != also || ok && ids[n] != called.ID {
				t.Fatalf("called %s (%v), Pick %s (%v)", ids[n], also, called.ID, ok)
			}
			for _, w := range o.waiting {
				if got := again.Bypassed(w.Token - 1); got != w.Bypassed {
					t.Fatalf("%s was passed %d times, by Pick %d", w.ID, got, w.Bypassed)
				}
			}
		}
	})
}

func TestFirstIsTheBeginningOfTheOrderOfThoseWhoShareADesk(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		o := drawOffice(t, false)
		field := line.NewField(o.desks, o.policy.MaxBypass)
		for range rapid.IntRange(1, 10).Draw(t, "visitors") {
			o.now = o.now.Add(time.Minute)
			o.arrive()
			field.Enter(field.Add(o.waiting[len(o.waiting)-1]))
		}
		one, n := o.waiting[o.index()], rapid.IntRange(1, 4).Draw(t, "n")
		var want []string
		for _, w := range line.Order(o.waiting, o.policy.MaxBypass) {
			shares := slices.ContainsFunc(o.desks, func(d line.Desk) bool { return d.Takes(w) && d.Takes(one) })
			if shares && len(want) < n {
				want = append(want, w.ID)
			}
		}
		var got []string
		for _, i := range field.First(one.Token-1, n) {
			got = append(got, o.waiting[i].ID)
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("the first %d are %v, want %v", n, got, want)
		}
	})
}

// Two visitors of different days in the line may have the same token. Then the id decides, as in Order.
func TestAFieldOrdersEqualTokensByID(t *testing.T) {
	at := time.Date(2026, 11, 24, 9, 0, 0, 0, time.UTC)
	field := line.NewField([]line.Desk{{Consultant: "a", Serves: []string{"itr"}}}, 3)
	for _, id := range []string{"b", "a"} {
		field.Enter(field.Add(line.Waiting{ID: id, Token: 7, ServiceID: "itr", RankAt: at, DueAt: at}))
	}
	other := field.Add(line.Waiting{ID: "c", Token: 8, ServiceID: "gst", RankAt: at, DueAt: at})
	if field.Takes(0, other) || !field.Takes(0, 0) {
		t.Error("a desk takes the services that it serves")
	}
	if first, ok := field.Call(0); !ok || first != 1 {
		t.Errorf("the first call is of visitor %d (%v), want 1", first, ok)
	}
}

// Two paired desks that were offline may have registered visitors at the same moment. Then series A comes before B, as
// in Order.
func TestATieIsDecidedBySeriesAndToken(t *testing.T) {
	at := time.Unix(1_800_000_000, 0)
	waiting := []line.Waiting{
		{ID: "3", Series: "T", Token: 1, Class: line.Normal, RankAt: at, DueAt: at},
		{ID: "2", Series: "B", Token: 1, Class: line.Normal, RankAt: at, DueAt: at},
		{ID: "1", Series: "A", Token: 2, Class: line.Normal, RankAt: at, DueAt: at},
		{ID: "0", Series: "A", Token: 1, Class: line.Normal, RankAt: at, DueAt: at},
	}
	field := line.NewField([]line.Desk{{Consultant: "c"}}, 3)
	for _, w := range waiting {
		field.Enter(field.Add(w))
	}
	ordered := line.Order(waiting, 3)
	for i := range waiting {
		n, ok := field.Call(0)
		if want := fmt.Sprint(i); !ok || waiting[n].ID != want || ordered[i].ID != want {
			t.Errorf("%d. the field calls %s (%v), Order has %s", i, waiting[n].ID, ok, ordered[i].ID)
		}
	}
}
