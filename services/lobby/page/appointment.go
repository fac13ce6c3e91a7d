package page

import (
	"bytes"
	_ "embed"
	"html/template"
)

//go:embed appointment.html
var appointmentHTML string

var booked = template.Must(template.New("appointment").Funcs(function).Parse(appointmentHTML))

// Appointment is the page of an appointment. It has nothing about the person.
type Appointment struct {
	Code, Language string
	Offered        []string // languages of the office
	Office, Phone  string
	Address        []string
	Map            string // address of a map that shows the office, "" for none
	Status         string // as the contract has it
	Service        string
	Day, Time      string
	Papers         []Paper

	Changes    bool // the client can change the appointment
	Late       bool // it is too late for that
	MovesUsed  bool // the client has moved it as often as allowed
	Entry      bool // there is an entry for the calendar
	CanBeQuiet bool // reminders may be sent
	Quiet      bool // the client wants none

	Moving     bool // the page offers Days
	Days       []FreeDay
	Taken      bool // the slot that the client chose is full
	Cancelling bool // the page asks whether to cancel
}

// Paper is a paper to bring.
type Paper struct {
	Label    string
	Required bool
}

// FreeDay is a day with free times.
type FreeDay struct {
	Date  string // YYYY-MM-DD
	Name  string
	Times []string
}

// T returns the text of a key, with the office's phone and the day in their places.
func (a Appointment) T(key string) string {
	return text(a.Language, key, "phone", a.Phone, "day", a.Day)
}

// Word returns the sentence about the state of the appointment.
func (a Appointment) Word() string {
	key, known := map[string]string{
		"pending": "managePending", "confirmed": "manageConfirmed", "cancelled": "manageCancelled",
		"declined": "manageDeclined", "no-show": "manageMissed",
	}[a.Status]
	if !known {
		key = "manageOver"
	}
	return a.T(key)
}

// Render returns the HTML of the page.
func (a Appointment) Render() ([]byte, error) {
	var out bytes.Buffer
	err := booked.Execute(&out, struct {
		Appointment
		Style template.CSS
	}{a, style})
	return out.Bytes(), err
}
