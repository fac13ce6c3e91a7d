package calendar

import (
	"slices"
	"strings"
	"testing"
	"time"

	ical "github.com/arran4/golang-ical"
)

var at = time.Date(2026, 11, 30, 11, 0, 0, 0, time.FixedZone("IST", 5*3600+1800))

func entry() Entry {
	return Entry{
		ID: "01890000-0000-7000-8000-000000000001", Host: "baari.example", Sequence: 2, Changed: at.Add(-time.Hour),
		From: at, To: at.Add(45 * time.Minute), Summary: "ITR Filing, Lekha Tax; Advisory",
		Location:    "12, MG Road",
		Description: "ದಯವಿಟ್ಟು ತನ್ನಿ:\n- ಪ್ಯಾನ್\n- Form 16, ಇದ್ದರೆ\n" + strings.Repeat("ಪ್ಯಾನ್ ", 30),
		URL:         "https://baari.example/q/a/0123456789ABCDEFGHJK",
		Organizer:   "desk@lekha.example", Attendee: "asha@example.com",
	}
}

func TestAnInvitationHasEachPropertyOnceAndInUTC(t *testing.T) {
	text := Invitation(Request, entry())
	for _, want := range []string{
		"METHOD:REQUEST\r\n", "UID:01890000-0000-7000-8000-000000000001@baari.example\r\n", "SEQUENCE:2\r\n",
		"DTSTAMP:20261130T043000Z\r\n", "DTSTART:20261130T053000Z\r\n", "DTEND:20261130T061500Z\r\n",
		"SUMMARY:ITR Filing\\, Lekha Tax\\; Advisory\r\n", "LOCATION:12\\, MG Road\r\n", "STATUS:CONFIRMED\r\n",
		"ORGANIZER:mailto:desk@lekha.example\r\n", "ATTENDEE;RSVP=FALSE:mailto:asha@example.com\r\n",
		"URL:https://baari.example/q/a/0123456789ABCDEFGHJK\r\n",
	} {
		if strings.Count(text, want) != 1 {
			t.Errorf("%q is not there once:\n%s", want, text)
		}
	}
	if strings.Contains(text, "CN=") {
		t.Error("an address has a name")
	}
}

func TestLinesEndWithCRLFAndHaveAtMost75Octets(t *testing.T) {
	text := Invitation(Request, entry())
	ends := strings.Count(text, "\r\n")
	if strings.Count(text, "\n") != ends || strings.Count(text, "\r") != ends {
		t.Error("a line ends otherwise")
	}
	for line := range strings.SplitSeq(text, "\r\n") {
		if len(line) > 75 || strings.ToValidUTF8(line, "?") != line {
			t.Errorf("%d octets: %q", len(line), line)
		}
	}
}

func TestAnEntryIsReadAsItWasWritten(t *testing.T) {
	parsed, err := ical.ParseCalendar(strings.NewReader(Invitation(Request, entry())))
	if err != nil || len(parsed.Events()) != 1 {
		t.Fatal(parsed, err)
	}
	event := parsed.Events()[0]
	from, err := event.GetStartAt()
	if err != nil || !from.Equal(at) {
		t.Errorf("it begins at %v: %v", from, err)
	}
	got := event.GetProperty(ical.ComponentPropertyDescription).Value
	if want := strings.TrimSpace(entry().Description); got != want {
		t.Errorf("the description is %q, want %q", got, want)
	}
}

func TestACancelledEntryIsCancelledAndAPublishedOneHasNoAttendee(t *testing.T) {
	text := Invitation(Cancel, entry())
	if !strings.Contains(text, "METHOD:CANCEL\r\n") || !strings.Contains(text, "STATUS:CANCELLED\r\n") {
		t.Error(text)
	}
	text = Invitation(Publish, entry())
	if !strings.Contains(text, "METHOD:PUBLISH\r\n") || strings.Contains(text, "ATTENDEE") {
		t.Error(text)
	}
}

// A name or an address from a form cannot add a line of its own.
func TestAValueCannotAddALine(t *testing.T) {
	e := entry()
	e.Summary = "a\r\nATTACH:http://evil.example"
	e.Description, e.Location = "b\nORGANIZER:x\x00\x1b", "c\u2028\rURL:d"
	e.Attendee, e.Organizer, e.Host = "e@f.example\r\nATTACH:g", "h@i.example\nATTACH:j", "k\r\nATTACH:l"
	text := Invitation(Request, e)
	parsed, err := ical.ParseCalendar(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	names := []string{}
	for _, property := range parsed.Events()[0].Properties {
		names = append(names, property.IANAToken)
	}
	if slices.Contains(names, "ATTACH") || strings.Count(text, "\nORGANIZER") != 1 || strings.Count(text, "\nURL") != 1 {
		t.Errorf("%v\n%s", names, text)
	}
}

func TestAFeedDoesNotDependOnTheOrderOfItsEntries(t *testing.T) {
	first, second := entry(), entry()
	second.ID, second.From, second.To = "01890000-0000-7000-8000-000000000002", at.Add(-time.Hour), at
	text := Feed("Lekha, Tax", []Entry{first, second})
	if text != Feed("Lekha, Tax", []Entry{second, first}) {
		t.Error("the order changes the text")
	}
	if strings.Index(text, second.ID) > strings.Index(text, first.ID) {
		t.Error("a later entry comes first")
	}
	for _, want := range []string{
		"METHOD:PUBLISH\r\n", "X-WR-CALNAME:Lekha\\, Tax\r\n", "REFRESH-INTERVAL;VALUE=DURATION:PT15M\r\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing:\n%s", want, text)
		}
	}
	if text := Feed("Empty", nil); !strings.HasPrefix(text, "BEGIN:VCALENDAR\r\nVERSION:2.0\r\n") ||
		strings.Contains(text, "VEVENT") {
		t.Error(text)
	}
}
