package main

import (
	"math"
	"math/rand/v2"
	"time"
)

// offeredService is a service of a simulated office, with its estimated and true duration and its share of visitors.
type offeredService struct {
	id         string
	estMinutes float64
	trueFactor float64 // true mean duration / estMinutes
	share      float64 // fraction of the visitors
}

type consultant struct {
	id     string
	serves []string
	speed  float64 // factor of the duration of a session
}

// office is a simulated office. Its true durations and speeds are drawn once per seed; no rule of the line knows them.
type office struct {
	name        string
	services    []offeredService
	consultants []consultant
	perDay      int // expected number of visitors
}

// size describes an office before its random values are drawn.
type size struct {
	name        string
	consultants int
	services    int
	skills      int     // number of services that each consultant serves
	load        float64 // share of the consultants' time that visitors take
	extra       bool    // simulated only if it is chosen by name
}

func (s size) chosen(o options) bool { return o.office == s.name || o.office == "" && !s.extra }

// sizes are the offices of the simulation, in the order of the report. In small, five and nine, each consultant serves
// 75 %, 50 % and 36 % of the services. The office due-week is the office five in the days before filings are due.
var sizes = []size{
	{"small", 4, 4, 3, 0.72, false},
	{"five", 5, 8, 4, 0.72, false},
	{"nine", 9, 11, 4, 0.76, false},
	{"due-week", 5, 8, 4, 0.85, true},
}

// estimates are the estimated minutes of the services in the office document that is delivered with the product.
var estimates = []float64{30, 45, 30, 60, 45, 45, 60, 45, 30, 30, 20}

// Parameters of the drawn values. No rule of the line reads them.
const (
	leastTrueFactor, mostTrueFactor = 0.7, 1.6 // range of the ratio between true and estimated minutes
	speedSigma                      = 0.18     // standard deviation of the logarithm of a consultant's speed
	workingMinutes                  = 490.0    // a consultant's day, without lunch and late starts
	handlingMinutes                 = 3.0      // call, way to the desk and notes of each visitor
)

func newOffice(s size, random *rand.Rand) office {
	o := office{name: s.name}
	weights := 0.0
	for i := range s.services {
		o.services = append(o.services, offeredService{
			id: serviceID(i), estMinutes: estimates[i],
			trueFactor: uniform(random, leastTrueFactor, mostTrueFactor),
			share:      uniform(random, 0.6, 1.4) / estimates[i], // short services are in greater demand
		})
		weights += o.services[i].share
	}
	mean := 0.0
	for i := range o.services {
		service := &o.services[i]
		service.share /= weights
		mean += service.share * (service.estMinutes*service.trueFactor + handlingMinutes)
	}
	for i := range s.consultants {
		c := consultant{id: "consultant-" + string(rune('a'+i)), speed: math.Exp(random.NormFloat64() * speedSigma)}
		for k := range s.skills {
			c.serves = append(c.serves, serviceID((i*s.services/s.consultants+k)%s.services))
		}
		o.consultants = append(o.consultants, c)
	}
	o.perDay = int(math.Round(s.load * float64(s.consultants) * workingMinutes / mean))
	return o
}

func serviceID(i int) string { return "service-" + string(rune('a'+i)) }

func uniform(random *rand.Rand, least, most float64) float64 {
	return least + random.Float64()*(most-least)
}

// minutes rounds m to whole seconds, so that results do not depend on the last bits of floating-point numbers.
func minutes(m float64) time.Duration {
	return time.Duration(math.Round(m*60)) * time.Second
}
