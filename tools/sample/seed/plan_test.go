package seed

import (
	"testing"
	"time"

	"baari.dev/services/contract"
)

func office(t *testing.T) Office {
	t.Helper()
	zone, err := time.LoadLocation("Asia/Kolkata")
	if err != nil {
		t.Fatal(err)
	}
	return Office{
		Zone: zone, Reception: "r", PA: "p", Consultants: []string{"c1", "c2"},
		Services: []Service{{"s1", "ITR Filing", 30}, {"s2", "Bookkeeping", 30}, {"s3", "Audit Services", 60}},
	}
}

// eachHour checks the plan at every hour of a week, which includes nights, a Sunday, and the time after midnight.
func eachHour(t *testing.T, check func(now time.Time, visits []contract.PastVisit)) {
	t.Helper()
	o := office(t)
	begin := time.Date(2026, 11, 16, 0, 3, 0, 0, o.Zone)
	for hour := range 7 * 24 {
		now := begin.Add(time.Duration(hour) * time.Hour)
		check(now, Plan(o, now))
	}
}

func TestNothingHappensAfterNowOrOutOfOrder(t *testing.T) {
	eachHour(t, func(now time.Time, visits []contract.PastVisit) {
		var last time.Time
		for _, v := range visits {
			if v.CreatedAt.Before(last) {
				t.Fatalf("%s: people come out of order", now)
			}
			last = v.CreatedAt
			step := v.CreatedAt
			for _, next := range []*time.Time{v.DecidedAt, v.StartedAt, v.CompletedAt} {
				if next == nil {
					break
				}
				if next.Before(step) || next.After(now) {
					t.Fatalf("%s: a step at %s follows one at %s", now, next, step)
				}
				step = *next
			}
			if v.CreatedAt.After(now.Add(-recent)) {
				t.Fatalf("%s: a visitor came in the last hour, at %s", now, v.CreatedAt)
			}
		}
	})
}

func TestAConsultantHasOneSessionAtATime(t *testing.T) {
	eachHour(t, func(now time.Time, visits []contract.PastVisit) {
		busy := map[string]time.Time{}
		for _, v := range visits {
			if v.StartedAt == nil {
				continue
			}
			if v.StartedAt.Before(busy[v.ConsultantID]) {
				t.Fatalf("%s: %s starts a session at %s, before the last one ended", now, v.ConsultantID, v.StartedAt)
			}
			busy[v.ConsultantID] = now.Add(time.Hour)
			if v.CompletedAt != nil {
				busy[v.ConsultantID] = *v.CompletedAt
			}
		}
	})
}

func TestEarlierDaysAreFinishedAndThreeWeeksLong(t *testing.T) {
	eachHour(t, func(now time.Time, visits []contract.PastVisit) {
		today := now.Truncate(0).Format(time.DateOnly)
		seen := map[string]int{}
		for _, v := range visits {
			day := v.CreatedAt.Format(time.DateOnly)
			seen[day]++
			if day != today && v.CompletedAt == nil && !v.Denied {
				t.Fatalf("%s: a visit of %s is still open", now, day)
			}
			if v.CreatedAt.Weekday() == time.Sunday && day != today {
				t.Fatalf("%s: a visitor came on a Sunday", now)
			}
		}
		delete(seen, today)
		if len(seen) != 18 {
			t.Fatalf("%s: visits on %d days, want 18 working days", now, len(seen))
		}
	})
}

func TestAPhoneNumberBelongsToOnePerson(t *testing.T) {
	names := map[string]string{}
	for n := range visitors {
		name, phone := visitor(n)
		if len(phone) != 10 {
			t.Errorf("%q has not ten digits", phone)
		}
		if other, ok := names[phone]; ok {
			t.Errorf("%s and %s share a number", name, other)
		}
		names[phone] = name
	}
}

func TestTheSameArgumentsGiveTheSamePlan(t *testing.T) {
	o := office(t)
	now := time.Date(2026, 11, 20, 14, 0, 0, 0, o.Zone)
	a, b := Plan(o, now), Plan(o, now)
	if len(a) != len(b) || len(a) < 350 {
		t.Fatalf("%d and %d visits", len(a), len(b))
	}
	for i := range a {
		if a[i].Name != b[i].Name || !a[i].CreatedAt.Equal(b[i].CreatedAt) {
			t.Fatalf("visit %d differs", i)
		}
	}
}

func TestWaitingTimesArePlausible(t *testing.T) {
	o := office(t)
	var wait time.Duration
	var n int
	for _, v := range Plan(o, time.Date(2026, 11, 20, 18, 0, 0, 0, o.Zone)) {
		if v.StartedAt != nil {
			wait += v.StartedAt.Sub(v.CreatedAt)
			n++
		}
	}
	if mean := wait / time.Duration(n); mean < 5*time.Minute || mean > 30*time.Minute {
		t.Errorf("the mean wait is %s", mean)
	}
}

// The sample's promises are right about as often as the product's: for four of five visitors.
func TestPromisesHoldForFourOfFive(t *testing.T) {
	o := office(t)
	right, all := 0, 0
	for _, v := range Plan(o, time.Date(2026, 11, 16, 18, 0, 0, 0, o.Zone)) {
		if v.Promise == nil || v.StartedAt == nil || v.Promise.Q90 < 1 {
			continue
		}
		if all++; !v.StartedAt.Before(v.Promise.From) && !v.StartedAt.After(v.Promise.To) {
			right++
		}
		if p := v.Promise; p.Q10 > p.Q50 || p.Q50 > p.Q90 || p.To.Sub(p.From) < 10*time.Minute {
			t.Fatalf("the promise is %+v", p)
		}
	}
	if share := float64(right) / float64(all); all < 50 || share < 0.72 || share > 0.9 {
		t.Errorf("%d of %d promises are right", right, all)
	}
}
