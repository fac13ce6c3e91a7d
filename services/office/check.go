package office

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"
	_ "time/tzdata" // zones for machines without a time zone database

	"github.com/go-json-experiment/json/jsontext"
)

// Bounds of an offered service, the same as for POST /api/services.
const (
	MaxServiceName        = 80
	MaxServiceDescription = 500
	MaxServiceMinutes     = 480
	MaxServiceDocuments   = 30
	MaxDocumentLabel      = 120
)

var documentKey = regexp.MustCompile(`^[a-z0-9-]{1,40}$`)

// ValidDocumentKey reports whether key can be the key of a service's paper.
func ValidDocumentKey(key string) bool { return documentKey.MatchString(key) }

// check checks the rules that Schema cannot express: those of times, and those between several keys.
func (d Document) check() error {
	var p Problems
	_, err := time.LoadLocation(d.TimeZone)
	p.when(d.TimeZone == "Local" || err != nil, "/timeZone", "is no IANA time zone")
	d.checkHours(&p)
	d.checkDays(&p)
	d.checkServices(&p)
	d.checkAppointments(&p)
	d.checkNotice(&p)
	missed := d.Queue.AutoMissAfterSeconds
	p.when(missed != 0 && missed < minAutoMissSeconds, "/queue/autoMissAfterSeconds", "is neither 0 nor 60 or more")
	if h := d.MessageHours; h != nil {
		p.when(h.From >= h.Until, "/messageHours", "is not from an hour to a later one")
	}
	for language, texts := range d.CertificationTexts {
		key := jsontext.Pointer("/certificationTexts/" + language)
		for certification := range texts {
			p.when(!slices.Contains(d.Certifications, certification), string(key.AppendToken(certification)),
				"is no certification")
		}
	}
	slices.SortStableFunc(p, func(a, b Problem) int { return strings.Compare(a.Key, b.Key) })
	return p.err()
}

const (
	minAutoMissSeconds = 60
	minRemindMinutes   = 30
)

func (d Document) checkServices(p *Problems) {
	names := make([]string, len(d.Services))
	for i, service := range d.Services {
		names[i] = strings.ToLower(service.Name)
		keys := make([]string, len(service.Documents))
		for j, document := range service.Documents {
			keys[j] = document.Key
		}
		p.duplicates(keys, func(j int) string { return fmt.Sprintf("/services/%d/documents/%d/key", i, j) })
	}
	p.duplicates(names, func(i int) string { return fmt.Sprintf("/services/%d/name", i) })
}

func (d Document) checkAppointments(p *Problems) {
	p.duplicates(d.AppointmentSlots, func(i int) string { return fmt.Sprintf("/appointmentSlots/%d", i) })
	for at := range d.Appointments.ByTime {
		key := jsontext.Pointer("/appointments/byTime").AppendToken(at)
		p.when(!slices.Contains(d.AppointmentSlots, at), string(key), "is no time of appointmentSlots")
	}
	second := d.Appointments.RemindMinutesBefore
	p.when(second != 0 && second < minRemindMinutes, "/appointments/remindMinutesBefore", "is neither 0 nor 30 or more")
}

// checkNotice checks that each purpose occurs once, and that the notice is complete in each language that is offered to
// visitors. Section 5(3) of the Digital Personal Data Protection Act gives a person the choice of language. The own
// text of the notice is English.
func (d Document) checkNotice(p *Problems) {
	p.purposes("/notice", d.Notice.Purposes)
	for language, text := range d.Notice.Translations {
		p.purposes("/notice/translations/"+language, text.Purposes)
	}
	for _, language := range d.Languages {
		if language == NoticeLanguage {
			continue
		}
		key := "/notice/translations/" + language
		text, translated := d.Notice.Translations[language]
		p.when(!translated, key, "is not there, and visitors are offered this language")
		for _, purpose := range d.Notice.Purposes {
			there := slices.ContainsFunc(text.Purposes, func(one Purpose) bool { return one.Key == purpose.Key })
			p.when(translated && !there, key+"/purposes", "has no "+purpose.Key)
		}
		p.when(translated && d.Notice.Children != "" && strings.TrimSpace(text.Children) == "",
			key+"/children", "is empty")
	}
}

func (p *Problems) purposes(key string, purposes []Purpose) {
	keys := make([]string, len(purposes))
	for i, purpose := range purposes {
		keys[i] = purpose.Key
	}
	p.duplicates(keys, func(i int) string { return fmt.Sprintf("%s/purposes/%d/key", key, i) })
}
