package lobby

import (
	"testing"
	"time"

	"baari.dev/services/contract"
	"baari.dev/services/office"
)

// Messages are sent between the hours of the office document, or from 9:00 to 19:00 if the document has none.
func TestMessagesAreSentBetweenTheHoursOfTheOffice(t *testing.T) {
	p := newPorch(t)
	p.Service.options.Zone = time.UTC
	for _, c := range []struct {
		hours     *office.MessageHours
		hour      int
		permitted bool
	}{
		{nil, 8, false}, {nil, 9, true}, {nil, 18, true}, {nil, 19, false},
		{&office.MessageHours{From: 7, Until: 21}, 20, true}, {&office.MessageHours{From: 7, Until: 21}, 21, false},
		{&office.MessageHours{From: 0, Until: 24}, 0, true}, {&office.MessageHours{From: 0, Until: 24}, 23, true},
	} {
		at := time.Date(2026, 11, 26, c.hour, 59, 0, 0, time.UTC)
		channels := p.channelsAt(at, officeCopy{Messages: office.MessagesOn, MessageHours: c.hours})
		if got := len(channels) == 2; got != c.permitted {
			t.Errorf("hours %v at %d: the channels are %v", c.hours, c.hour, channels)
		}
	}
}

// While a slow provider takes the first messages, the others become late. They are dropped.
func TestWhatBecomesLateBehindASlowProviderIsDropped(t *testing.T) {
	p := newPorch(t)
	atNoon(p)
	for range mostAtOnce + 1 {
		id := p.arrive()
		p.agrees(id, contract.ConsentGiven)
		p.calls(id, "3")
	}
	p.aggregator.then(func() { time.Sleep(5 * time.Second) })
	created := time.Now()
	if _, err := p.db.Owner(t).Exec(t.Context(), `UPDATE deliveries SET created_at = $1`, created); err != nil {
		t.Fatal(err)
	}
	if err := p.deliverer.run(t.Context(), created.Add(lateAfter-4*time.Second)); err != nil {
		t.Fatal(err)
	}
	if got := p.aggregator.got(); len(got) != mostAtOnce {
		t.Errorf("the aggregator got %d messages", len(got))
	}
}
