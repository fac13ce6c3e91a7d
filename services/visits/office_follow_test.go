package visits_test

import (
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus/testutil"

	"baari.dev/services/contract"
	"baari.dev/services/platform/feed"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/testkit"
)

// officeVersion returns the event of a version of the office document. The office is open on every day; closed are the
// dates of days on which it is not.
func officeVersion(number int64, brand string, closed ...string) outbox.Change {
	special := []map[string]any{}
	for _, date := range closed {
		special = append(special, map[string]any{"date": date, "name": "Holi", "open": nil, "close": nil})
	}
	return outbox.Change{
		Type: contract.OfficeChanged, Entity: contract.EntityOffice, EntityID: contract.OfficeID, Version: number,
		After: map[string]any{
			"brand": brand, "notice": map[string]string{"version": "2026-11", "contact": "desk@lekha.example"},
			"languages": []string{"en"}, "queue": map[string]any{"maxBypass": number},
			"hours":       []map[string]string{{"days": "Monday-Sunday", "open": "9 AM", "close": "5 PM"}},
			"specialDays": special,
		},
	}
}

func (d *desk) brand() (brand string) {
	d.t.Helper()
	err := d.owner.QueryRow(d.t.Context(), `SELECT coalesce(max(brand), '') FROM office`).Scan(&brand)
	if err != nil {
		d.t.Fatal(err)
	}
	return brand
}

func (d *desk) awaitVersion(number int) {
	d.t.Helper()
	testkit.Eventually(d.t, "the version is applied", func() bool {
		return count(d.t, d, `SELECT count(*) FROM office WHERE version = $1`, number) == 1
	})
}

// A version of the office document takes effect without a restart: a day that closes has no expected visitors. An event
// of an older version, or of a release without versions, changes nothing.
func TestTheNewestVersionOfTheOfficeApplies(t *testing.T) {
	d, redis := newDesk(t), testkit.NewRedis(t)
	directory, follower := d.follow(t, redis)
	today, err := time.Parse(time.DateOnly, d.today())
	if err != nil {
		t.Fatal(err)
	}
	holiday := today.AddDate(0, 0, 3).Format(time.DateOnly)
	closedDays := func() (days []string) {
		for _, day := range d.demand().Demand.Days {
			if day.Closed {
				days = append(days, day.Date)
			}
		}
		return days
	}
	directory.Publish(t, officeVersion(2, "Lekha"))
	d.awaitVersion(2)
	if closed := closedDays(); len(closed) > 0 {
		t.Errorf("closed on %v", closed)
	}
	directory.Publish(t, officeVersion(4, "Hisab", holiday))
	d.awaitVersion(4)
	old := officeVersion(0, "Lekha")
	old.Type = contract.OfficeLoaded
	directory.Publish(t, officeVersion(3, "Lekha"), old)
	testkit.Eventually(t, "the old events are read", func() bool { return follower.Position().Seq == 4 })
	if closed := closedDays(); len(closed) != 1 || closed[0] != holiday || d.brand() != "Hisab" {
		t.Errorf("closed on %v, by %s", closed, d.brand())
	}
	if n, err := testutil.GatherAndCount(d.registry, "baari_office_version"); n != 1 || err != nil {
		t.Errorf("%d metrics of the version: %v", n, err)
	}
}

// While directory is unavailable the last version applies. In a new epoch the versions begin again.
func TestANewEpochOfDirectoryHasItsOwnVersionsOfTheOffice(t *testing.T) {
	d, redis := newDesk(t), testkit.NewRedis(t)
	directory, follower := d.follow(t, redis)
	directory.Publish(t, officeVersion(7, "Lekha"))
	d.awaitVersion(7)
	directory.BeginEmpty(t)
	directory.Publish(t, officeVersion(2, "Hisab"))
	d.awaitVersion(2)
	if d.brand() != "Hisab" {
		t.Errorf("the office is %s", d.brand())
	}
	testkit.Eventually(t, "the follower has the position", func() bool {
		return follower.Position() == directory.Head(t)
	})
}

// A replica of the previous release skips the kinds that it does not know and moves the position, and it replaces
// values of the copy but not the version. The copy gets the newest version when the events are read again.
func TestAVersionThatTheReleaseBeforeHasSkippedIsReadAgain(t *testing.T) {
	d, redis := newDesk(t), testkit.NewRedis(t)
	directory, _ := d.follow(t, redis)
	directory.Publish(t, officeVersion(1, "Lekha"), officeVersion(2, "Hisab"))
	d.awaitVersion(2)
	reader := feed.NewReader(directory.Client(contract.SourceVisits))
	for _, left := range []string{
		`UPDATE office SET version = 1, brand = 'Lekha'`, `UPDATE office SET policy = '{"maxBypass": 9}'`,
	} {
		exec(t, d.owner, left)
		if err := d.service.DirectoryCopy().Reread(t.Context(), reader, contract.EntityOffice); err != nil {
			t.Fatal(err)
		}
		const whole = `SELECT count(*) FROM office WHERE version = 2 AND brand = 'Hisab' AND policy->>'maxBypass' = '2'`
		if count(t, d, whole) != 1 {
			t.Errorf("after %s the copy has not the newest version", left)
		}
	}
}
