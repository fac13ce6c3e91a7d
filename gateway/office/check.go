package office

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	_ "time/tzdata" // the zone is known on a machine without a database of zones
)

// problems collects what is wrong, each with the key it is about.
type problems struct{ errs []error }

func (p *problems) when(bad bool, key, what string) {
	if bad {
		p.errs = append(p.errs, fmt.Errorf("key %s %s", key, what))
	}
}

func (p *problems) text(key, value string) {
	p.when(strings.TrimSpace(value) == "", key, "is empty")
}

func (p *problems) list(key string, values []string) {
	p.when(len(values) == 0, key, "has no entry")
	for i, value := range values {
		p.text(fmt.Sprintf("%s/%d", key, i), value)
	}
}

func (p *problems) oneOf(key, value string, allowed ...string) {
	p.when(!slices.Contains(allowed, value), key, "may be "+strings.Join(allowed, ", "))
}

func (d Document) check() error {
	var p problems
	d.checkWhoAndWhere(&p)
	d.checkHours(&p)
	d.checkOffer(&p)
	d.checkWords(&p)
	p.oneOf("/features/appointments", d.Features.Appointments, "live", "simulated")
	p.oneOf("/features/registration", d.Features.Registration, "open", "approval", "closed")
	p.oneOf("/theme", d.Theme, "light", "dark", "system")
	return errors.Join(p.errs...)
}

func (d Document) checkWhoAndWhere(p *problems) {
	p.text("/brand", d.Brand)
	p.text("/area", d.Area)
	p.text("/city", d.City)
	p.text("/phone", d.Phone)
	p.when(!strings.Contains(d.Email, "@"), "/email", "is no address")
	_, err := time.LoadLocation(d.TimeZone)
	p.when(d.TimeZone == "" || d.TimeZone == "Local" || err != nil, "/timeZone", "is no IANA time zone")
	p.list("/address", d.Address)
	p.list("/landmarks", d.Landmarks)
	p.text("/mapsQuery", d.MapsQuery)
}

func (d Document) checkHours(p *problems) {
	p.when(len(d.Hours) == 0, "/hours", "has no entry")
	for i, line := range d.Hours {
		key := fmt.Sprintf("/hours/%d", i)
		p.when(line.Weekdays() == nil, key+"/days", "is not a day or a range like Monday-Friday")
		p.when((line.Open == nil) != (line.Close == nil), key, "needs both open and close, or neither")
		if line.IsOpen() {
			p.when(Clock(*line.Open) == "", key+"/open", "is not a time like 9 AM")
			p.when(Clock(*line.Close) == "", key+"/close", "is not a time like 7 PM")
		}
	}
}

func (d Document) checkOffer(p *problems) {
	p.when(len(d.Services) == 0, "/services", "has no entry")
	for i, service := range d.Services {
		key := fmt.Sprintf("/services/%d", i)
		p.text(key+"/name", service.Name)
		p.when(service.EstMinutes < 1 || service.EstMinutes > 480, key+"/est_minutes", "is not from 1 to 480")
	}
	p.when(len(d.AppointmentSlots) == 0, "/appointmentSlots", "has no entry")
	for i, slot := range d.AppointmentSlots {
		t, err := time.Parse("15:04", slot)
		p.when(err != nil || t.Format("15:04") != slot, fmt.Sprintf("/appointmentSlots/%d", i), "is no time as 09:00")
	}
}

func (d Document) checkWords(p *problems) {
	p.text("/claims/clients", d.Claims.Clients)
	p.text("/claims/years", d.Claims.Years)
	p.text("/claims/support", d.Claims.Support)
	p.list("/certifications", d.Certifications)
	p.when(len(d.WhyUs) == 0, "/whyUs", "has no entry")
	for i, reason := range d.WhyUs {
		p.text(fmt.Sprintf("/whyUs/%d/title", i), reason.Title)
		p.text(fmt.Sprintf("/whyUs/%d/text", i), reason.Text)
	}
	p.when(d.PublishedWait < 0, "/publishedWait", "is less than 0")
	p.text("/publishedPeak", d.PublishedPeak)
	p.text("/notice/version", d.Notice.Version)
	p.text("/notice/title", d.Notice.Title)
	p.text("/notice/text", d.Notice.Text)
	p.text("/notice/contact", d.Notice.Contact)
}
