// Package office reads and validates the office document: the office's name, hours, texts, services and features.
// Unknown and missing keys are errors, so that a misspelt key is found at start; a few are optional, such as queue,
// languages, voice, board and the settings for visitors' own actions. Directory and the gateway's web server read the
// file with this package.
//
// Start with Document; ReadFile in read.go reads it, office.schema.json and check.go have the rules, opening.go has the
// days on which the office is open, and sections.go divides the document into the sections of the settings.
package office

import (
	"cmp"
	"slices"
	"strings"
	"time"
)

// Document describes the office: the content of the office file and of GET /api/office.
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
	Queue            Policy    `json:"queue"`
	Theme            string    `json:"theme"`
	Languages        []string  `json:"languages"` // offered languages; the first is the default

	// The certifications in other languages, by language and by the entry of Certifications; optional.
	CertificationTexts map[string]map[string]string `json:"certificationTexts,omitempty"`

	// Days that differ from Hours; optional.
	Yearly      []YearlyDay  `json:"yearly,omitempty"`
	SpecialDays []SpecialDay `json:"specialDays,omitempty"`

	Appointments Appointments `json:"appointments,omitzero"` // missing keys: DefaultAppointments

	// Settings for what visitors do themselves.
	CheckIn      string `json:"checkIn"`      // off, or confirm: reception confirms each self check-in
	Back         string `json:"back"`         // ask: a visitor who missed a call announces the return to reception
	Messages     string `json:"messages"`     // off, or on: visitors who agree get messages
	ArrivalsKept int    `json:"arrivalsKept"` // hours that an unaccepted request keeps the name; 0: as long as a visit

	MessageHours *MessageHours `json:"messageHours,omitempty"` // nil: DefaultMessageHours

	Voice *Voice `json:"voice,omitempty"` // nil: Order is Languages, Most is 2
	Board *Board `json:"board,omitempty"` // nil: no next tokens, and no text of the office

	Offline *Offline `json:"offline,omitempty"` // nil: off
}

// Offline says whether desks can be paired. A paired desk gives out its own tokens while the server is unavailable.
type Offline struct {
	On bool `json:"on"`
}

// MessageHours are the hours of the office's day in which messages are sent. Until is the first hour without messages.
type MessageHours struct {
	From  int `json:"from"`
	Until int `json:"until"`
}

// DefaultMessageHours are the hours of an office document without the key messageHours.
var DefaultMessageHours = MessageHours{From: 9, Until: 19}

// Includes reports whether messages may be sent in an hour of the day.
func (h MessageHours) Includes(hour int) bool { return hour >= h.From && hour < h.Until }

// Board has what the screens in the waiting room show besides calls.
type Board struct {
	Next   int    `json:"next"`   // number of next tokens
	Notice string `json:"notice"` // a line of text; "": the default text, which explains the screens
}

// Voice has the languages in which the board speaks a call: the visitor's, then those in Order.
type Voice struct {
	Order []string `json:"order"`
	Most  int      `json:"most"` // most languages of one call
}

// Languages are the languages of the screens, by BCP 47 tag. The web has a catalogue for each.
var Languages = []string{"en", "hi", "kn", "ta", "te", "mr"}

// Hours are the opening hours of some days of the week; Open and Close are nil for days on which the office is closed.
type Hours struct {
	Days   string  `json:"days"`
	Open   *string `json:"open"`
	Close  *string `json:"close"`
	Breaks []Break `json:"breaks,omitempty"` // ordered, none at Open or Close
}

// Break is a time between Open and Close in which the office is closed, from From until before To.
type Break struct {
	From string `json:"from"`
	To   string `json:"to"`
}

// IsOpen reports whether the office opens on these days.
func (h Hours) IsOpen() bool { return h.Open != nil && h.Close != nil }

var week = []string{"Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"}

// Weekdays returns the days of a list such as "Monday-Friday" or "Saturday, Sunday". It returns nil for any other text.
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

// Clock converts "9 AM" or "9:30 AM" to "09:00" or "09:30". It returns "" for a text that is no time.
func Clock(text string) string {
	for _, layout := range []string{"3 PM", "3:04 PM", "15:04"} {
		if t, err := time.Parse(layout, text); err == nil {
			return t.Format("15:04")
		}
	}
	return ""
}

// Claims are the figures on the landing page.
type Claims struct {
	Clients string `json:"clients"`
	Years   string `json:"years"`
	Support string `json:"support"`
}

// Reason is one entry of the landing page's "why choose us".
type Reason struct {
	Title string `json:"title"`
	Text  string `json:"text"`
	// Translations by language; optional.
	Texts map[string]ReasonText `json:"texts,omitempty"`
}

// ReasonText is a reason in another language. The reason's own text is shown for an empty field.
type ReasonText struct {
	Title string `json:"title"`
	Text  string `json:"text"`
}

// Service is an offered service. If the database has no service, the services of the file are stored in it.
type Service struct {
	Name        string `json:"name"`
	Description string `json:"description"`
	EstMinutes  int    `json:"est_minutes"`
	// Translations by language; optional.
	Texts map[string]ServiceText `json:"texts,omitempty"`
	// The papers that visitors bring; optional, and not on the office's pages.
	Documents []ServiceDocument `json:"documents,omitempty"`
}

// ServiceText is a service in another language. The service's own text is shown for an empty field.
type ServiceText struct {
	Name        string `json:"name"`
	Description string `json:"description"`
}

// ServiceDocument is a paper that visitors of a service bring.
type ServiceDocument struct {
	Key      string            `json:"key"`
	Label    string            `json:"label"`
	Required bool              `json:"required"`
	Labels   map[string]string `json:"labels"` // labels in other languages
}

// WithoutDocuments returns the document for the office's pages, without the papers of the services.
func (d Document) WithoutDocuments() Document {
	d.Services = slices.Clone(d.Services)
	for i := range d.Services {
		d.Services[i].Documents = nil
	}
	return d
}

// Notice is the privacy notice that visitors accept; its version is stored with each visit and appointment request.
type Notice struct {
	Version string `json:"version"`
	Title   string `json:"title"`
	Text    string `json:"text"`
	Contact string `json:"contact"`
	// The purposes of the data, shown below the text; optional.
	Purposes []Purpose `json:"purposes,omitempty"`
	// Children is a sentence on who registers a child; optional.
	Children string `json:"children,omitempty"`
	// Translations by language; optional.
	Translations map[string]NoticeText `json:"translations,omitempty"`
}

// NoticeText is the privacy notice in another language.
type NoticeText struct {
	Title    string    `json:"title"`
	Text     string    `json:"text"`
	Purposes []Purpose `json:"purposes,omitempty"`
	Children string    `json:"children,omitempty"`
}

// Purpose is what data is used for. Key is one of PurposeKeys.
type Purpose struct {
	Key   string `json:"key"`
	Title string `json:"title"`
	Text  string `json:"text"`
}

// PurposeKeys are the purposes that a notice can have: the visit itself, messages about it, contact afterwards.
var PurposeKeys = []string{"serve", "messages", "later"}

// NoticeLanguages are the languages in which a person may ask for the notice under the Digital Personal Data Protection
// Act, section 5(3): the languages of the Eighth Schedule to the Constitution, by their BCP 47 tag.
var NoticeLanguages = strings.Fields(
	"as bn brx doi gu hi kn ks kok mai ml mni mr ne or pa sa sat sd ta te ur")

// NoticeLanguage is the language of the notice's own text.
const NoticeLanguage = "en"

// NameIn returns the service's name in a language, or Name if the service has no translation to this language.
func (s Service) NameIn(language string) string { return cmp.Or(s.Texts[language].Name, s.Name) }

// In returns the document for a page in a language, without the translations to other languages.
func (d Document) In(language string) Document {
	d.Notice.Translations = only(d.Notice.Translations, language)
	d.CertificationTexts = only(d.CertificationTexts, language)
	d.Services = slices.Clone(d.Services)
	for i := range d.Services {
		d.Services[i].Texts = only(d.Services[i].Texts, language)
	}
	d.WhyUs = slices.Clone(d.WhyUs)
	for i := range d.WhyUs {
		d.WhyUs[i].Texts = only(d.WhyUs[i].Texts, language)
	}
	return d
}

// only returns a map with the translation to one language, nil if there is none.
func only[T any](translations map[string]T, language string) map[string]T {
	text, translated := translations[language]
	if !translated {
		return nil
	}
	return map[string]T{language: text}
}

// Features are the optional features that the office has enabled.
type Features struct {
	Appointments string `json:"appointments"`
	Registration string `json:"registration"`
	Debug        bool   `json:"debug"`
}

// The values of CheckIn, Back and Messages.
const (
	CheckInOff     = "off"
	CheckInConfirm = "confirm"
	BackAsk        = "ask"
	MessagesOff    = "off"
	MessagesOn     = "on"
)

// The values of Features.Appointments.
const (
	AppointmentsLive      = "live"
	AppointmentsSimulated = "simulated"
)
