package foresight

import (
	"math"
	"time"
)

// Weights are numbers of observations: an estimate of the office or a default with weight 8 counts as 8 of them. The
// mean of these and the real observations is the posterior mean of the normal model with known variance. If the weight
// is the variance within a group divided by the variance between groups, the mean is the empirical Bayes estimator of
// Efron and Morris, "Stein's estimation rule and its competitors", JASA 68 (1973).
const (
	serviceWeight  = 8.0  // weight of est_minutes, compared with sittings of the service
	biasWeight     = 20.0 // weight of the assumption that est_minutes are right on average
	spreadWeight   = 10.0 // weight of defaultSpread
	paceWeight     = 30.0 // weight of an unchanged pace, compared with the sittings of the last days
	lawWeight      = 10.0 // weight of the defaults in desks.go
	shapeLeast     = 200  // least total weight of observations whose residuals replace the normal shape
	defaultSpread  = 0.55 // standard deviation of ln(minutes); a coefficient of variation of about 0.6
	speedSpread    = 0.2  // standard deviation of a consultant's speed, in ln(minutes)
	pairSpread     = 0.1  // standard deviation of a consultant's speed in one service, in ln(minutes)
	shortest       = 1.0  // minutes of the shortest session
	longest        = 360.0
	tailMinutes    = 10.0 // mean remaining time of a session that is longer than all known ones
	fits           = 3    // passes over services and consultants, whose means depend on each other
	maxAge         = 120 * 24 * time.Hour
	halfLife       = 60 * 24 * time.Hour // half-life of the weight of a sitting
	paceHalfLife   = 4 * 24 * time.Hour  // half-life of the weight of a sitting in the office's pace
	missedBefore   = 2.0                 // prior of the share of missed calls: beta(2, 23), 2 of missedOf
	missedOf       = 25.0
	returnedBefore = 5.0 // prior of the share who come back: 5 of returnedOf missed visitors
	returnedOf     = 10.0
	arrivedBefore  = 8.0 // prior of the share of appointments whose visitor comes: beta(8, 2), 8 of arrivedOf
	arrivedOf      = 10.0
	deniedShare    = 0.05 // share of visitors who are denied; no sitting shows denials
)

// Model has the laws of an office at one moment. It is not changed after Learn, so goroutines can share it.
type Model struct {
	setup       Setup
	services    map[string]int
	consultants map[string]int
	session     [][]*law // duration of a session, by service and consultant
	turnover    []*law   // time from a sitting's end to the next call while a visitor waits, by consultant
	walk        []*law   // time from the call to the session's start, by consultant
	decision    *law     // time from registration to the decision that puts the visitor into the line
	unanswered  *law     // time from the call to being marked as missed
	patience    *law     // time in the line before leaving; nil if no visitor leaves
	reaction    float64  // mean minutes from joining to the call if a desk is free
	missed      float64  // probability that a call is not answered
	returned    float64  // probability that a missed visitor comes back
	attends     float64  // probability that the visitor of a confirmed appointment comes
	breaks      breaks
	arrivals    arrivals
	starts      []start
}

// session is the observed length of a session.
type session struct {
	service, consultant int
	log                 float64 // logarithm of the session's length in minutes
	weight, recent      float64 // weights by age, with halfLife and paceHalfLife
}

// Learn learns an office's laws from its history. at is the current time. Learn ignores sittings of unknown services or
// consultants, and sittings older than maxAge. Without sittings, sessions take the minutes that the office estimates.
func Learn(setup Setup, h History, at time.Time) *Model {
	m := &Model{setup: setup, services: map[string]int{}, consultants: map[string]int{}}
	for i, s := range setup.Services {
		m.services[s.ID] = i
	}
	for i, c := range setup.Consultants {
		m.consultants[c.ID] = i
	}
	var known []Sitting
	for _, s := range h.Sittings {
		_, offered := m.services[s.ServiceID]
		if _, here := m.consultants[s.ConsultantID]; offered && here && at.Sub(s.Ended) <= maxAge {
			known = append(known, s)
		}
	}
	m.fitSessions(m.sessions(known, at))
	m.fitDesks(known, at)
	m.fitCalls(known, at)
	m.patience = learnPatience(known, h.Left, at)
	m.arrivals = learnArrivals(m, known, at)
	m.starts = learnStarts(m, known, at)
	booked := float64(h.Booked.Arrived + h.Booked.NoShow)
	m.attends = (arrivedBefore + float64(h.Booked.Arrived)) / (arrivedOf + booked)
	return m
}

func decay(age, half time.Duration) float64 { return math.Exp2(-max(0, age.Hours()) / half.Hours()) }

// sessions returns the lengths of the sessions. The parts of a session that was interrupted by a hold are one session.
func (m *Model) sessions(sittings []Sitting, at time.Time) (all []session) {
	held := map[string]float64{}
	for _, s := range sittings {
		if s.Started.IsZero() {
			continue
		}
		minutes := s.Ended.Sub(s.Started).Minutes() + held[s.VisitID]
		if s.EndedAs == Held {
			held[s.VisitID] = minutes
			continue
		}
		delete(held, s.VisitID)
		age := at.Sub(s.Ended)
		all = append(all, session{
			service: m.services[s.ServiceID], consultant: m.consultants[s.ConsultantID],
			log:    math.Log(min(max(minutes, shortest), longest)),
			weight: decay(age, halfLife), recent: decay(age, paceHalfLife),
		})
	}
	return all
}

// fit is the normal model of ln(minutes): a mean per service, plus the deviations of a consultant.
type fit struct {
	mean, variance []float64   // indexed by service
	speed          []float64   // indexed by consultant
	pair           [][]float64 // deviation in addition to speed, indexed by service and consultant
	pace           float64     // deviation of the last days, for all services and consultants
}

// fitSessions sets the law of a session's length for each service and consultant.
func (m *Model) fitSessions(all []session) {
	f := m.newFit()
	for range fits {
		f.fitServices(m, all)
		f.fitConsultants(all)
	}
	f.fitPace(all)
	shapes := f.shapes(all)
	m.session = make([][]*law, len(m.setup.Services))
	for s := range m.session {
		m.session[s] = make([]*law, len(m.setup.Consultants))
		for c := range m.session[s] {
			mu := f.mean[s] + f.speed[c] + f.pair[s][c] + f.pace
			m.session[s][c] = lognormal(mu, math.Sqrt(f.variance[s]), shapes[s], shortest, longest, tailMinutes)
		}
	}
}

func (m *Model) newFit() *fit {
	services, consultants := len(m.setup.Services), len(m.setup.Consultants)
	f := &fit{
		mean: make([]float64, services), variance: make([]float64, services),
		speed: make([]float64, consultants), pair: make([][]float64, services),
	}
	for s := range f.variance {
		f.variance[s], f.pair[s] = defaultSpread*defaultSpread, make([]float64, consultants)
		f.mean[s] = m.entered(s, f.variance[s])
	}
	return f
}

// entered returns the mean of ln(minutes) that corresponds to the office's estimate, which is a mean of minutes.
func (m *Model) entered(service int, variance float64) float64 {
	return math.Log(max(m.setup.Services[service].EstMinutes, shortest)) - variance/2
}

// fitServices sets means and variances to their posterior means. The prior mean is the office's estimate, corrected by
// the average error of all estimates; it has the weight of serviceWeight sessions.
func (f *fit) fitServices(m *Model, all []session) {
	services := len(f.mean)
	weight, sum, squares := make([]float64, services), make([]float64, services), make([]float64, services)
	wrong, total := 0.0, 0.0
	for _, x := range all {
		y := x.log - f.speed[x.consultant] - f.pair[x.service][x.consultant]
		weight[x.service] += x.weight
		sum[x.service] += x.weight * y
		squares[x.service] += x.weight * (y - f.mean[x.service]) * (y - f.mean[x.service])
		wrong += x.weight * (y - m.entered(x.service, f.variance[x.service]))
		total += x.weight
	}
	bias := wrong / (total + biasWeight)
	for s := range f.mean {
		f.variance[s] = (squares[s] + spreadWeight*defaultSpread*defaultSpread) / (weight[s] + spreadWeight)
		prior := m.entered(s, f.variance[s]) + bias
		f.mean[s] = (sum[s] + serviceWeight*prior) / (weight[s] + serviceWeight)
	}
}

// fitConsultants sets how much slower than the mean a consultant is in all services (speed), and in one service (pair).
// Both are shrunk towards 0 by the ratio of a session's variance to the variance between consultants.
func (f *fit) fitConsultants(all []session) {
	n := len(f.speed)
	precision, sum := make([]float64, n), make([]float64, n)
	for _, x := range all {
		weight := x.weight / f.variance[x.service]
		precision[x.consultant] += weight
		sum[x.consultant] += weight * (x.log - f.mean[x.service] - f.pair[x.service][x.consultant])
	}
	for c := range f.speed {
		f.speed[c] = sum[c] / (precision[c] + 1/(speedSpread*speedSpread))
	}
	precision, sum = make([]float64, n*len(f.mean)), make([]float64, n*len(f.mean))
	for _, x := range all {
		at := x.service*n + x.consultant
		precision[at] += x.weight / f.variance[x.service]
		sum[at] += x.weight / f.variance[x.service] * (x.log - f.mean[x.service] - f.speed[x.consultant])
	}
	for at := range precision {
		f.pair[at/n][at%n] = sum[at] / (precision[at] + 1/(pairSpread*pairSpread))
	}
}

func (f *fit) residual(x session) float64 {
	return x.log - f.mean[x.service] - f.speed[x.consultant] - f.pair[x.service][x.consultant]
}

// fitPace sets how much longer sessions are in the last days than in the last months. It is computed by simple
// exponential smoothing (Brown 1956), and shrunk towards 0 with the weight of paceWeight sessions.
func (f *fit) fitPace(all []session) {
	sum, total := 0.0, 0.0
	for _, x := range all {
		sum += x.recent * f.residual(x)
		total += x.recent
	}
	f.pace = sum / (total + paceWeight)
}

// shapes returns, for each service, the quantiles of its standardised residuals. A service with too few residuals gets
// the quantiles of all services or, if these are too few, normal quantiles.
func (f *fit) shapes(all []session) []*[quantiles]float64 {
	own, pooled := make([][]weighted, len(f.mean)), make([]weighted, 0, len(all))
	weight, total := make([]float64, len(f.mean)), 0.0
	for _, x := range all {
		z := weighted{f.residual(x) / math.Sqrt(f.variance[x.service]), x.weight}
		own[x.service], pooled = append(own[x.service], z), append(pooled, z)
		weight[x.service] += x.weight
		total += x.weight
	}
	common := normalShape
	if total >= shapeLeast {
		common = empirical(pooled)
	}
	shapes := make([]*[quantiles]float64, len(f.mean))
	for s := range shapes {
		shapes[s] = &common
		if weight[s] >= shapeLeast {
			shape := empirical(own[s])
			shapes[s] = &shape
		}
	}
	return shapes
}
