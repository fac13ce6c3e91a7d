package visits_test

import (
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/google/uuid"

	"baari.dev/services/contract"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/testkit"
)

type expectedVisitors struct {
	Mean     float64
	From, To int
}

type demandAnswer struct {
	Demand struct {
		Days []struct {
			Date     string
			Closed   bool
			Due      []string
			Visitors *expectedVisitors
			Hours    []struct {
				Hour     int
				Visitors expectedVisitors
			}
		}
		History int
		Early   bool
	}
}

func (d *desk) demand() (answer demandAnswer) {
	a := d.as("admin", http.MethodGet, "/api/visits/demand", "")
	if a.status != http.StatusOK {
		d.t.Fatalf("answered %d %s", a.status, a.text)
	}
	if err := json.Unmarshal([]byte(a.text), &answer, json.MatchCaseInsensitiveNames(true)); err != nil {
		d.t.Fatal(err)
	}
	return answer
}

// arrivedBefore inserts the same number of visits for each of the last days, registered at 11:20.
const arrivedBefore = `
INSERT INTO visits (id, office_day, token_no, name, phone, service_id, service_name, status, stage, reception_notes,
  rank_at, created_at, updated_at, decided_at, decided_by, created_by, created_by_name, notice_version)
SELECT gen_random_uuid(), day, n, 'Asha', '9876543210', $1, 'ITR Filing', 'denied', $4, '',
  now(), (day + time '11:20') AT TIME ZONE 'Asia/Kolkata', now(), now(), 'p', 'r', 'Reception', ''
FROM (
  SELECT (now() AT TIME ZONE 'Asia/Kolkata')::date - back AS day FROM generate_series(1, $2::int) back
) d, generate_series(1, $3::int) n`

func TestArrivalsOfTheNextDaysFollowEarlierOnes(t *testing.T) {
	d := newDesk(t)
	none := d.demand().Demand
	if len(none.Days) != 14 || none.History != 0 || !none.Early || none.Days[0].Visitors != nil {
		t.Errorf("without visits %+v", none)
	}
	exec(t, d.owner, arrivedBefore, d.offered, 60, 12, "left")
	exec(t, d.owner, `UPDATE visits SET token_no = token_no + 100`)
	exec(t, d.owner, arrivedBefore, d.offered, 60, 5, "cancelled")
	got := d.demand().Demand
	if got.History != 60 || got.Early || got.Days[0].Date != d.today() {
		t.Errorf("learned from %d days, from %s", got.History, got.Days[0].Date)
	}
	for _, day := range got.Days {
		v := day.Visitors
		if v == nil || v.Mean < 11.5 || v.Mean > 12.5 || v.From < 5 || v.From > 9 || v.To < 15 || v.To > 19 {
			t.Errorf("%s: %+v", day.Date, v)
		}
		if len(day.Hours) != 1 || day.Hours[0].Hour != 11 || day.Hours[0].Visitors != *v {
			t.Errorf("%s: by hour %+v", day.Date, day.Hours)
		}
	}
}

func (d *desk) today() (day string) {
	err := d.owner.QueryRow(d.t.Context(), `SELECT (now() AT TIME ZONE 'Asia/Kolkata')::date::text`).Scan(&day)
	if err != nil {
		d.t.Fatal(err)
	}
	return day
}

func dueOn(id, day string, active bool) outbox.Change {
	return outbox.Change{
		Type: contract.DueDateCreated, Entity: contract.EntityDueDate, EntityID: id,
		After: contract.DueDate{ID: id, Group: "income_tax", Title: "ITR", Date: day, IsActive: active, Version: 1},
	}
}

func TestDueDatesAndOpeningHoursOfDirectoryAreFollowed(t *testing.T) {
	d, redis := newDesk(t), testkit.NewRedis(t)
	directory, _ := d.follow(t, redis)
	today, err := time.Parse(time.DateOnly, d.today())
	if err != nil {
		t.Fatal(err)
	}
	soon := today.AddDate(0, 0, 2)
	other := soon.AddDate(0, 0, 1)
	id := uuid.NewString()
	directory.Publish(t,
		dueOn(id, other.Format(time.DateOnly), true),
		dueOn(uuid.NewString(), other.Format(time.DateOnly), false),
		outbox.Change{
			Type: contract.DueDateUpdated, Entity: contract.EntityDueDate, EntityID: id,
			After: contract.DueDate{
				ID: id, Group: "income_tax", Title: "ITR", Months: []int{int(soon.Month())}, Day: soon.Day(), IsActive: true,
			},
		},
		outbox.Change{
			Type: contract.OfficeLoaded, Entity: contract.EntityOffice, EntityID: "office",
			After: map[string]any{
				"notice": map[string]string{"version": "2026-11"},
				"hours":  []map[string]string{{"days": soon.Weekday().String(), "open": "9 AM", "close": "5 PM"}},
			},
		})
	testkit.Eventually(t, "the events have arrived", func() bool {
		return count(t, d, `SELECT count(*) FROM office WHERE hours IS NOT NULL`) == 1
	})
	for i, day := range d.demand().Demand.Days {
		isSoon := day.Date == soon.Format(time.DateOnly)
		if due := slices.Equal(day.Due, []string{"income_tax"}); due != isSoon || !due && len(day.Due) > 0 {
			t.Errorf("day %d is due for %v", i, day.Due)
		}
		if closed := today.AddDate(0, 0, i).Weekday() != soon.Weekday(); day.Closed != closed || day.Visitors != nil {
			t.Errorf("day %d: %+v", i, day)
		}
	}
}
