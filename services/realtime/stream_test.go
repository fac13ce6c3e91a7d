package realtime

import (
	"io"
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	"baari.dev/services/contract"
	"baari.dev/services/platform/outbox"
)

// visitsFrom returns count visit_created events from sequence number first. Each has its sequence number as the
// version.
func visitsFrom(first, count int64) (events []outbox.Event) {
	for seq := first; seq < first+count; seq++ {
		events = append(events, visitEvent(contract.VisitCreated, seq))
	}
	return events
}

// S7.stream.01 S7.event.01 S3.event.02
func TestStreamBeginsWithTheConnectionFrame(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, DefaultLimits)
		r.begin(4, 9)
		r.start()
		r.open("pa", contract.RolePA, "")
		admin := r.open("admin", contract.RoleAdmin, "")
		synctest.Wait()
		first := admin.received()[0]
		if first.Type != "connection" || first.ID != at(4, 9) || first.Data["activeConnections"] != 2.0 ||
			first.Data["resumed"] != false || first.Data["heartbeatSeconds"] != 5.0 || first.Data["connectionId"] == "" {
			t.Errorf("the first frame is %+v", first)
		}
	})
}

// A proxy that compresses or caches a stream would delay its events.
func TestAStreamIsNeitherKeptNorTransformedOnItsWay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, DefaultLimits)
		r.begin(0, 0)
		r.start()
		header := r.open("pa", contract.RolePA, "").header
		if header.Get("Cache-Control") != "no-store, no-transform" || header.Get("Content-Type") != "text/event-stream" {
			t.Errorf("the stream has %v", header)
		}
	})
}

// S7.event.09: an idle stream receives heartbeats even after the server's read timeout.
func TestIdleStreamReceivesAHeartbeatEveryFiveSeconds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, DefaultLimits)
		r.begin(0, 0)
		r.start()
		d := r.open("consultant", contract.RoleConsultant, "")
		synctest.Wait()
		r.deliver("visits", visitEvent(contract.VisitDenied, 1))
		time.Sleep(21 * time.Second)
		synctest.Wait()
		if got := d.types(); got != "connection heartbeat heartbeat heartbeat heartbeat" {
			t.Errorf("received %q", got)
		}
		if d.lastID() != at(0, 1) {
			t.Errorf("the heartbeat's id is %s, before an event that this role does not receive", d.lastID())
		}
	})
}

func TestStalledClientIsDisconnectedAfterFiveSeconds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, DefaultLimits)
		r.begin(0, 0)
		r.start()
		r.stall(t)
		healthy := r.open("admin", contract.RoleAdmin, "")
		synctest.Wait()
		began := time.Now()
		r.deliver("visits", visitEvent(contract.VisitCreated, 1))
		synctest.Wait()
		if healthy.types() != "connection visit_created" || time.Since(began) != 0 {
			t.Errorf("the healthy reader received %q after %s", healthy.types(), time.Since(began))
		}
		time.Sleep(writeLimit - time.Millisecond)
		synctest.Wait()
		if r.clients() != 2 {
			t.Error("the stalled client was disconnected too early")
		}
		time.Sleep(2 * time.Millisecond)
		synctest.Wait()
		if r.clients() != 1 || r.cut(endedSlow) != 1 {
			t.Errorf("%d streams are open and %v were disconnected as slow, want 1 and 1", r.clients(), r.cut(endedSlow))
		}
	})
}

func TestFullQueueDisconnectsOneStreamOnly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, DefaultLimits)
		r.begin(0, 0)
		r.start()
		r.stall(t)
		healthy := r.open("admin", contract.RoleAdmin, "")
		synctest.Wait()
		began := time.Now()
		r.deliver("visits", visitsFrom(1, 1000)...)
		took := time.Since(began)
		synctest.Wait()
		if r.clients() != 1 || r.cut(endedSlow) != 1 {
			t.Errorf("%d streams are open and %v were disconnected as slow, want 1 and 1", r.clients(), r.cut(endedSlow))
		}
		if took > 2*stalledAfter {
			t.Errorf("the stalled client delayed the others by %s", took)
		}
		if got := healthy.versions(); len(got) != 1000 || got[0] != 1 || got[999] != 1000 {
			t.Errorf("the other client received %d of 1000", len(got))
		}
	})
}

// The sizes of the batches were observed while a replica on an overloaded machine caught up with missed events.
func TestPaceWaitsForASlowPump(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, DefaultLimits)
		r.begin(0, 0)
		caller, _ := r.people.Verify(t.Context(), "token-pa")
		s, _, _, err := r.hub.join(caller)
		if err != nil {
			t.Fatal(err)
		}
		published, over := 0, make(chan struct{})
		go func() {
			defer close(over)
			for published < 705 && s.reason() == notEnded {
				time.Sleep(50 * time.Millisecond) // imitates an overloaded machine
				frames, _ := s.take()
				s.wrote(frames)
				published += len(frames)
			}
		}()
		next := int64(1)
		for _, size := range []int64{75, 1, 19, 326, 79, 66, 139} {
			r.deliver("visits", visitsFrom(next, size)...)
			next += size
		}
		<-over
		if published != 705 || s.reason() != notEnded {
			t.Errorf("%d of 705 were sent, and the stream's end is %d", published, s.reason())
		}
	})
}

func TestQueuedFramesAreSentWithOneWrite(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, DefaultLimits)
		r.begin(0, 0)
		r.start()
		d := r.connect("pa", contract.RolePA, "")
		if err := d.readFrame(); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		r.deliver("visits", visitsFrom(1, 1)...) // its write blocks
		synctest.Wait()
		before := r.served.count()
		r.deliver("visits", visitsFrom(2, 8)...)
		synctest.Wait()
		for range 9 {
			if err := d.readFrame(); err != nil {
				t.Fatal(err)
			}
		}
		synctest.Wait()
		if writes := r.served.count() - before; writes != 1 {
			t.Errorf("eight queued frames took %d writes", writes)
		}
	})
}

func TestFrameIsEncodedOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, Limits{})
		r.begin(0, 0)
		var subs []*subscriber
		for _, name := range []string{"pa", "admin", "admin"} {
			caller, _ := r.people.Verify(t.Context(), "token-"+name)
			s, _, _, err := r.hub.join(caller)
			if err != nil {
				t.Fatal(err)
			}
			subs = append(subs, s)
		}
		r.deliver("visits", visitsFrom(1, 1)...)
		for _, s := range subs[1:] {
			if &s.queue[0][0] != &subs[0].queue[0][0] {
				t.Error("two subscribers have two copies of a frame")
			}
		}
	})
}

func TestDrainClosesTheStreams(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, DefaultLimits)
		r.begin(0, 0)
		r.start()
		d := r.open("pa", contract.RolePA, "")
		synctest.Wait()
		r.deliver("visits", visitsFrom(1, 1)...)
		r.hub.Drain()
		synctest.Wait()
		retry, over := d.ended()
		wait, err := strconv.Atoi(retry)
		if err != nil || wait < 1000 || wait > 4000 || over != io.EOF {
			t.Errorf("retry is %q and the stream ended by %v", retry, over)
		}
		if d.types() != "connection visit_created" {
			t.Errorf("received %q before the end", d.types())
		}
		if r.clients() != 0 || r.cut(endedDrain) != 1 {
			t.Errorf("%d streams are open, %v were drained", r.clients(), r.cut(endedDrain))
		}
		if again := r.connect("pa", contract.RolePA, ""); again.status != 503 {
			t.Errorf("a new stream answered %d while draining", again.status)
		}
	})
}

// T18: a thousand closed streams (ten thousand in nightly runs) leave no goroutine: otherwise, the synctest bubble
// would not end.
func TestClosedStreamsLeaveNothingBehind(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, Limits{})
		r.begin(0, 0)
		r.start()
		for range manyStreams {
			_ = r.connect("pa", contract.RolePA, "").conn.Close()
		}
		time.Sleep(heartbeatEvery)
		synctest.Wait()
		// ASVS 1.4.3
		if r.clients() != 0 || len(r.hub.byUser) != 0 {
			t.Errorf("%d streams and %d users are still registered", r.clients(), len(r.hub.byUser))
		}
	})
}
