package audit

import (
	"net/http"
	"time"

	"baari.dev/services/platform/feed"
	"baari.dev/services/platform/wire"
)

// periodAnswer has the figures of a period and of the period before it.
type periodAnswer struct {
	Period spanBody `json:"period"`
	Before spanBody `json:"before"`
	at     feed.Position
}

type spanBody struct {
	periodBody
	Outcomes    outcomesBody   `json:"outcomes"`
	Waits       waitsBody      `json:"waits"`
	Arrivals    [7][24]int     `json:"arrivals"`
	Services    []serviceBody  `json:"services"`
	Hours       []hourBody     `json:"hours"`
	Consultants []sessionsBody `json:"consultants"`
}

type outcomesBody struct {
	Total     int `json:"total"`
	Completed int `json:"completed"`
	Denied    int `json:"denied"`
	Left      int `json:"left"`
	NoShow    int `json:"no_show"`
	Cancelled int `json:"cancelled"`
}

type waitsBody struct {
	Visits int  `json:"visits"`
	P50    *int `json:"p50"`
	P80    *int `json:"p80"`
	P95    *int `json:"p95"`
	Over30 int  `json:"over_30"`
}

type sessionsBody struct {
	ID       string  `json:"id"`
	Name     string  `json:"name"`
	Visits   int     `json:"visits"`
	Sessions int     `json:"sessions"`
	Minutes  float64 `json:"session_minutes"`
}

type serviceBody struct {
	sessionsBody
	Waits waitsBody `json:"waits"`
}

type hourBody struct {
	Hour  int       `json:"hour"`
	Waits waitsBody `json:"waits"`
}

func periodOf(c Comparison) periodAnswer {
	return periodAnswer{Period: spanOf(c.Period), Before: spanOf(c.Before), at: c.At}
}

func spanOf(s Span) spanBody {
	body := spanBody{
		periodBody: periodBody(s.Days), Outcomes: outcomesBody(s.Outcomes), Waits: waitsBody(s.Waits), Arrivals: s.Arrivals,
		Services: make([]serviceBody, len(s.Services)), Hours: make([]hourBody, len(s.Hours)),
		Consultants: make([]sessionsBody, len(s.Consultants)),
	}
	for i, service := range s.Services {
		body.Services[i] = serviceBody{sessionsBody(service.Sessions), waitsBody(service.Waits)}
	}
	for i, hour := range s.Hours {
		body.Hours[i] = hourBody{hour.Hour, waitsBody(hour.Waits)}
	}
	for i, consultant := range s.Consultants {
		body.Consultants[i] = sessionsBody(consultant)
	}
	return body
}

// Headers implements kithttp.Headerer.
func (a periodAnswer) Headers() http.Header { return positionHeader(a.at) }

// registerAnswer is the register of a day: a list of the day's visits.
type registerAnswer struct {
	Day     string              `json:"day"`
	Entries []registerEntryBody `json:"entries"`
	at      feed.Position
}

type registerEntryBody struct {
	Token      string     `json:"token"`
	TokenAlso  string     `json:"tokenAlso,omitzero"`
	Name       string     `json:"name"`
	Service    string     `json:"service"`
	Consultant *string    `json:"consultant"`
	Stage      string     `json:"stage"`
	Arrived    *wire.Time `json:"arrivedAt"`
	Called     *wire.Time `json:"calledAt"`
	Started    *wire.Time `json:"startedAt"`
	Completed  *wire.Time `json:"completedAt"`
}

func registerOf(r Register) registerAnswer {
	answer := registerAnswer{Day: r.Day, Entries: make([]registerEntryBody, len(r.Entries)), at: r.At}
	for i, e := range r.Entries {
		answer.Entries[i] = registerEntryBody{
			e.Token, e.Also, e.Name, e.Service, wire.TextOf(e.Consultant), e.Stage,
			wireTime(e.Arrived), wireTime(e.Called), wireTime(e.Started), wireTime(e.Completed),
		}
	}
	return answer
}

// Headers implements kithttp.Headerer.
func (a registerAnswer) Headers() http.Header { return positionHeader(a.at) }

func wireTime(at *time.Time) *wire.Time { return (*wire.Time)(at) }
