package audit

import (
	"cmp"
	"fmt"
	"net/http"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"baari.dev/services/contract"
	"baari.dev/services/platform/feed"
	"baari.dev/services/platform/wire"
)

// system is shown as the name of the actor if a record has none.
const system = "System"

type recordBody struct {
	ID        string         `json:"id"`
	Entity    string         `json:"entity"`
	EntityID  string         `json:"entityId"`
	Action    string         `json:"action"`
	User      userBody       `json:"user"`
	OldValues jsontext.Value `json:"oldValues"`
	NewValues jsontext.Value `json:"newValues"`
	IPAddress *string        `json:"ipAddress"`
	CreatedAt wire.Time      `json:"createdAt"`
	Visit     *visitBody     `json:"visit"`
}

// visitBody identifies a record's visit to the reader of the trail.
type visitBody struct {
	Token string `json:"token"`
	Name  string `json:"name"`
}

type userBody struct {
	ID    *string `json:"id"`
	Name  string  `json:"name"`
	Email *string `json:"email"`
	Role  *string `json:"role"`
}

func bodyOf(e Entry) recordBody {
	body := recordBody{
		ID: strconv.FormatInt(e.N, 10), Entity: e.Entity, EntityID: e.EntityID, Action: e.Action,
		User: userBody{
			ID: wire.TextOf(e.ActorID), Name: cmp.Or(e.ActorName, system), Email: wire.TextOf(e.ActorEmail),
			Role: wire.TextOf(e.ActorRole),
		},
		OldValues: e.Old, NewValues: e.New, IPAddress: wire.TextOf(e.IP), CreatedAt: wire.Time(e.CreatedAt),
	}
	if e.Token != "" {
		body.Visit = &visitBody{e.Token, e.Visitor}
	}
	return body
}

type trailAnswer struct {
	Records    []recordBody `json:"audit_records"`
	Pagination pagination   `json:"pagination"`
	at         feed.Position
}

type pagination struct {
	Page   int  `json:"page"`
	Limit  int  `json:"limit"`
	Total  int  `json:"total"`
	Pages  int  `json:"pages"`
	Capped bool `json:"capped"`
}

func trailOf(trail Trail, req readRequest) trailAnswer {
	answer := trailAnswer{
		Records: make([]recordBody, len(trail.Entries)), at: trail.At,
		Pagination: pagination{
			Page: req.Page, Limit: req.Limit, Total: trail.Total, Pages: (trail.Total + req.Limit - 1) / req.Limit,
			Capped: trail.Capped,
		},
	}
	for i, entry := range trail.Entries {
		answer.Records[i] = bodyOf(entry)
	}
	return answer
}

// Headers implements kithttp.Headerer.
func (a trailAnswer) Headers() http.Header { return positionHeader(a.at) }

type dashboardAnswer struct {
	Day      string       `json:"day"`
	Today    todayBody    `json:"today"`
	Stages   stagesBody   `json:"stages"`
	Measured measuredBody `json:"measured"`
	at       feed.Position
}

type todayBody struct {
	Total     int `json:"total_visits"`
	New       int `json:"new_visits"`
	Approved  int `json:"approved_visits"`
	InSession int `json:"in_session_visits"`
	Completed int `json:"completed_visits"`
	Denied    int `json:"denied_visits"`
}

type stagesBody struct {
	Waiting   int `json:"waiting"`
	Called    int `json:"called"`
	Held      int `json:"held"`
	Missed    int `json:"missed"`
	Left      int `json:"left"`
	NoShow    int `json:"no_show"`
	Cancelled int `json:"cancelled"`
}

type measuredBody struct {
	WaitMinutes *float64   `json:"avg_wait_minutes"`
	Peak        *peakHours `json:"peak_hours"`
	Arrivals    [24]int    `json:"arrivals_by_hour"`
}

type peakHours struct {
	From string `json:"from"`
	To   string `json:"to"`
}

func dashboardOf(d Dashboard) dashboardAnswer {
	answer := dashboardAnswer{
		Day: d.Day, at: d.At,
		Today: todayBody{
			d.Today.Total, d.Today.New, d.Today.Approved, d.Today.InSession, d.Today.Completed, d.Today.Denied,
		},
		Stages:   stagesBody(d.Stages),
		Measured: measuredBody{WaitMinutes: d.WaitMinutes, Arrivals: d.Arrivals},
	}
	if hour, ok := d.Peak(); ok {
		answer.Measured.Peak = &peakHours{From: fmt.Sprintf("%02d:00", hour), To: fmt.Sprintf("%02d:00", hour+2)}
	}
	return answer
}

// Headers implements kithttp.Headerer.
func (a dashboardAnswer) Headers() http.Header { return positionHeader(a.at) }

// figuresAnswer has the figures of one consultant or one service in a period.
type figuresAnswer struct {
	Period   periodBody    `json:"period"`
	Totals   tallyBody     `json:"totals"`
	Days     []dayBody     `json:"days"`
	Partners []partnerBody `json:"partners"`
	at       feed.Position
}

type periodBody struct {
	Start string `json:"start"`
	End   string `json:"end"`
}

type tallyBody struct {
	Total          int      `json:"total_visits"`
	New            int      `json:"new_visits"`
	Approved       int      `json:"approved_visits"`
	InSession      int      `json:"in_session_visits"`
	Completed      int      `json:"completed_visits"`
	Denied         int      `json:"denied_visits"`
	WaitMinutes    *float64 `json:"avg_wait_minutes"`
	LongestWait    *float64 `json:"longest_wait_minutes"`
	SessionMinutes *float64 `json:"avg_session_minutes"`
	LongestSession *float64 `json:"longest_session_minutes"`
}

type dayBody struct {
	Day string `json:"day"`
	tallyBody
}

type partnerBody struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	tallyBody
}

func tallyOf(t Tally) tallyBody {
	return tallyBody{
		t.Total, t.New, t.Approved, t.InSession, t.Completed, t.Denied,
		t.WaitMinutes, t.LongestWait, t.SessionMinutes, t.LongestSession,
	}
}

func figuresOf(f Figures) figuresAnswer {
	answer := figuresAnswer{
		Period: periodBody(f.Days), Totals: tallyOf(f.Total), Days: make([]dayBody, len(f.ByDay)),
		Partners: make([]partnerBody, len(f.Partners)), at: f.At,
	}
	for i, day := range f.ByDay {
		answer.Days[i] = dayBody{day.Key, tallyOf(day.Tally)}
	}
	for i, partner := range f.Partners {
		answer.Partners[i] = partnerBody{partner.Key, partner.Name, tallyOf(partner.Tally)}
	}
	return answer
}

// Headers implements kithttp.Headerer.
func (a figuresAnswer) Headers() http.Header { return positionHeader(a.at) }

func positionHeader(at feed.Position) http.Header {
	return http.Header{feed.HeaderSeq: {at.Header(contract.SourceVisits)}}
}
