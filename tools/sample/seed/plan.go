// Package seed fills an office with plausible visits, so that no screen is empty. Start reading at Fill, then Plan.
package seed

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"baari.dev/services/contract"
)

// Office is the part of an office's data that a plan needs.
type Office struct {
	Zone        *time.Location
	Services    []Service
	Reception   string   // user id
	PA          string   // user id
	Consultants []string // user ids
}

// Service is a service that the office offers.
type Service struct {
	ID         string
	Name       string
	EstMinutes int `json:"est_minutes"`
}

const (
	days        = 21
	visitsADay  = 24
	visitors    = 220 // number of different visitors; some visit more than once
	opens       = 9
	closes      = 19
	closesEarly = 17 // Saturdays
	recent      = time.Hour
)

// Plan returns the visits of three weeks and those of today until an hour ago. The same arguments give the same plan.
func Plan(office Office, now time.Time) []contract.PastVisit {
	p := planner{
		office: office, random: rand.New(rand.NewPCG(2026, 11)), guess: rand.New(rand.NewPCG(2026, 12)),
	}
	now = now.In(office.Zone)
	today := time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, office.Zone)
	for ago := days; ago > 0; ago-- {
		day := today.AddDate(0, 0, -ago)
		if day.Weekday() == time.Sunday {
			continue
		}
		p.day(at(day, opens), at(day, closing(day)), visitsADay+p.random.IntN(9)-4, at(day, 24))
	}
	from, until := p.morning(today, now)
	p.day(from, until, int(until.Sub(from)/(25*time.Minute)), now)
	return p.visits
}

// morning returns the planned part of today: from min(opening, 4 h ago), but not before 0:00, to min(closing, 1 h ago).
func (p *planner) morning(today, now time.Time) (from, until time.Time) {
	from = at(today, opens)
	if early := now.Add(-4 * time.Hour); early.Before(from) {
		from = early
	}
	if from.Before(today) {
		from = today
	}
	until = now.Add(-recent)
	if end := at(today, closes); until.After(end) {
		until = end
	}
	return from, until
}

type planner struct {
	office Office
	random *rand.Rand
	guess  *rand.Rand // random numbers for promises only
	visits []contract.PastVisit
}

// day plans n visits between two times. It leaves out what would happen after the horizon.
func (p *planner) day(from, until time.Time, n int, horizon time.Time) {
	if n <= 0 || !from.Before(until) {
		return
	}
	var arrivals []time.Time
	for range n {
		arrivals = append(arrivals, from.Add(time.Duration(p.arrival()*float64(until.Sub(from)))).Truncate(time.Second))
	}
	slices.SortFunc(arrivals, time.Time.Compare)
	free := make([]time.Time, len(p.office.Consultants)) // the end of each consultant's last session
	for _, arrival := range arrivals {
		p.visits = append(p.visits, p.visit(arrival, free, horizon))
	}
}

// arrival returns a time of arrival as a fraction of the day: uniform, with a peak in the afternoon.
func (p *planner) arrival() float64 {
	if p.random.IntN(3) > 0 {
		return p.random.Float64() * 0.9
	}
	return min(max(0.58+0.1*p.random.NormFloat64(), 0), 0.9)
}

// visit plans one visit with the consultant who is free first.
func (p *planner) visit(arrival time.Time, free []time.Time, horizon time.Time) contract.PastVisit {
	service := pick(p.random, p.office.Services)
	name, phone := visitor(p.random.IntN(visitors))
	v := contract.PastVisit{
		Name: name, Phone: phone, ServiceID: service.ID, CreatedAt: arrival, ReceptionUserID: p.office.Reception,
	}
	if p.random.IntN(5) < 2 {
		v.Notes = pick(p.random, append(slices.Clone(otherNotes), receptionNotes[service.Name]...))
	}
	decided := arrival.Add(p.minutes(1, 7))
	if decided.After(horizon) {
		return v
	}
	v.DecidedAt, v.PAUserID = &decided, p.office.PA
	if p.random.IntN(12) == 0 {
		v.Denied, v.PANotes = true, pick(p.random, denials)
		return v
	}
	if p.random.IntN(4) == 0 {
		v.PANotes = pick(p.random, paNotes)
	}
	consultant := earliest(free)
	v.ConsultantID = p.office.Consultants[consultant]
	started := later(decided, free[consultant]).Add(p.minutes(1, 3))
	v.Promise = p.promise(decided, started, !free[consultant].After(decided))
	minutes := float64(service.EstMinutes) * (0.35 + 0.45*p.random.Float64())
	completed := started.Add(time.Duration(minutes * float64(time.Minute))).Truncate(time.Second)
	free[consultant] = completed
	if started.After(horizon) {
		return v
	}
	v.StartedAt = &started
	if completed.After(horizon) {
		return v
	}
	v.CompletedAt, v.SessionNotes = &completed, pick(p.random, sessionNotes)
	return v
}

// The first three are standard deviations of the logarithm of a time in minutes. promiseError exceeds promiseSpread,
// because the ends of a range are rounded outwards, and still only four of five ranges should be right.
const (
	promiseSpread = 0.35
	promiseError  = 0.55
	placeSpread   = 0.8
	tenth         = 1.2816 // the 90 % quantile of the normal distribution
	atOnce        = 0.3    // median of the promise, in minutes, if the consultant is free
)

// promise returns a promised range of waiting times. It is right for about four of five visitors who have to wait.
func (p *planner) promise(decided, started time.Time, isFree bool) *contract.PastPromise {
	actual := started.Sub(decided).Minutes()
	median := actual * math.Exp(promiseError*p.guess.NormFloat64())
	if isFree {
		median = atOnce
	}
	made := &contract.PastPromise{
		Q10: median * math.Exp(-tenth*promiseSpread), Q50: median, Q90: median * math.Exp(tenth*promiseSpread),
		Place: actual * math.Exp(placeSpread*p.guess.NormFloat64()),
	}
	const grid = 5 * time.Minute
	after := func(minutes float64) time.Time { return decided.Add(time.Duration(minutes * float64(time.Minute))) }
	made.From, made.To = after(made.Q10).Truncate(grid), after(made.Q90).Truncate(grid).Add(grid)
	if least := made.From.Add(2 * grid); made.To.Before(least) {
		made.To = least
	}
	return made
}

// minutes returns a random duration, in whole seconds, between low and high minutes.
func (p *planner) minutes(low, high int) time.Duration {
	return time.Duration(low*60+p.random.IntN((high-low)*60)) * time.Second
}

func visitor(n int) (name, phone string) {
	first, last := firstNames[n%len(firstNames)], lastNames[(n*7)%len(lastNames)]
	return first + " " + last, fmt.Sprintf("90000%05d", 10007+n*37)
}

func pick[T any](random *rand.Rand, from []T) T { return from[random.IntN(len(from))] }

func earliest(times []time.Time) int {
	return slices.Index(times, slices.MinFunc(times, time.Time.Compare))
}

func later(a, b time.Time) time.Time { return slices.MaxFunc([]time.Time{a, b}, time.Time.Compare) }

func at(day time.Time, hour int) time.Time { return day.Add(time.Duration(hour) * time.Hour) }

func closing(day time.Time) int {
	if day.Weekday() == time.Saturday {
		return closesEarly
	}
	return closes
}
