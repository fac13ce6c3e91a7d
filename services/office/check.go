package office

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"
	_ "time/tzdata" // zones for machines without a time zone database
	"unicode/utf8"

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

// MaxArrivalsKept is the largest value of arrivalsKept, in hours: four years.
const MaxArrivalsKept = 4 * 365 * 24

var documentKey = regexp.MustCompile(`^[a-z0-9-]{1,40}$`)

// ValidDocumentKey reports whether key can be the key of a service's paper.
func ValidDocumentKey(key string) bool { return documentKey.MatchString(key) }

var slot = regexp.MustCompile(`^([01][0-9]|2[0-3]):[0-5][0-9]$`)

// Problem is a key of a document that is invalid. Key is a JSON pointer, and What continues "key /brand ".
type Problem struct{ Key, What string }

// Problems are the invalid keys of a document.
type Problems []Problem

// Error has a line for each problem.
func (p Problems) Error() string {
	lines := make([]string, len(p))
	for i, problem := range p {
		lines[i] = "key " + problem.Key + " " + problem.What
	}
	return strings.Join(lines, "\n")
}

// err returns the problems as an error, nil if there are none.
func (p Problems) err() error {
	if len(p) == 0 {
		return nil
	}
	return p
}

type problems struct{ list Problems }

func (p *problems) when(bad bool, key, what string) {
	if bad {
		p.list = append(p.list, Problem{key, what})
	}
}

func (p *problems) text(key, value string) {
	p.when(strings.TrimSpace(value) == "", key, "is empty")
}

func (p *problems) texts(key string, values []string) {
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
	d.checkAddress(&p)
	d.checkHours(&p)
	d.checkDays(&p)
	d.checkServices(&p)
	d.checkAppointments(&p)
	d.checkTexts(&p)
	d.Queue.check(&p)
	p.oneOf("/features/appointments", d.Features.Appointments, AppointmentsLive, AppointmentsSimulated)
	p.oneOf("/features/registration", d.Features.Registration, "open", "approval", "closed")
	d.checkLanguages(&p)
	p.oneOf("/checkIn", d.CheckIn, CheckInOff, CheckInConfirm)
	p.oneOf("/back", d.Back, BackAsk)
	p.oneOf("/messages", d.Messages, MessagesOff, MessagesOn)
	if h := d.MessageHours; h != nil {
		p.when(h.From < 0 || h.Until > 24 || h.From >= h.Until,
			"/messageHours", "is not from an hour to a later one, 0 to 24")
	}
	p.when(d.ArrivalsKept < 0 || d.ArrivalsKept > MaxArrivalsKept, "/arrivalsKept", "is not from 0 to 35040 hours")
	d.checkVoice(&p)
	d.checkBoard(&p)
	p.oneOf("/theme", d.Theme, "light", "dark", "system")
	return p.list.err()
}

// Bounds of the address.
const (
	maxAddressLines = 6
	maxLandmarks    = 8
)

func (d Document) checkAddress(p *problems) {
	p.text("/brand", d.Brand)
	p.text("/area", d.Area)
	p.text("/city", d.City)
	p.text("/phone", d.Phone)
	p.when(!strings.Contains(d.Email, "@"), "/email", "is no address")
	_, err := time.LoadLocation(d.TimeZone)
	p.when(d.TimeZone == "" || d.TimeZone == "Local" || err != nil, "/timeZone", "is no IANA time zone")
	p.texts("/address", d.Address)
	p.when(len(d.Address) > maxAddressLines, "/address", "has more than 6 entries")
	p.texts("/landmarks", d.Landmarks)
	p.when(len(d.Landmarks) > maxLandmarks, "/landmarks", "has more than 8 entries")
	p.text("/mapsQuery", d.MapsQuery)
}

func (d Document) checkServices(p *problems) {
	p.when(len(d.Services) == 0, "/services", "has no entry")
	names := map[string]bool{}
	for i, service := range d.Services {
		key := fmt.Sprintf("/services/%d", i)
		name := strings.ToLower(service.Name)
		p.text(key+"/name", service.Name)
		p.when(names[name], key+"/name", "is there twice")
		names[name] = true
		p.when(utf8.RuneCountInString(service.Name) > MaxServiceName, key+"/name", "is too long")
		p.when(utf8.RuneCountInString(service.Description) > MaxServiceDescription, key+"/description", "is too long")
		p.when(service.EstMinutes < 1 || service.EstMinutes > MaxServiceMinutes, key+"/est_minutes", "is not from 1 to 480")
		for language, text := range service.Texts {
			key := key + "/texts/" + language
			p.oneOf(key, language, Languages...)
			p.when(utf8.RuneCountInString(text.Name) > MaxServiceName, key+"/name", "is too long")
			p.when(utf8.RuneCountInString(text.Description) > MaxServiceDescription, key+"/description", "is too long")
		}
		service.checkDocuments(p, key+"/documents")
	}
}

func (s Service) checkDocuments(p *problems, key string) {
	p.when(len(s.Documents) > MaxServiceDocuments, key, "has more than 30 entries")
	keys := map[string]bool{}
	for i, document := range s.Documents {
		key := fmt.Sprintf("%s/%d", key, i)
		p.when(!ValidDocumentKey(document.Key), key+"/key", "is not 1 to 40 small letters, digits and hyphens")
		p.when(keys[document.Key], key+"/key", "is there twice")
		keys[document.Key] = true
		p.label(key+"/label", document.Label)
		for language, label := range document.Labels {
			p.oneOf(key+"/labels/"+language, language, Languages...)
			p.label(key+"/labels/"+language, label)
		}
	}
}

func (p *problems) label(key, label string) {
	p.text(key, label)
	p.when(utf8.RuneCountInString(label) > MaxDocumentLabel, key, "is too long")
}

func (d Document) checkAppointments(p *problems) {
	p.when(len(d.AppointmentSlots) == 0, "/appointmentSlots", "has no entry")
	for i, text := range d.AppointmentSlots {
		p.when(!slot.MatchString(text), fmt.Sprintf("/appointmentSlots/%d", i), "is no time as 09:00")
	}
	d.Appointments.check(p, d.AppointmentSlots)
}

func (d Document) checkLanguages(p *problems) {
	p.when(len(d.Languages) == 0, "/languages", "has no entry")
	for i, language := range d.Languages {
		key := fmt.Sprintf("/languages/%d", i)
		p.oneOf(key, language, Languages...)
		p.when(slices.Contains(d.Languages[:i], language), key, "is there twice")
	}
}

// mostSpoken is the largest number of languages in which a call is spoken: three languages take twelve seconds.
const mostSpoken = 3

func (d Document) checkVoice(p *problems) {
	if d.Voice == nil {
		return
	}
	p.when(len(d.Voice.Order) == 0, "/voice/order", "has no entry")
	for i, language := range d.Voice.Order {
		key := fmt.Sprintf("/voice/order/%d", i)
		p.oneOf(key, language, Languages...)
		p.when(slices.Contains(d.Voice.Order[:i], language), key, "is there twice")
	}
	p.when(d.Voice.Most < 1 || d.Voice.Most > mostSpoken, "/voice/most", "is not 1 to 3")
}

// Bounds of a board. Each fits on one line: mostNext tokens, and a notice of maxBoardNotice characters.
const (
	mostNext       = 4
	maxBoardNotice = 80
)

func (d Document) checkBoard(p *problems) {
	if d.Board == nil {
		return
	}
	p.when(d.Board.Next < 0 || d.Board.Next > mostNext, "/board/next", "is not from 0 to 4")
	p.when(utf8.RuneCountInString(d.Board.Notice) > maxBoardNotice, "/board/notice", "is too long")
}

func (d Document) checkTexts(p *problems) {
	p.text("/claims/clients", d.Claims.Clients)
	p.text("/claims/years", d.Claims.Years)
	p.text("/claims/support", d.Claims.Support)
	p.texts("/certifications", d.Certifications)
	p.when(len(d.WhyUs) == 0, "/whyUs", "has no entry")
	for i, reason := range d.WhyUs {
		p.text(fmt.Sprintf("/whyUs/%d/title", i), reason.Title)
		p.text(fmt.Sprintf("/whyUs/%d/text", i), reason.Text)
		for language := range reason.Texts {
			p.oneOf(fmt.Sprintf("/whyUs/%d/texts/%s", i, language), language, Languages...)
		}
	}
	d.checkCertificationTexts(p)
	p.when(d.PublishedWait < 0, "/publishedWait", "is less than 0")
	p.text("/publishedPeak", d.PublishedPeak)
	p.text("/notice/version", d.Notice.Version)
	p.text("/notice/title", d.Notice.Title)
	p.text("/notice/text", d.Notice.Text)
	p.text("/notice/contact", d.Notice.Contact)
	for language, text := range d.Notice.Translations {
		key := "/notice/translations/" + language
		p.oneOf(key, language, NoticeLanguages...)
		p.text(key+"/title", text.Title)
		p.text(key+"/text", text.Text)
		checkPurposes(p, key, text.Purposes)
	}
	checkPurposes(p, "/notice", d.Notice.Purposes)
	d.checkNoticeLanguages(p)
}

// checkCertificationTexts checks that each translation belongs to a certification.
func (d Document) checkCertificationTexts(p *problems) {
	for language, texts := range d.CertificationTexts {
		key := "/certificationTexts/" + language
		p.oneOf(key, language, Languages...)
		for certification, text := range texts {
			key := string(jsontext.Pointer(key).AppendToken(certification))
			p.when(!slices.Contains(d.Certifications, certification), key, "is no certification")
			p.text(key, text)
		}
	}
}

// checkNoticeLanguages checks that the notice is complete in each language that is offered to visitors. Section 5(3) of
// the Digital Personal Data Protection Act gives a person the choice of language. The notice's own text is English.
func (d Document) checkNoticeLanguages(p *problems) {
	for _, language := range d.Languages {
		if language == "en" {
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

// checkPurposes checks that each purpose of a notice or of its translation is valid and occurs once.
func checkPurposes(p *problems, key string, purposes []Purpose) {
	seen := map[string]bool{}
	for i, purpose := range purposes {
		key := fmt.Sprintf("%s/purposes/%d", key, i)
		p.oneOf(key+"/key", purpose.Key, PurposeKeys...)
		p.when(seen[purpose.Key], key+"/key", "is there twice")
		seen[purpose.Key] = true
		p.text(key+"/title", purpose.Title)
		p.text(key+"/text", purpose.Text)
	}
}
