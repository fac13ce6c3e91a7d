package webserver

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"
)

// Office is the office document as far as the head of the page needs it. The other keys are known but left unread: the
// directory service checks them.
type Office struct {
	Brand    string   `json:"brand"`
	Area     string   `json:"area"`
	City     string   `json:"city"`
	Phone    string   `json:"phone"`
	Email    string   `json:"email"`
	Address  []string `json:"address"`
	Hours    []hours  `json:"hours"`
	Services []struct {
		Name        string `json:"name"`
		Description string `json:"description"`
		EstMinutes  int    `json:"est_minutes"`
	} `json:"services"`

	TimeZone         json.RawMessage `json:"timeZone"`
	Landmarks        json.RawMessage `json:"landmarks"`
	MapsQuery        json.RawMessage `json:"mapsQuery"`
	Claims           json.RawMessage `json:"claims"`
	Certifications   json.RawMessage `json:"certifications"`
	WhyUs            json.RawMessage `json:"whyUs"`
	AppointmentSlots json.RawMessage `json:"appointmentSlots"`
	PublishedWait    json.RawMessage `json:"publishedWait"`
	PublishedPeak    json.RawMessage `json:"publishedPeak"`
	Notice           json.RawMessage `json:"notice"`
	Features         json.RawMessage `json:"features"`
	Theme            json.RawMessage `json:"theme"`
}

// hours is one line of the office hours; no open and no close is a closed day.
type hours struct {
	Days  string  `json:"days"`
	Open  *string `json:"open"`
	Close *string `json:"close"`
}

// readOffice returns the office and the document itself. Its error names the key that is unknown, missing or bad.
func readOffice(name string) (Office, []byte, error) {
	document, err := os.ReadFile(name)
	if err != nil {
		return Office{}, nil, fmt.Errorf("OFFICE_FILE: %w", err)
	}
	office, err := parseOffice(document)
	if err != nil {
		return Office{}, nil, fmt.Errorf("OFFICE_FILE: %w", err)
	}
	return office, document, nil
}

func parseOffice(document []byte) (Office, error) {
	var office Office
	decoder := json.NewDecoder(bytes.NewReader(document))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&office); err != nil {
		return Office{}, err
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return Office{}, errors.New("something follows the document")
	}
	return office, office.check()
}

func (o Office) check() error {
	var faults []error
	required := []struct{ key, value string }{{"brand", o.Brand}, {"area", o.Area}, {"city", o.City}, {"phone", o.Phone}}
	for _, text := range required {
		if strings.TrimSpace(text.value) == "" {
			faults = append(faults, fmt.Errorf("%s: missing", text.key))
		}
	}
	for i, line := range o.Hours {
		if err := line.check(); err != nil {
			faults = append(faults, fmt.Errorf("hours[%d].%w", i, err))
		}
	}
	for i, service := range o.Services {
		if service.Name == "" {
			faults = append(faults, fmt.Errorf("services[%d].name: missing", i))
		}
	}
	return errors.Join(faults...)
}

func (h hours) check() error {
	if h.weekdays() == nil {
		return fmt.Errorf("days: %q is not a day or a range like Monday-Friday", h.Days)
	}
	if (h.Open == nil) != (h.Close == nil) {
		return errors.New("close: open and close are both given, or both null for a closed day")
	}
	if h.isOpen() && clock(*h.Open) == "" {
		return fmt.Errorf("open: %q is not a time like 9 AM", *h.Open)
	}
	if h.isOpen() && clock(*h.Close) == "" {
		return fmt.Errorf("close: %q is not a time like 7 PM", *h.Close)
	}
	return nil
}

func (h hours) isOpen() bool { return h.Open != nil && h.Close != nil }

var week = []string{"Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"}

// weekdays returns the days of a line such as "Monday-Friday" or "Saturday, Sunday", nil when it is neither.
func (h hours) weekdays() []string {
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

// clock turns "9 AM" or "9:30 AM" into 09:00 or 09:30, and anything else into "".
func clock(text string) string {
	for _, layout := range []string{"3 PM", "3:04 PM", "15:04"} {
		if t, err := time.Parse(layout, text); err == nil {
			return t.Format("15:04")
		}
	}
	return ""
}
