package realtime

import (
	"context"
	"io"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"baari.dev/services/contract"
	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/identity"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/testkit"
	"baari.dev/services/platform/wire"
)

// visitsFrom are count visit_created events with versions equal to their seq.
func visitsFrom(first, count int64) (events []outbox.Event) {
	for seq := first; seq < first+count; seq++ {
		events = append(events, visitEvent(contract.VisitCreated, seq))
	}
	return events
}

// S7.stream.01 S7.event.01 S3.event.02
func TestAStreamBeginsWithItsConnection(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, DefaultLimits)
		r.begin(4, 9)
		r.start()
		r.open("pa", contract.RolePA, "")
		admin := r.open("admin", contract.RoleAdmin, "")
		synctest.Wait()
		first := admin.heard()[0]
		if first.Type != "connection" || first.ID != at(4, 9) || first.Data["activeConnections"] != 2.0 || first.Data["resumed"] != false || first.Data["connectionId"] == "" {
			t.Errorf("the first frame is %+v", first)
		}
	})
}

// S7.event.09: also long after the server's limit on reading a request.
func TestAnIdleStreamHearsAHeartbeatEvery15Seconds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, DefaultLimits)
		r.begin(0, 0)
		r.start()
		d := r.open("consultant", contract.RoleConsultant, "")
		synctest.Wait()
		r.deliver("visits", visitEvent(contract.VisitDenied, 1))
		time.Sleep(61 * time.Second)
		synctest.Wait()
		if got := d.types(); got != "connection heartbeat heartbeat heartbeat heartbeat" {
			t.Errorf("heard %q", got)
		}
		if d.lastID() != at(0, 1) {
			t.Errorf("the heartbeat's id is %s: what was kept from this role looks like a hole", d.lastID())
		}
	})
}

func TestAReaderThatStopsReadingIsCutAfterFiveSecondsAndSlowsNobody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, DefaultLimits)
		r.begin(0, 0)
		r.start()
		stuck := r.connect("pa", contract.RolePA, "")
		if err := stuck.readFrame(); err != nil {
			t.Fatal(err)
		}
		healthy := r.open("admin", contract.RoleAdmin, "")
		synctest.Wait()
		began := time.Now()
		r.deliver("visits", visitEvent(contract.VisitCreated, 1))
		synctest.Wait()
		if healthy.types() != "connection visit_created" || time.Since(began) != 0 {
			t.Errorf("the healthy reader heard %q after %s", healthy.types(), time.Since(began))
		}
		time.Sleep(writeLimit - time.Millisecond)
		synctest.Wait()
		if r.clients() != 2 {
			t.Error("the stuck reader was cut too early")
		}
		time.Sleep(2 * time.Millisecond)
		synctest.Wait()
		if r.clients() != 1 || r.cut(endedSlow) != 1 {
			t.Errorf("%d streams are open and %v were cut as slow, want 1 and 1", r.clients(), r.cut(endedSlow))
		}
	})
}

func TestAReaderWithAFullQueueIsCutAtOnceAndOthersHearAll(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, DefaultLimits)
		r.begin(0, 0)
		r.start()
		stuck := r.connect("pa", contract.RolePA, "")
		if err := stuck.readFrame(); err != nil {
			t.Fatal(err)
		}
		healthy := r.open("admin", contract.RoleAdmin, "")
		synctest.Wait()
		began := time.Now()
		r.deliver("visits", visitsFrom(1, 1000)...)
		took := time.Since(began)
		synctest.Wait()
		if r.clients() != 1 || r.cut(endedSlow) != 1 {
			t.Errorf("%d streams are open and %v were cut as slow, want 1 and 1", r.clients(), r.cut(endedSlow))
		}
		if took > 2*readerPatience {
			t.Errorf("the stuck reader held the others up for %s", took)
		}
		if got := healthy.versions(); len(got) != 1000 || got[0] != 1 || got[999] != 1000 {
			t.Errorf("the healthy reader heard %d of 1000", len(got))
		}
	})
}

// The sizes are those a repair had when a busy machine cut its readers.
func TestABusyMachineIsWaitedForWhateverTheDeliveries(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, DefaultLimits)
		r.begin(0, 0)
		caller, _ := r.people.Verify(t.Context(), "token-pa")
		s, _, _, err := r.hub.join(caller)
		if err != nil {
			t.Fatal(err)
		}
		told, over := 0, make(chan struct{})
		go func() {
			defer close(over)
			for told < 705 && s.reason() == goesOn {
				time.Sleep(50 * time.Millisecond) // until the machine finds time to write
				frames, _ := s.take()
				s.wrote(frames)
				told += len(frames)
			}
		}()
		next := int64(1)
		for _, size := range []int64{75, 1, 19, 326, 79, 66, 139} {
			r.deliver("visits", visitsFrom(next, size)...)
			next += size
		}
		<-over
		if told != 705 || s.reason() != goesOn {
			t.Errorf("%d of 705 were taken, and the stream's end is %d", told, s.reason())
		}
	})
}

func TestWhatIsQueuedIsSentWithOneWrite(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, DefaultLimits)
		r.begin(0, 0)
		r.start()
		d := r.connect("pa", contract.RolePA, "")
		if err := d.readFrame(); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		r.deliver("visits", visitsFrom(1, 1)...) // its write waits for the reader
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

func TestAFrameIsWrittenOutOnceForAllWhoHearIt(t *testing.T) {
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
				t.Error("two who hear the same frame have two copies of it")
			}
		}
	})
}

// Live events that come while the past is still being read wait, and follow it without a hole or a repeat.
func TestAResumedStreamHearsThePastThenThePresentOnceEach(t *testing.T) {
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
		heard := d.heard()
		if heard[0].Data["resumed"] != true || heard[0].ID != at(0, 2) {
			t.Errorf("the connection is %+v", heard[0])
		}
		for i, f := range heard[1:] {
			if seq := int64(i + 3); f.Data["version"] != float64(seq) || f.ID != at(0, seq) {
				t.Errorf("frame %d is version %v at %s, want %d", i+1, f.Data["version"], f.ID, seq)
			}
		}
		if len(heard) != 7 {
			t.Errorf("heard %d frames, want 7", len(heard))
		}
	})
}

func TestStreamsThatComeBackTogetherReadTheFeedOnce(t *testing.T) {
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

// aged are the events as if they had happened that long ago.
func aged(events []outbox.Event, age time.Duration) []outbox.Event {
	for i := range events {
		events[i].Time = wire.Time(time.Now().Add(-age))
	}
	return events
}

func TestAPositionThatCannotBeResumedIsReset(t *testing.T) {
	for name, c := range map[string]struct {
		head   int64
		resume string
		past   []outbox.Event
		age    time.Duration
	}{
		"malformed":                      {3, "garbage", nil, 0},
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
				heard := d.heard()
				if d.types() != "connection status_update visit_created" || heard[0].Data["resumed"] != false || heard[1].Data["reset"] != true {
					t.Fatalf("heard %+v", heard)
				}
				if heard[1].ID != at(0, c.head) {
					t.Errorf("after the reset the client is at %s", heard[1].ID)
				}
			})
		})
	}
}

func TestAStreamThatSawMoreOnAnotherReplicaWaitsForThisOne(t *testing.T) {
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
		if d.types() != "connection" || d.heard()[0].Data["resumed"] != true {
			t.Errorf("heard %+v", d.heard())
		}
	})
}

func TestANewEpochResetsEveryStream(t *testing.T) {
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
		heard := d.heard()
		if len(heard) != 2 || heard[1].Data["reset"] != true || !strings.Contains(heard[1].ID, "visits="+next+":1") {
			t.Errorf("heard %+v", heard)
		}
	})
}

func TestAnEventThatIsNotUnderstoodMakesEverybodyRefetch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, DefaultLimits)
		r.begin(0, 0)
		r.start()
		d := r.open("consultant", contract.RoleConsultant, "")
		synctest.Wait()
		r.deliver("visits", eventOf("visits", contract.VisitApproved, "visit", "v", 1, "no visit"))
		synctest.Wait()
		if heard := d.heard(); len(heard) != 2 || heard[1].Data["reset"] != true {
			t.Errorf("heard %+v", heard)
		}
	})
}

func TestADrainingReplicaSendsItsStreamsAway(t *testing.T) {
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
			t.Errorf("heard %q before the end", d.types())
		}
		if r.clients() != 0 || r.cut(endedDrain) != 1 {
			t.Errorf("%d streams are open, %v were drained", r.clients(), r.cut(endedDrain))
		}
		if again := r.connect("pa", contract.RolePA, ""); again.status != 503 {
			t.Errorf("a new stream is answered %d while draining", again.status)
		}
	})
}

func TestAChangeOfTheAccountClosesThePersonsStreamsAtOnce(t *testing.T) {
	userID := testkit.ID("pa")
	session := func(kind string, ids ...string) outbox.Event {
		return eventOf("auth", kind, contract.EntitySession, userID, 1, contract.Session{UserID: userID, SessionIDs: ids})
	}
	user := func(kind string) outbox.Event {
		return eventOf("auth", kind, contract.EntityUser, userID, 1, contract.User{ID: userID})
	}
	for name, c := range map[string]struct {
		event outbox.Event
		open  int // of the person's two streams in two sessions, and one of somebody else
	}{
		"signed out of one session":    {session(contract.SessionSignedOut, "session-pa"), 2},
		"one session revoked":          {session(contract.SessionRevoked, "session-pa"), 2},
		"another session revoked":      {session(contract.SessionRevoked, "session-other"), 3},
		"both revoked":                 {session(contract.SessionRevoked, "session-pa", "session-phone"), 1},
		"revoked, not said which":      {session(contract.SessionRevoked), 1},
		"deactivated":                  {user(contract.UserDeactivated), 1},
		"deleted":                      {user(contract.UserDeleted), 1},
		"role changed":                 {user(contract.UserRoleChanged), 1},
		"role set":                     {user(contract.UserRoleSet), 1},
		"name changed":                 {user(contract.UserUpdated), 3},
		"signed in":                    {session(contract.SessionSignedIn, "session-pa"), 3},
		"a failed sign-in by somebody": {session(contract.SessionSignInFailed), 3},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := newRig(t, DefaultLimits)
				r.people.SignIn("phone", contract.RolePA, func(c *identity.Caller) { c.ID = userID })
				r.begin(0, 0)
				r.start()
				first := r.open("pa", contract.RolePA, "")
				r.openAs("phone", "pa", contract.RolePA)
				r.open("admin", contract.RoleAdmin, "")
				synctest.Wait()
				r.deliver("auth", c.event)
				synctest.Wait()
				if r.clients() != c.open || r.cut(endedRevoked) != float64(3-c.open) {
					t.Errorf("%d streams stay open, want %d", r.clients(), c.open)
				}
				if first.types() != "connection" {
					t.Errorf("the person heard %q", first.types())
				}
			})
		})
	}
}

func TestARevocationBreaksOffAWriteThatWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, DefaultLimits)
		r.begin(0, 0)
		r.start()
		stuck := r.connect("pa", contract.RolePA, "")
		if err := stuck.readFrame(); err != nil {
			t.Fatal(err)
		}
		r.deliver("visits", visitsFrom(1, 1)...)
		synctest.Wait()
		r.deliver("auth", eventOf("auth", contract.UserDeactivated, "user", testkit.ID("pa"), 1, nil))
		synctest.Wait()
		if r.clients() != 0 {
			t.Error("the stream is still open")
		}
	})
}

func TestAStreamClosesWhenItsSessionsTimeHasCome(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, DefaultLimits)
		r.people.SignIn("pa", contract.RolePA, func(c *identity.Caller) { c.ExpiresAt = time.Now().Add(time.Minute) })
		r.begin(0, 0)
		r.start()
		r.open("pa", contract.RolePA, "")
		time.Sleep(59 * time.Second)
		if r.clients() != 1 {
			t.Error("it closed too early")
		}
		time.Sleep(heartbeatEvery)
		synctest.Wait()
		if r.clients() != 0 {
			t.Error("it is still open after the session's end")
		}
	})
}

// verifierFunc answers who is calling.
type verifierFunc func() (identity.Caller, error)

func (f verifierFunc) Verify(context.Context, string) (identity.Caller, error) { return f() }

func TestAChangeBetweenAdmissionAndJoiningIsNotMissed(t *testing.T) {
	pa := identity.Caller{ID: testkit.ID("pa"), Role: contract.RolePA, Active: true}
	inactive, promoted := pa, pa
	inactive.Active, promoted.Role = false, contract.RoleAdmin
	for name, second := range map[string]struct {
		caller identity.Caller
		err    error
		status int
	}{
		"signed out":     {identity.Caller{}, fault.ErrUnauthorized, 401},
		"auth away":      {identity.Caller{}, fault.ErrUnavailable, 503},
		"deactivated":    {inactive, nil, 403},
		"role changed":   {promoted, nil, 403},
		"nothing at all": {pa, nil, 200},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := newRig(t, DefaultLimits)
				asked := 0
				r.verify = verifierFunc(func() (identity.Caller, error) {
					if asked++; asked == 1 {
						return pa, nil
					}
					return second.caller, second.err
				})
				r.begin(0, 0)
				r.start()
				if d := r.connect("pa", contract.RolePA, ""); d.status != second.status {
					t.Errorf("answered %d, want %d", d.status, second.status)
				}
			})
		})
	}
}

func TestAUserHasFiveStreamsAndAReplicaItsOwnLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, Limits{PerUser: 5, PerReplica: 7})
		r.begin(0, 0)
		r.start()
		for i := range 6 {
			d := r.open("pa", contract.RolePA, "")
			if want := map[bool]int{true: 200, false: 429}[i < 5]; d.status != want {
				t.Errorf("stream %d of one user is answered %d, want %d", i+1, d.status, want)
			}
		}
		for i := range 3 {
			d := r.open("admin", contract.RoleAdmin, "")
			if want := map[bool]int{true: 200, false: 429}[i < 2]; d.status != want {
				t.Errorf("stream %d of the replica is answered %d, want %d", i+6, d.status, want)
			}
		}
	})
}

func TestWithoutLimitsAUserHasManyStreams(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, Limits{})
		r.begin(0, 0)
		r.start()
		for range 20 {
			if d := r.open("pa", contract.RolePA, ""); d.status != 200 {
				t.Fatalf("answered %d", d.status)
			}
		}
	})
}

// T18: connecting and leaving a thousand times leaves nothing behind; the bubble would not end with a goroutine.
func TestAThousandStreamsLeaveNothingBehind(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, Limits{})
		r.begin(0, 0)
		r.start()
		for range 1000 {
			_ = r.connect("pa", contract.RolePA, "").conn.Close()
		}
		time.Sleep(heartbeatEvery)
		synctest.Wait()
		if r.clients() != 0 || len(r.hub.byUser) != 0 {
			t.Errorf("%d streams and %d users are still known", r.clients(), len(r.hub.byUser))
		}
	})
}
