package realtime

import (
	"net/url"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"baari.dev/services/contract"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/wire"
)

// Events that are published during a replay are queued and sent after it, without gaps or repetitions.
func TestResumedStreamReceivesEachChangeOnceInOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, DefaultLimits)
		r.visits.events = visitsFrom(1, 5)
		r.visits.gate = make(chan struct{})
		r.begin(0, 5)
		r.start()
		opened := make(chan *dashboard)
		go func() { opened <- r.open("pa", contract.RolePA, at(0, 2)) }()
		synctest.Wait()
		r.deliver("visits", visitsFrom(6, 2)...)
		close(r.visits.gate)
		d := <-opened
		synctest.Wait()
		r.deliver("visits", visitsFrom(8, 1)...)
		synctest.Wait()
		frames := d.received()
		if frames[0].Data["resumed"] != true || frames[0].ID != at(0, 2) {
			t.Errorf("the connection is %+v", frames[0])
		}
		for i, f := range frames[1:] {
			if seq := int64(i + 3); f.Data["version"] != float64(seq) || f.ID != at(0, seq) {
				t.Errorf("frame %d is version %v at %s, want %d", i+1, f.Data["version"], f.ID, seq)
			}
		}
		if len(frames) != 7 {
			t.Errorf("received %d frames, want 7", len(frames))
		}
	})
}

func TestReconnectingStreamsReadTheFeedOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, Limits{})
		r.visits.events = visitsFrom(1, 5)
		r.visits.gate = make(chan struct{})
		r.begin(0, 5)
		r.start()
		opened := make(chan *dashboard)
		for i := range 8 {
			go func() { opened <- r.open("pa", contract.RolePA, at(0, int64(i%4))) }()
		}
		synctest.Wait()
		close(r.visits.gate)
		for range 8 {
			<-opened
		}
		synctest.Wait()
		if r.visits.reads != 1 {
			t.Errorf("the feed was read %d times", r.visits.reads)
		}
	})
}

func aged(events []outbox.Event, age time.Duration) []outbox.Event {
	for i := range events {
		events[i].Time = wire.Time(time.Now().Add(-age))
	}
	return events
}

func TestUnusablePositionIsReset(t *testing.T) {
	for name, c := range map[string]struct {
		head   int64
		resume string
		past   []outbox.Event
		age    time.Duration
	}{
		"malformed":                      {3, "garbage", nil, 0},
		"with raw semicolons":            {3, "?last_event_id=" + at(0, 3), nil, 0},
		"behind a raw semicolon":         {3, "?a=b;last_event_id=" + url.QueryEscape(at(0, 3)), nil, 0},
		"with a broken escape":           {3, "?last_event_id=%zz", nil, 0},
		"under an escaped key":           {3, "?last%5fevent_id=%zz", nil, 0},
		"of another epoch":               {3, "auth=" + epoch + ":0;visits=00000000-0000-0000-0000-000000000000:3", nil, 0},
		"of an unknown source":           {3, at(0, 3) + ";kitchen=" + epoch + ":1", nil, 0},
		"without one source":             {3, "visits=" + epoch + ":3", nil, 0},
		"older than 5,000 events":        {5001, at(0, 0), nil, 0},
		"older than 24 hours":            {3, at(0, 1), visitsFrom(1, 3), 25 * time.Hour},
		"in a future this replica lacks": {3, at(0, 4), nil, 0},
		"before what the feed has":       {3, at(0, 1), visitsFrom(3, 1), 0},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := newRig(t, DefaultLimits)
				r.visits.events = aged(c.past, c.age)
				r.begin(0, c.head)
				r.start()
				d := r.open("pa", contract.RolePA, c.resume)
				r.deliver("visits", visitsFrom(c.head+1, 1)...)
				synctest.Wait()
				frames := d.received()
				if d.types() != "connection status_update visit_created" || frames[0].Data["resumed"] != false ||
					frames[1].Data["reset"] != true {
					t.Fatalf("received %+v", frames)
				}
				if frames[1].ID != at(0, c.head) {
					t.Errorf("after the reset the client is at %s", frames[1].ID)
				}
			})
		})
	}
}

func TestStreamAheadOfTheReplicaWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, DefaultLimits)
		r.begin(0, 3)
		r.start()
		go func() {
			time.Sleep(300 * time.Millisecond)
			r.deliver("visits", visitsFrom(4, 2)...)
		}()
		d := r.open("pa", contract.RolePA, at(0, 5))
		synctest.Wait()
		if d.types() != "connection" || d.received()[0].Data["resumed"] != true {
			t.Errorf("received %+v", d.received())
		}
	})
}

func TestNewEpochResetsEveryStream(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, DefaultLimits)
		r.begin(0, 3)
		r.start()
		d := r.open("reception", contract.RoleReception, "")
		synctest.Wait()
		next := "99999999-6f0a-4d3e-9a53-0f1f9a1f8f11"
		if _, err := r.hub.Sink("visits").Restart(t.Context(), positionOf(next, 1)); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		frames := d.received()
		if len(frames) != 2 || frames[1].Data["reset"] != true || !strings.Contains(frames[1].ID, "visits="+next+":1") {
			t.Errorf("received %+v", frames)
		}
	})
}

func TestInvalidEventResetsEveryStream(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, DefaultLimits)
		r.begin(0, 0)
		r.start()
		d := r.open("consultant", contract.RoleConsultant, "")
		synctest.Wait()
		r.deliver("visits", eventOf("visits", contract.VisitApproved, "visit", "v", 1, "no visit"))
		synctest.Wait()
		if frames := d.received(); len(frames) != 2 || frames[1].Data["reset"] != true {
			t.Errorf("received %+v", frames)
		}
	})
}
