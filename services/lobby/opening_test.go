package lobby

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus/testutil"

	"baari.dev/services/contract"
	"baari.dev/services/lobby/page"
	"baari.dev/services/office"
	"baari.dev/services/platform/feed"
	"baari.dev/services/platform/testkit"
)

// closedOn returns an edit of the office document: the office is closed on a day.
func closedOn(day time.Time) func(map[string]any) {
	return func(document map[string]any) {
		document["specialDays"] = []map[string]any{
			{"date": day.Format(time.DateOnly), "name": "Holi", "open": nil, "close": nil},
		}
	}
}

func named(brand string) func(map[string]any) {
	return func(document map[string]any) { document["brand"] = brand }
}

// On a day on which the office is closed, the poster's page says in each language when it opens next, and takes no
// request.
func TestOnAClosedDayThePosterSaysWhenTheOfficeOpens(t *testing.T) {
	p := newPorch(t)
	today := time.Now().In(kolkata)
	p.publishVersion(1, closedOn(today))
	tomorrow := today.AddDate(0, 0, 1)
	for language, want := range map[string]string{
		"en": tomorrow.Format("It opens on Monday, 2/1 at 00:00."), "hi": "कार्यालय आज बंद है", "kn": "ಕಚೇರಿ ಇಂದು ಮುಚ್ಚಿದೆ",
		"ta": "அலுவலகம் இன்று மூடியுள்ளது", "te": "కార్యాలయం ఈ రోజు మూసి ఉంది", "mr": "कार्यालय आज बंद आहे",
	} {
		html := p.get("/q/join?lang=" + language).Body.String()
		day := tomorrow.Format("2/1")
		if !strings.Contains(html, want) || !strings.Contains(html, day) || strings.Contains(html, "<form") {
			t.Errorf("in %s the page is\n%s", language, html)
		}
	}
	if w := p.joins(); w.Code != http.StatusBadRequest || strings.Contains(w.Body.String(), "<form") {
		t.Errorf("a request is answered with %d\n%s", w.Code, w.Body)
	}
	if n := len(p.arrivals("reception").Arrivals); n != 0 {
		t.Errorf("%d requests are stored", n)
	}
	p.publishVersion(2, closedOn(tomorrow))
	if w := p.joins(); w.Code != http.StatusSeeOther {
		t.Errorf("on an open day a request is answered with %d\n%s", w.Code, w.Body)
	}
}

// An office that does not open again takes no request, and names no day.
func TestAnOfficeThatStaysClosedTakesNothing(t *testing.T) {
	p := newPorch(t)
	p.publishVersion(1, func(document map[string]any) {
		document["hours"] = []map[string]any{{"days": "Monday-Sunday", "open": nil, "close": nil}}
	})
	html := p.get("/q/join?lang=en").Body.String()
	if !strings.Contains(html, ">The office is closed today.<") || strings.Contains(html, "<form") {
		t.Errorf("the page is\n%s", html)
	}
	if w := p.joins(); w.Code != http.StatusBadRequest || len(p.arrivals("reception").Arrivals) != 0 {
		t.Errorf("a request is answered with %d\n%s", w.Code, w.Body)
	}
}

// The next opening is the first span of the next day that has one, also after holidays and on a day with hours of its
// own. Without known hours the office counts as open. Without a day on which it opens it is closed.
func TestWhenTheOfficeOpensNext(t *testing.T) {
	open, shut, late := "9 AM", "5 PM", "10:30 AM"
	hours := []office.Hours{{Days: "Monday-Friday", Open: &open, Close: &shut}, {Days: "Saturday-Sunday"}}
	holidays := officeCopy{
		Hours:       hours,
		Yearly:      []office.YearlyDay{{Month: 1, Day: 26, Name: "Republic Day"}},
		SpecialDays: []office.SpecialDay{{Date: "2027-01-25"}, {Date: "2027-01-27", Open: &late, Close: &shut}},
	}
	for at, want := range map[string]string{
		"2027-01-22 23:59": "", "2027-01-23 00:00": "2027-01-27 10:30", "2027-01-25 12:00": "2027-01-27 10:30",
		"2027-01-26 12:00": "2027-01-27 10:30", "2027-01-27 08:00": "", "2027-01-30 12:00": "2027-02-01 09:00",
	} {
		now, err := time.ParseInLocation("2006-01-02 15:04", at, kolkata)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if opens := holidays.opensAfter(now); opens != nil {
			got = opens.Day.Format(time.DateOnly) + " " + opens.Time
		}
		if got != want {
			t.Errorf("at %s the office opens %q, want %q", at, got, want)
		}
	}
	saturday := time.Date(2027, 1, 23, 12, 0, 0, 0, kolkata)
	if opens := (officeCopy{}).opensAfter(saturday); opens != nil {
		t.Errorf("without known hours it opens %v", opens)
	}
	never := officeCopy{Hours: []office.Hours{{Days: "Monday-Sunday"}}}
	if opens := never.opensAfter(saturday); opens == nil || *opens != (page.Opening{}) {
		t.Errorf("an office that does not open again opens %v", opens)
	}
	day := func(date string) time.Time { return holidays.closing(date, kolkata) }
	if got := day("2027-01-26"); !got.Equal(time.Date(2027, 1, 27, 0, 0, 0, 0, kolkata)) {
		t.Errorf("a holiday closes at %s", got)
	}
	if got := day("2027-01-27"); !got.Equal(time.Date(2027, 1, 27, 17, 0, 0, 0, kolkata)) {
		t.Errorf("a single day closes at %s", got)
	}
}

func (p *porch) awaitBrand(brand string) {
	p.t.Helper()
	testkit.Eventually(p.t, "the office is "+brand, func() bool {
		document, err := p.store.office(p.t.Context())
		return err == nil && document.Brand == brand
	})
}

// A lower version does not replace the stored one. A new epoch of directory has its own versions. A version that a
// replica of the previous release has skipped, or has replaced without its number, is stored when the events are read
// again.
func TestTheNewestVersionOfTheOfficeIsStored(t *testing.T) {
	p := newPorch(t)
	p.publishVersion(4, named("Hisab"))
	p.awaitBrand("Hisab")
	p.publishVersion(3, named("Lekha"))
	p.publishVersion(0, named("Lekha"))
	if p.awaitBrand("Hisab"); testutil.ToFloat64(office.VersionCollector(p.store.officeVersion)) != 4 {
		t.Error("the metric has another version than 4")
	}
	reader := feed.NewReader(p.office.Client(contract.SourceLobby))
	for _, version := range []int{3, 4} {
		const left = `UPDATE office SET version = $1, document = document || '{"brand":"Lekha"}'`
		if _, err := p.db.Owner(t).Exec(t.Context(), left, version); err != nil {
			t.Fatal(err)
		}
		if err := p.FollowDirectory().Reread(t.Context(), reader, contract.EntityOffice); err != nil {
			t.Fatal(err)
		}
		p.awaitBrand("Hisab")
	}

	p.office.BeginEmpty(t)
	p.publishVersion(2, named("Lekha"))
	p.awaitBrand("Lekha")
}
