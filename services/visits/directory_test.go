package visits_test

import (
	"fmt"
	"log/slog"
	"net/http"
	"testing"

	"github.com/google/uuid"
	"github.com/prometheus/client_golang/prometheus"

	"baari.dev/services/contract"
	"baari.dev/services/platform/feed"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/testkit"
)

// follow makes the service follow a directory for which the test publishes the events.
func (d *desk) follow(t testing.TB, redis *testkit.Redis) (*testkit.Source, *feed.Follower) {
	t.Helper()
	directory := testkit.NewSource(t, contract.SourceDirectory, redis.Bus)
	follower := feed.NewFollower(
		contract.SourceDirectory,
		directory.Client(contract.SourceVisits),
		redis.Bus,
		d.service.DirectoryCopy(),
		prometheus.NewRegistry(),
		slog.New(slog.DiscardHandler),
	)
	testkit.Background(t, follower.Run)
	return directory, follower
}

func service(id, name string, active bool) outbox.Change {
	kind := contract.ServiceUpdated
	return outbox.Change{
		Type:     kind,
		Entity:   contract.EntityService,
		EntityID: id,
		After:    contract.Service{ID: id, Name: name, EstMinutes: 30, IsActive: active},
	}
}

// Registrations accept the services that directory publishes, until directory withdraws them. Visits have the version
// of the office's notice and the office's default language.
func TestReceptionOffersTheServicesOfDirectory(t *testing.T) {
	d, redis := newDesk(t), testkit.NewRedis(t)
	directory, _ := d.follow(t, redis)
	trust := uuid.NewString()
	directory.Publish(
		t,
		service(trust, "Trust Registration", true),
		outbox.Change{
			Type:     contract.OfficeLoaded,
			Entity:   contract.EntityOffice,
			EntityID: "office",
			After: map[string]any{
				"notice": map[string]string{"version": "2026-11"}, "languages": []string{"kn", "en"},
			},
		},
	)
	visitor := fmt.Sprintf(`{"name":"Asha","phone":"9876543210","service_id":%q}`, trust)
	d.unchecked = true // the response is an error until the events have arrived
	testkit.Eventually(t, "the new service is offered and the notice known", func() bool {
		return d.as("reception", http.MethodPost, "/api/visits", visitor).status == http.StatusCreated &&
			count(t, d, `SELECT count(*) FROM visits WHERE notice_version = '2026-11' AND language = 'kn'`) > 0
	})
	directory.Publish(t, service(trust, "Trust Registration", false))
	testkit.Eventually(t, "a withdrawn service is rejected", func() bool {
		return d.as("reception", http.MethodPost, "/api/visits", visitor).Code == "service_unknown"
	})
}

func TestADeactivatedConsultantIsUnavailable(t *testing.T) {
	d, redis := newDesk(t), testkit.NewRedis(t)
	directory, _ := d.follow(t, redis)
	v := d.arrive("Asha")
	directory.Publish(
		t,
		outbox.Change{
			Type:     contract.ConsultantUpdated,
			Entity:   contract.EntityConsultant,
			EntityID: testkit.ID("consultant"),
			After:    contract.Consultant{ID: testkit.ID("consultant"), Name: "The consultant", IsActive: false},
		},
	)
	testkit.Eventually(t, "the projection has the change", func() bool {
		return count(t, d, `SELECT count(*) FROM consultants WHERE NOT is_active`) == 1
	})
	a := d.set("pa", v.ID, "approved", to("consultant"))
	if a.status != http.StatusUnprocessableEntity || a.Code != "consultant_unavailable" {
		t.Errorf("approving for a deactivated consultant answered %d %s", a.status, a.text)
	}
}

// The service rebuilds an emptied copy of directory, with the events that were published while Redis was unavailable.
func TestAnEmptiedProjectionIsRebuiltFromTheFeed(t *testing.T) {
	d, redis := newDesk(t), testkit.NewRedis(t)
	directory, follower := d.follow(t, redis)
	first, second := uuid.NewString(), uuid.NewString()
	directory.Publish(t, service(first, "First", true))
	testkit.Eventually(t, "the first is known", func() bool { return follower.Position().Seq == 1 })
	redis.Stop()
	directory.Publish(t, service(second, "Second", true))
	testkit.Eventually(
		t, "the second is known without Redis",
		func() bool { return follower.Position().Seq == 2 },
	)
	exec(t, d.owner, `TRUNCATE services, consultants, office, feed_cursor`)
	redis.Start(t)
	directory.Publish(t, service(first, "First, renamed", true))
	testkit.Eventually(t, "the projection is complete", func() bool {
		return count(t, d, `SELECT count(*) FROM services WHERE name IN ('First, renamed', 'Second')`) == 2
	})
}

func TestATimeoutOfTheProjectionIsAnsweredWith503(t *testing.T) {
	d := newDesk(t)
	v := d.arrive("Asha")
	exec(t, d.owner, `BEGIN`)
	exec(t, d.owner, `LOCK TABLE services, consultants`)
	for what, got := range map[string]answer{
		"an approval": d.set("pa", v.ID, "approved", to("consultant")),
		"a new token": d.as("reception", http.MethodPost, "/api/visits", d.visitor("Ravi")),
	} {
		if got.status != http.StatusServiceUnavailable || got.Code != "busy" {
			t.Errorf("%s was answered %d %s", what, got.status, got.Code)
		}
	}
}

// The service reads directory's events again if a release that lacks some columns has written the copy.
func TestTheProjectionIsReadAgainWhenItLacksColumns(t *testing.T) {
	d := newDesk(t)
	exec(t, d.owner, `UPDATE services SET est_minutes = 30`)
	exec(t, d.owner, `UPDATE consultants SET serves = '{}'`)
	exec(t, d.owner, `INSERT INTO office (notice_version, hours, notice_languages, version)
		VALUES ('', '[]', '{en}', 1)`)
	exec(t, d.owner, `INSERT INTO feed_cursor (source, epoch, seq) VALUES ('directory', 'e', 7), ('other', 'e', 7)`)
	again := func() bool {
		if err := d.service.SweepOnce(t.Context(), false); err != nil {
			t.Fatal(err)
		}
		return count(t, d, `SELECT count(*) FROM feed_cursor WHERE source = 'directory' AND seq = 0 AND epoch = ''`) == 1
	}
	if again() {
		t.Error("a complete projection is read again")
	}
	for _, lacks := range [][2]string{
		{`UPDATE office SET hours = NULL`, `UPDATE office SET hours = '[]'`},
		{`UPDATE office SET notice_languages = NULL`, `UPDATE office SET notice_languages = '{en}'`},
		{`UPDATE office SET version = NULL`, `UPDATE office SET version = 1`},
		{`UPDATE consultants SET serves = NULL`, `UPDATE consultants SET serves = '{}'`},
		{`UPDATE services SET est_minutes = NULL`, `UPDATE services SET est_minutes = 30`},
	} {
		exec(t, d.owner, lacks[0])
		if !again() {
			t.Errorf("after %s the projection is not read again", lacks[0])
		}
		exec(t, d.owner, lacks[1])
		exec(t, d.owner, `UPDATE feed_cursor SET epoch = 'e', seq = 7`)
	}
	if n := count(t, d, `SELECT count(*) FROM feed_cursor WHERE source = 'other' AND seq = 7`); n != 1 {
		t.Error("the cursor of another source was set back")
	}
}

// While directory is unavailable, services and consultants in the copy can be used, and requests with unknown ids get
// 503.
func TestWithoutDirectoryKnownServicesAreRegistered(t *testing.T) {
	d := newDesk(t)
	away := d.replica(zone)
	v := away.arrive("Known")
	late := fmt.Sprintf(`{"name":"Asha","phone":"9876543210","service_id":%q}`, lateService)
	away.rejects("a service that only directory knows", away.as("reception", http.MethodPost, "/api/visits", late),
		http.StatusServiceUnavailable, "unavailable")
	other := *d
	other.offered = unansweredService
	d.rejects("a service about which directory answers 503",
		d.as("reception", http.MethodPost, "/api/visits", other.visitor("Asha")),
		http.StatusServiceUnavailable, "unavailable")
	away.rejects("a consultant whom only directory knows",
		away.set("pa", v.ID, "approved", fmt.Sprintf(`"assigned_consultant_id":%q`, lateConsultant)),
		http.StatusServiceUnavailable, "unavailable")
	away.must("a known consultant", away.set("pa", v.ID, "approved", to("consultant")), "waiting")
	withdrawn := away.offering("Withdrawn")
	exec(t, d.owner, `UPDATE services SET is_active = false WHERE id = $1`, withdrawn.offered)
	away.rejects("a service that is withdrawn",
		away.as("reception", http.MethodPost, "/api/visits", withdrawn.visitor("Asha")),
		http.StatusUnprocessableEntity, "service_unknown")
	moved := d.must("a transfer to a service whose event has not arrived", d.act("pa", v.ID, "transfer",
		fmt.Sprintf(`{"consultant_id":%q,"service_id":%q}`, testkit.ID("consultant"), lateService)), "waiting")
	if moved.Visit.Service.Name != "Trust Registration" {
		t.Errorf("transferred to %+v", moved.Visit.Service)
	}
}

func TestNewServicesAndConsultantsOfDirectoryAreOffered(t *testing.T) {
	d, redis := newDesk(t), testkit.NewRedis(t)
	directory, follower := d.follow(t, redis)
	gst := *d
	gst.offered = uuid.NewString()
	asha := testkit.ID("asha")
	directory.Publish(t,
		outbox.Change{Type: contract.ServiceCreated, Entity: contract.EntityService, EntityID: gst.offered,
			After: contract.Service{ID: gst.offered, Name: "GST", EstMinutes: 20, IsActive: true, Group: "gst"}},
		outbox.Change{Type: contract.ConsultantCreated, Entity: contract.EntityConsultant, EntityID: asha,
			After: contract.Consultant{ID: asha, Name: "Asha", IsActive: true, Serves: []string{gst.offered}}},
	)
	testkit.Eventually(t, "the events have arrived", func() bool { return follower.Position().Seq == 2 })
	v := gst.arrive("Visitor")
	d.must("approve", d.set("pa", v.ID, "approved", to("asha")), "waiting")
	if n := count(t, d, `SELECT count(*) FROM consultants c, services s
		WHERE c.id = $1 AND c.serves = ARRAY[s.id] AND s.due_group = 'gst' AND s.est_minutes = 20`, asha); n != 1 {
		t.Error("the skills, the group or the minutes have not arrived")
	}
	directory.Publish(t,
		outbox.Change{Type: contract.ConsultantUpdated, Entity: contract.EntityConsultant, EntityID: asha,
			After: contract.Consultant{ID: asha, Name: "Asha", IsActive: true, Serves: []string{d.offered}}},
		outbox.Change{Type: contract.ConsultantUpdated, Entity: contract.EntityConsultant, EntityID: testkit.ID("consultant"),
			After: contract.Consultant{ID: testkit.ID("consultant"), Name: "The consultant", IsActive: true}},
	)
	testkit.Eventually(t, "the changes have arrived", func() bool { return follower.Position().Seq == 4 })
	if n := count(t, d, `SELECT count(*) FROM consultants
		WHERE id = $1 AND serves = ARRAY[$2::uuid] OR id = $3 AND serves = '{}'`,
		asha, d.offered, testkit.ID("consultant")); n != 2 {
		t.Error("the changed skills of one consultant, or those of one who serves everything, have not arrived")
	}
}
