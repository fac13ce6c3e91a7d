// Package office reads the office document, the one file that says who the office is, for the pages that the web server
// makes from it. It is as strict as the directory service, which reads the same file: both refuse what a page could not show.
package office

import (
	"slices"
	"strings"
	"time"
)

// Document is the office as its file describes it.
type Document struct {
	Brand            string    `json:"brand"`
	Area             string    `json:"area"`
	City             string    `json:"city"`
	Phone            string    `json:"phone"`
	Email            string    `json:"email"`
	TimeZone         string    `json:"timeZone"`
	Address          []string  `json:"address"`
	Landmarks        []string  `json:"landmarks"`
	MapsQuery        string    `json:"mapsQuery"`
	Hours            []Hours   `json:"hours"`
	Claims           Claims    `json:"claims"`
	Certifications   []string  `json:"certifications"`
	WhyUs            []Reason  `json:"whyUs"`
	Services         []Service `json:"services"`
	AppointmentSlots []string  `json:"appointmentSlots"`
	PublishedWait    int       `json:"publishedWait"`
	PublishedPeak    string    `json:"publishedPeak"`
	Notice           Notice    `json:"notice"`
	Features         Features  `json:"features"`
	Theme            string    `json:"theme"`
}

// Claims are what the landing page says of the office.
type Claims struct {
	Clients string `json:"clients"`
	Years   string `json:"years"`
	Support string `json:"support"`
}

// Reason is one answer to "why choose us".
type Reason struct {
	Title string `json:"title"`
	Text  string `json:"text"`
}

// Service is something the office offers.
type Service struct {
	Name        string `json:"name"`
	Description string `json:"description"`
	EstMinutes  int    `json:"est_minutes"`
}

// Notice is the privacy notice under which requests are taken.
type Notice struct {
	Version string `json:"version"`
	Title   string `json:"title"`
	Text    string `json:"text"`
	Contact string `json:"contact"`
}

// Features are what the office has switched on.
type Features struct {
	Appointments string `json:"appointments"`
	Registration string `json:"registration"`
	Debug        bool   `json:"debug"`
}

// Hours is one line of the office hours; no open and no close is a closed day.
type Hours struct {
	Days  string  `json:"days"`
	Open  *string `json:"open"`
	Close *string `json:"close"`
}

// IsOpen tells a day with hours from a closed one.
func (h Hours) IsOpen() bool { return h.Open != nil && h.Close != nil }

var week = []string{"Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"}

// Weekdays returns the days of a line such as "Monday-Friday" or "Saturday, Sunday", nil when it is neither.
func (h Hours) Weekdays() []string {
	var days []string
	for part := range strings.SplitSeq(h.Days, ",") {
		from, to, isRange := strings.Cut(strings.TrimSpace(part), "-")
		first := slices.Index(week, strings.TrimSpace(from))
		last := first
		if isRange {
			last = slices.Index(week, strings.TrimSpace(to))
		}
		if first < 0 || last < first {
			return nil
		}
		days = append(days, week[first:last+1]...)
	}
	return days
}

// Clock turns "9 AM" or "9:30 AM" into 09:00 or 09:30, and anything else into "".
func Clock(text string) string {
	for _, layout := range []string{"3 PM", "3:04 PM", "15:04"} {
		if t, err := time.Parse(layout, text); err == nil {
			return t.Format("15:04")
		}
	}
	return ""
}
