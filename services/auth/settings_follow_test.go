package auth

import (
	"log/slog"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"

	"baari.dev/services/auth/mailing"
	"baari.dev/services/auth/settings"
	"baari.dev/services/contract"
	"baari.dev/services/platform/feed"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/testkit"
)

// version returns the event of a version of the office document with a mode of sign-up.
func version(number int64, kind, brand, registration string) outbox.Change {
	return outbox.Change{
		Type: kind, Entity: contract.EntityOffice, EntityID: "office", Version: number,
		After: map[string]any{
			"brand": brand, "languages": []string{"kn", "en"}, "features": map[string]string{"registration": registration},
		},
	}
}

// follow makes a replica's copy of the settings follow a directory for which the test publishes the events.
func follow(t *testing.T, directory *testkit.Source, redis *testkit.Redis, replica *settings.Copy) (stop func()) {
	t.Helper()
	follower := feed.NewFollower(contract.SourceDirectory, directory.Client(contract.SourceAuth), redis.Bus,
		replica.Follow(), prometheus.NewRegistry(), slog.New(slog.DiscardHandler))
	return testkit.Background(t, follower.Run)
}

func (o *office) awaitVersion(number int64, replicas ...*settings.Copy) {
	o.t.Helper()
	for _, replica := range append(replicas, o.Settings()) {
		testkit.Eventually(o.t, "the version is applied", func() bool { return replica.Current().Version == number })
	}
}

// The mode of sign-up, the name in mails and their languages are those of the newest version of the office document.
// Before the first they are those of the configuration, also while the events have no versions.
func TestASettingChangesWithoutARestart(t *testing.T) {
	o, redis := open(t, func(options *Options) { options.Registration = RegistrationClosed }), testkit.NewRedis(t)
	directory := testkit.NewSource(t, contract.SourceDirectory, redis.Bus)
	second := settings.New(o.db.Pool, settings.Settings{})
	follow(t, directory, redis, o.Settings())
	follow(t, directory, redis, second)
	directory.Publish(t, version(0, contract.OfficeLoaded, "Hisab", "open"))
	testkit.Eventually(t, "the old event is read", func() bool {
		return o.count(`SELECT count(*) FROM feed_cursor WHERE source = 'directory' AND seq = 1`) == 1
	})
	o.post("", "/sign-up/email", registration("early")).wantCode(403, "registration_closed")

	directory.Publish(t, version(1, contract.OfficeLoaded, "Hisab", "approval"))
	o.awaitVersion(1, second)
	asha := o.join("asha")
	o.getSession(asha.Token).want(200, `"isActive":false`)
	directory.Publish(t, version(2, contract.OfficeChanged, "Hisab & Daughters", "open"))
	o.awaitVersion(2, second)
	ravi := o.join("ravi")
	o.getSession(ravi.Token).want(200, `"isActive":true`)
	o.call(asha.Token, "PUT", "/api/users/"+asha.ID, `{"role":"pa"}`).want(200, `"role":"pa"`, `"isActive":false`)
	o.post("", "/sign-up/email", body("name", "Meera", "email", "meera@example.com", "password", "hisab & daughters")).
		want(400)
	o.post("", "/request-password-reset", body("email", ravi.Email), "Origin", site).want(200)
	o.settle()
	if mail := o.nthMail(ravi.Email, 1); mail.Subject != mailing.TextsOf("kn").ResetSubject {
		t.Errorf("the mail is %s", mail.Subject)
	}

	directory.Publish(t, version(3, contract.OfficeRestored, "Hisab", "closed"))
	o.awaitVersion(3, second)
	o.post("", "/sign-up/email", registration("late")).wantCode(403, "registration_closed")
	if got := testutil.ToFloat64(o.Settings().Metric()); got != 3 {
		t.Errorf("the metric says version %v", got)
	}
}

// An event of an older version changes nothing. In a new epoch the versions start again; until they are read, the last
// settings apply.
func TestOldVersionsOfTheOfficeAreIgnoredUntilANewEpoch(t *testing.T) {
	o, redis := open(t), testkit.NewRedis(t)
	directory := testkit.NewSource(t, contract.SourceDirectory, redis.Bus)
	stop := follow(t, directory, redis, o.Settings())
	directory.Publish(t, version(7, contract.OfficeChanged, "Hisab", "approval"))
	o.awaitVersion(7)
	directory.Publish(t, version(0, contract.OfficeLoaded, "Lekha", "open"),
		version(6, contract.OfficeChanged, "Lekha", "open"), version(8, contract.OfficeChanged, "Hisab", "closed"))
	o.awaitVersion(8)
	if brand := o.Settings().Current().Brand; brand != "Hisab" {
		t.Errorf("the office is %s", brand)
	}

	stop()
	directory.BeginEmpty(t)
	follow(t, directory, redis, o.Settings())
	o.awaitVersion(0)
	if mode := o.registration(); mode != RegistrationClosed {
		t.Errorf("in the new epoch the mode is %s", mode)
	}
	directory.Publish(t, version(2, contract.OfficeChanged, "Hisab", "approval"))
	o.awaitVersion(2)
}

// A replica that starts while directory is unavailable has the last settings.
func TestTheLastSettingsApplyWithoutDirectory(t *testing.T) {
	o := open(t)
	o.exec(`INSERT INTO office_copy (version, brand, languages, registration) VALUES (4, 'Hisab', '{kn}', 'closed')`)
	if err := o.Settings().Load(t.Context()); err != nil {
		t.Fatal(err)
	}
	o.post("", "/sign-up/email", registration("asha")).wantCode(403, "registration_closed")
	if got := o.Settings().Current(); got.Version != 4 || got.Brand != "Hisab" || len(got.Languages) != 1 {
		t.Errorf("the settings are %+v", got)
	}
}
