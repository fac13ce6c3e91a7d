package page

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

var noon = time.Date(2026, 11, 24, 12, 0, 0, 0, time.UTC)

func at(minutes int) *time.Time {
	t := noon.Add(time.Duration(minutes) * time.Minute)
	return &t
}

func people(n int) *int { return &n }

// full returns a page with everything that it can show to a waiting visitor.
func full(language string) View {
	return View{
		Code: "0123456789ABCDEFGHJK", Language: language, Office: "Lekha Tax & Advisory", Phone: "080 0000 0142",
		Offered: []string{"en", "hi", "kn", "ta", "te", "mr"}, Zone: time.UTC, At: noon,
		Facts: Facts{
			Token: "T-014", TokenAlso: "A-003", Stage: "waiting", Service: "ITR Filing",
			Ahead: people(5), From: at(40), To: at(65), Early: true,
			Now: []Call{{"T-009", "3"}, {"T-008", "12"}, {"T-007", ""}, {"T-006", "A"}},
		},
	}
}

var placeholder = regexp.MustCompile(`\{[a-z]+\}`)

func TestTheTextsHaveTheSameKeysAndPlacesInEachLanguage(t *testing.T) {
	keys := slices.Sorted(maps.Keys(texts[English]))
	if len(texts) != len(names) {
		t.Errorf("%d languages have texts, %d names", len(texts), len(names))
	}
	for language := range names {
		if got := slices.Sorted(maps.Keys(texts[language])); !slices.Equal(got, keys) {
			t.Errorf("%s has other keys than English: %v", language, got)
		}
		for key, text := range texts[language] {
			want := slices.Sorted(slices.Values(placeholder.FindAllString(texts[English][key], -1)))
			got := slices.Sorted(slices.Values(placeholder.FindAllString(text, -1)))
			if !slices.Equal(got, want) || strings.TrimSpace(text) != text || text == "" {
				t.Errorf("%s, %s: %q has the places %v, English %v", language, key, text, got, want)
			}
			if language != English && text == texts[English][key] {
				t.Errorf("%s, %s is English", language, key)
			}
		}
	}
	for _, reason := range []string{"papers", "payment", "person", "late", "other"} {
		if texts[English]["reason_"+reason] == "" {
			t.Errorf("the reason %s has no text", reason)
		}
	}
}

func TestEachStageHasItsStateAndButtons(t *testing.T) {
	for _, c := range []struct {
		name              string
		facts             Facts
		want              State
		late, leave, here bool
		returns           bool
	}{
		{"new", Facts{Stage: "new"}, Received, false, true, false, false},
		{"far", Facts{Stage: "waiting", Ahead: people(3), From: at(11)}, Waiting, true, true, false, false},
		{"unknown place", Facts{Stage: "waiting"}, Waiting, true, true, false, false},
		{"two ahead", Facts{Stage: "waiting", Ahead: people(2), From: at(60)}, Near, true, true, false, false},
		{"in ten minutes", Facts{Stage: "waiting", Ahead: people(9), From: at(10)}, Near, true, true, false, false},
		{"late before", Facts{Stage: "waiting", LateUsed: true}, Waiting, false, true, false, false},
		{"called", Facts{Stage: "called"}, Called, false, false, false, false},
		{"missed", Facts{Stage: "missed"}, Missed, false, true, false, false},
		{"missed, and back", Facts{Stage: "missed", BackAsked: true}, Missed, false, true, false, false},
		{"late", Facts{Stage: "held", HeldReason: "late"}, Held, false, true, true, false},
		{"papers", Facts{Stage: "held", HeldReason: "papers"}, Held, false, true, false, false},
		{"session", Facts{Stage: "in-session"}, InSession, false, false, false, false},
		{"completed", Facts{Stage: "completed"}, Done, false, false, false, false},
		{"denied", Facts{Stage: "denied"}, Denied, false, false, false, false},
		{"left", Facts{Stage: "left", LeftByVisitor: true, EndedAt: at(-9)}, Left, false, false, false, true},
		{"left long ago", Facts{Stage: "left", LeftByVisitor: true, EndedAt: at(-10)}, Left, false, false, false, false},
		{"left at the desk", Facts{Stage: "left", EndedAt: at(0)}, Left, false, false, false, false},
		{"swept", Facts{Stage: "no-show", EndedAt: at(0)}, Left, false, false, false, false},
	} {
		f := c.facts
		if got := f.StateOf(noon); got != c.want {
			t.Errorf("%s is %s, want %s", c.name, got, c.want)
		}
		if f.CanBeLate() != c.late || f.CanLeave() != c.leave || f.CanEndHold() != c.here || f.CanReturn(noon) != c.returns {
			t.Errorf("%s has other buttons", c.name)
		}
		if back := c.name == "missed"; f.CanAskBack() != back {
			t.Errorf("%s offers to be back: %v", c.name, !back)
		}
	}
}

func TestThePageSaysARangeAndTheLastCalls(t *testing.T) {
	html := render(t, full("en"))
	for _, want := range []string{
		"12:40 - 13:05 (first estimate)", "5 people are before you.", "T-009 → 3, T-008 → 12, T-007, T-006 → A",
		"You are in the line.", `action="/q/0123456789ABCDEFGHJK/late"`, `value="30"`, `value="kn" lang="kn"`,
		`<style nonce="abc">`, `data-next="20"`, "tel:080", "<h1>T-014</h1>", "Your slip says A-003.",
	} {
		if !strings.Contains(html, want) {
			t.Errorf("the page does not have %q:\n%s", want, html)
		}
	}
	called := full("en")
	called.Facts = Facts{Token: "T-014", Stage: "called", Counter: "3", CalledAt: at(0)}
	first := *called.Summary().Called
	called.Facts.CalledAt = at(1)
	if html := render(t, called); !strings.Contains(html, "Please go to counter 3 now.") ||
		!strings.Contains(html, `data-state="called"`) || *called.Summary().Called == first {
		t.Errorf("a second call is the first: %s", html)
	}
	held := full("en")
	held.Facts = Facts{Stage: "held", HeldReason: "late", HeldUntil: at(20)}
	if html := render(t, held); !strings.Contains(html, "You are on hold: you come later.") ||
		!strings.Contains(html, "at 12:20 at the latest") {
		t.Errorf("a hold: %s", html)
	}
}

func render(t *testing.T, v View) string {
	t.Helper()
	html, err := Render(v, "abc")
	if err != nil {
		t.Fatal(err)
	}
	return string(html)
}

func TestTheValuesOfAPageAreEscaped(t *testing.T) {
	v := full("en")
	v.Office, v.Phone, v.Facts.Service = `<b>"o`, `1"><script>`, `<script>alert(1)</script>`
	v.Facts.Now = []Call{{"T-009", "<i>"}}
	if html := render(t, v); strings.Contains(html, "<b>") || strings.Contains(html, "<script>") ||
		strings.Contains(html, "<i>") {
		t.Errorf("a value is markup:\n%s", html)
	}
}

const (
	mostPage   = 6 << 10 // bytes of HTML and style, compressed
	mostScript = 2 << 10
	mostState  = 400 // bytes of a response for the script, with its headers
)

func TestThePageFitsASlowNetwork(t *testing.T) {
	for language := range names {
		if n := zipped(t, []byte(render(t, full(language)))); n > mostPage {
			t.Errorf("the page in %s has %d bytes", language, n)
		}
	}
	for language := range names {
		html, err := fullJoin(language).Render()
		if n := zipped(t, html); err != nil || n > mostPage {
			t.Errorf("the page of the poster in %s has %d bytes: %v", language, n, err)
		}
	}
	for language := range names {
		html, err := fullData(language).Render()
		if n := zipped(t, html); err != nil || n > mostPage {
			t.Errorf("the page of the data in %s has %d bytes: %v", language, n, err)
		}
	}
	if n := zipped(t, Script); n > mostScript {
		t.Errorf("the script has %d bytes", n)
	}
	state, err := json.Marshal(full("kn").Summary())
	if err != nil || len(state) > mostState-100 {
		t.Errorf("a state has %d bytes: %v", len(state), err)
	}
}

// fullJoin returns a page of the poster with a long notice, twelve services, and an error in each field.
func fullJoin(language string) Join {
	j := Join{
		Language: language, Offered: full(language).Offered, Office: "Lekha Tax & Advisory", Chosen: true,
		Notice: NoticeText{
			Language: language, Version: "2026-11", Title: text(language, "joinTitle"), Contact: "desk@lekha.example",
		},
		Problems: map[string]string{
			"name": "joinNameWrong", "phone": "joinPhoneWrong", "service_id": "joinServiceWrong",
		},
	}
	for i, key := range slices.Sorted(maps.Keys(texts[language])) {
		j.Notice.Paragraphs = append(j.Notice.Paragraphs, texts[language][key])
		if i < 12 {
			j.Services = append(j.Services, Choice{fmt.Sprintf("01890000-0000-7000-8000-%012d", i), texts[language][key]})
		}
	}
	return j
}

// fullData returns the page "Your data" with a long text and an error in each field.
func fullData(language string) Data {
	return Data{
		Code: "0123456789ABCDEFGHJK", Language: language, Office: "Lekha Tax & Advisory", Contact: "desk@lekha.example",
		Agreed: true, Pushed: true, Sent: true, Values: Asking{"grievance", strings.Repeat(text(language, "gone"), 10)},
		Problems: map[string]string{"text": "askTextWrong", "last4": "askLast4Wrong"},
	}
}

func zipped(t *testing.T, data []byte) int {
	t.Helper()
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	if _, err := w.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Len()
}

// A notice is the same for all visitors, so the policy names its style by hash, not by a nonce.
func TestANoticeDependsOnItsLanguageAlone(t *testing.T) {
	for _, n := range []Notice{NotFound, Gone, TooMany, Foreign, Unavailable} {
		for language := range names {
			html, err := n.Render(language)
			if err != nil || !bytes.Contains(html, []byte(texts[language][string(n)])) ||
				!bytes.Contains(html, []byte("<style>"+style+"</style>")) || bytes.Contains(html, []byte("<script")) {
				t.Errorf("%s in %s: %v\n%s", n, language, err, html)
			}
		}
	}
}

// The script's address has a digest. The script that is sent is the file without comments and indents.
func TestTheScriptsAddressChangesWithIt(t *testing.T) {
	form := regexp.MustCompile(`^/q/page\.js\?v=[0-9a-f]{8}$`)
	if !form.MatchString(ScriptPath) {
		t.Error(ScriptPath)
	}
	code := []string{}
	for line := range strings.Lines(string(pageScript)) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "//") {
			code = append(code, line)
		}
	}
	if got := strings.TrimSpace(string(Script)); got != strings.Join(code, "\n") {
		t.Errorf("the script is\n%s", got)
	}
}

// fullAppointment returns a page of an appointment with everything that it can show: its facts, or the times to choose.
func fullAppointment(language string, moving bool) Appointment {
	a := Appointment{
		Code: "0123456789ABCDEFGHJK", Language: language, Offered: full(language).Offered, Office: "Lekha Tax & Advisory",
		Phone: "080 0000 0142", Address: []string{"12, MG Road", "Bengaluru 560001"}, Map: "https://maps.example/?q=Lekha",
		Status: "confirmed", Service: text(language, "manageTitle"), Day: text(language, "day_1") + ", 30/11/2026",
		Time: "11:00", Changes: true, Entry: true, CanBeQuiet: true, Moving: moving, Taken: moving,
	}
	for i := range 14 {
		a.Papers = append(a.Papers, Paper{text(language, "day_"+fmt.Sprint(i%7)), i%2 == 0})
		day := FreeDay{Date: fmt.Sprintf("2026-12-%02d", i+1), Name: fmt.Sprintf("%s, %d/12/2026", a.Papers[i].Label, i+1)}
		for hour := 9; hour < 18; hour++ {
			day.Times = append(day.Times, fmt.Sprintf("%02d:00", hour))
		}
		a.Days = append(a.Days, day)
	}
	return a
}

const mostAppointment = 8 << 10

func TestThePageOfAnAppointmentFitsASlowNetwork(t *testing.T) {
	for language := range names {
		for _, moving := range []bool{false, true} {
			html, err := fullAppointment(language, moving).Render()
			if n := zipped(t, html); err != nil || n > mostAppointment || bytes.Contains(html, []byte("<script")) {
				t.Errorf("the page in %s has %d bytes: %v", language, n, err)
			}
		}
	}
}

// Each state has its sentence, and its places are filled.
func TestThePageOfAnAppointmentSaysItsState(t *testing.T) {
	for status, key := range map[string]string{
		"pending": "managePending", "confirmed": "manageConfirmed", "cancelled": "manageCancelled",
		"declined": "manageDeclined", "no-show": "manageMissed", "done": "manageOver", "arrived": "manageOver",
	} {
		for language := range names {
			a := fullAppointment(language, false)
			a.Status, a.Late, a.MovesUsed = status, true, true
			html, err := a.Render()
			word := a.Word()
			if err != nil || !strings.Contains(string(html), word) || placeholder.Match(html) {
				t.Errorf("%s in %s: %v\n%s", status, language, err, html)
			}
			if want, _, _ := strings.Cut(texts[language][key], "{"); !strings.HasPrefix(word, want) {
				t.Errorf("%s in %s is %q", status, language, word)
			}
		}
	}
}

func TestTheValuesOfAnAppointmentAreEscaped(t *testing.T) {
	a := fullAppointment("en", false)
	a.Office, a.Service, a.Phone, a.Address[0], a.Papers[0].Label = "<b>", "<script>", `1"><i>`, "<u>", "<s>"
	a.Map = "javascript:alert(1)"
	html, err := a.Render()
	for _, tag := range []string{"<b>", "<script>", "<i>", "<u>", "<s>", "javascript:alert"} {
		if err != nil || bytes.Contains(html, []byte(tag)) {
			t.Errorf("%q is markup: %v\n%s", tag, err, html)
		}
	}
}
