package realtime

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"

	"baari.dev/services/contract"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/testkit"
)

// S7.event.03 S7.event.08: a committed change is delivered to all dashboards that show it.
func TestCommittedChangeReachesTheDashboards(t *testing.T) {
	o := openOffice(t)
	r := o.openReplica(t, DefaultLimits)
	pa, desk := r.open(t, "pa", contract.RolePA, ""), r.open(t, "reception", contract.RoleReception, "")
	o.visitors(t, 1, 1)
	o.publish(t, contract.SourceDirectory,
		outbox.Change{Type: contract.ServiceUpdated, Entity: contract.EntityService, EntityID: "s1"})
	testkit.Eventually(t, "both changes are received",
		func() bool { return len(pa.received()) == 3 && len(desk.received()) == 3 })
	if types := pa.types(); !strings.Contains(types, "visit_created") || !strings.Contains(types, "status_update") {
		t.Errorf("the pa received %q", types)
	}
	if types := desk.types(); types != "connection status_update status_update" {
		t.Errorf("the desk received %q", types)
	}
}

func TestNoChangeIsLostWithRedis(t *testing.T) {
	o := openOffice(t)
	r := o.openReplica(t, DefaultLimits)
	d := r.open(t, "pa", contract.RolePA, "")
	o.visitors(t, 1, 3)
	d.awaitVisitors(t, 1, 3)

	o.redis.Stop()
	o.visitors(t, 4, 300)
	d.awaitVisitors(t, 1, 303)

	o.redis.Start(t)
	o.visitors(t, 304, 5)
	d.awaitVisitors(t, 1, 308)

	if err := o.redis.Client.FlushAll(t.Context()).Err(); err != nil {
		t.Fatal(err)
	}
	if err := o.redis.Client.Do(t.Context(), "CLIENT", "KILL", "TYPE", "pubsub").Err(); err != nil {
		t.Fatal(err)
	}
	o.visitors(t, 309, 1) // no event follows that could reveal that this one is missing
	d.awaitVisitors(t, 1, 309)
}

func TestStreamResumesAtAnotherReplica(t *testing.T) {
	o := openOffice(t)
	first := o.openReplica(t, DefaultLimits)
	d := first.open(t, "pa", contract.RolePA, "")
	o.visitors(t, 1, 5)
	d.awaitVisitors(t, 1, 5)
	first.stop()

	o.visitors(t, 6, 700) // more events than one page of the feed, while no stream is open
	second := o.openReplica(t, DefaultLimits)
	again := second.open(t, "pa", contract.RolePA, d.lastID())
	o.visitors(t, 706, 5)
	again.awaitVisitors(t, 6, 705)
	if again.received()[0].Data["resumed"] != true {
		t.Errorf("the connection frame is %v", again.received()[0].Data)
	}
}

// A stream that is resumed at any frame receives every later frame of every source once.
func TestStreamResumesFromEveryFrame(t *testing.T) {
	o := openOffice(t)
	r := o.openReplica(t, Limits{})
	d := r.open(t, "pa", contract.RolePA, "")
	for n := range 6 {
		o.visitors(t, n+1, 1)
		o.publish(t, contract.SourceDirectory,
			outbox.Change{Type: contract.ServiceUpdated, Entity: contract.EntityService, EntityID: fmt.Sprint("s", n)})
		o.publish(t, contract.SourceAuth,
			outbox.Change{Type: contract.UserUpdated, Entity: contract.EntityUser, EntityID: "u"})
	}
	testkit.Eventually(t, "all frames are received", func() bool { return len(d.received()) == 13 })
	all := d.received()
	for i, from := range all {
		again := r.open(t, "pa", contract.RolePA, from.ID)
		want := len(all) - i
		testkit.Eventually(t, "the rest is received", func() bool { return len(again.received()) >= want })
		first := map[string]int{}
		for _, f := range all[i+1:] {
			first[fmt.Sprint(f.Type, f.Data)]++
		}
		for _, f := range again.received()[1:] {
			first[fmt.Sprint(f.Type, f.Data)]--
		}
		for what, left := range first {
			if left != 0 {
				t.Errorf("resumed at frame %d: %s is missing %d times", i, what, left)
			}
		}
	}
}

func TestRestoredSourceResetsTheDashboards(t *testing.T) {
	o := openOffice(t)
	r := o.openReplica(t, DefaultLimits)
	d := r.open(t, "pa", contract.RolePA, "")
	o.visitors(t, 1, 2)
	d.awaitVisitors(t, 1, 2)
	before := d.lastID()
	if _, err := o.sources[contract.SourceVisits].db.Owner(t).Exec(t.Context(),
		`UPDATE stream_head SET epoch = gen_random_uuid()`); err != nil {
		t.Fatal(err)
	}
	testkit.Eventually(t, "the reset is received", func() bool {
		frames := d.received()
		return frames[len(frames)-1].Data["reset"] == true
	})
	again := r.open(t, "pa", contract.RolePA, before)
	testkit.Eventually(t, "the old position is reset", func() bool {
		frames := again.received()
		return len(frames) == 2 && frames[1].Data["reset"] == true
	})
	o.visitors(t, 3, 1)
	testkit.Eventually(t, "the event of the new epoch is received",
		func() bool { return again.types() == "connection status_update visit_created" })
}

// I12: a revocation arrives within a second, or within two while Redis is unavailable. Chaos runs measure these times.
func TestRevokedSessionsStreamCloses(t *testing.T) {
	o := openOffice(t)
	r := o.openReplica(t, DefaultLimits)
	revoke := outbox.Change{Type: contract.SessionRevoked, Entity: contract.EntitySession, EntityID: testkit.ID("pa"),
		After: contract.Session{UserID: testkit.ID("pa"), SessionIDs: []string{"session-pa"}}}
	closes := func() {
		d := r.open(t, "pa", contract.RolePA, "")
		o.publish(t, contract.SourceAuth, revoke)
		// ASVS 4.4.3, 7.4.1
		testkit.Eventually(t, "the stream is closed", func() bool { _, over := d.ended(); return over != nil })
	}
	closes()
	o.redis.Stop()
	closes()
}

// S7.stream.05: a notification is delivered to the dashboards of its target roles, and to no others.
func TestNotificationReachesItsTargetRoles(t *testing.T) {
	o := openOffice(t)
	r := o.openReplica(t, DefaultLimits)
	pa, desk := r.open(t, "pa", contract.RolePA, ""), r.open(t, "reception", contract.RoleReception, "")
	caller := o.people.As(t, "admin")
	service := New(o.sources[contract.SourceRealtime].db.Pool, o.sources[contract.SourceRealtime].outbox)
	if _, err := service.Notify(caller,
		sendNotification{Message: "Tea", Type: "info", TargetRoles: []string{contract.RolePA}}); err != nil {
		t.Fatal(err)
	}
	o.visitors(t, 1, 1)
	testkit.Eventually(t, "both received the visit",
		func() bool { return len(pa.tokens()) == 1 && len(desk.tokens()) == 1 })
	testkit.Eventually(t, "the pa received the notification",
		func() bool { return strings.Contains(pa.types(), typeNotification) })
	for _, f := range pa.received() {
		if f.Type == typeNotification && (f.Data["message"] != "Tea" || f.Data["sender"] != "The admin") {
			t.Errorf("received %v", f.Data)
		}
	}
	if strings.Contains(desk.types(), typeNotification) {
		t.Errorf("the desk received %q", desk.types())
	}
}

func TestDegradedMetricFollowsRedis(t *testing.T) {
	redis := testkit.NewRedis(t)
	m := newMetrics(prometheus.NewRegistry())
	inBackground(t, func(ctx context.Context) error { return m.watch(ctx, redis.Bus) })
	is := func(value float64) func() bool {
		return func() bool { return testutil.ToFloat64(m.degraded) == value }
	}
	redis.Stop()
	testkit.Eventually(t, "it is degraded without Redis", is(1))
	redis.Start(t)
	testkit.Eventually(t, "it is not degraded with Redis", is(0))
}
