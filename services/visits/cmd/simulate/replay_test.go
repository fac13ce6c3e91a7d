package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/go-json-experiment/json"

	"baari.dev/services/platform/fault"
)

const replayPolicy = `{"allowances":{"normal":30,"deadline":15,"priority":10,"appointment":5},"maxBypass":3,
"return":"after:2","missAfterSeconds":60,"lateAppointmentMinutes":15,"handPick":true,"sweepMinutesAfterClosing":60}`

// exampleMoment has one waiting visitor and one open desk with a session.
const exampleMoment = `{"at":"2026-01-05T05:00:00.000Z",
 "line":[{"visitId":"v7","token":7,"stage":"waiting","serviceId":"s0","class":"normal","pinnedTo":null,
   "registeredAt":"2026-01-05T04:55:10.000Z","joinedAt":"2026-01-05T05:00:00.000Z",
   "rankAt":"2026-01-05T04:55:10.000Z","dueAt":"2026-01-05T05:25:10.000Z","bypassed":0}],
 "desks":[{"consultantId":"c1","state":"open","since":"2026-01-05T04:40:02.000Z","until":null,"backAt":null,
   "visit":{"visitId":"v4","serviceId":"s2","stage":"in-session","since":"2026-01-05T04:40:02.000Z"}}]}`

// replayOf returns a request for an office with three services and two consultants.
func replayOf(sittings, scores, moments string) string {
	return `{"policy":` + replayPolicy + `,"services":[{"id":"s0","name":"GST","est_minutes":30},
	{"id":"s1","name":"TDS","est_minutes":20},{"id":"s2","name":"ITR","est_minutes":45}],
	"consultants":[{"id":"c1","serves":[]},{"id":"c2","serves":["s1"]}],
	"sittings":[` + sittings + `],"scores":[` + scores + `],"moments":[` + moments + `],"more":1}`
}

func ask(t testing.TB, replays *replayer, request string) []byte {
	t.Helper()
	answer, err := replays.answer([]byte(request))
	if err != nil {
		t.Fatalf("%s: %v", request, err)
	}
	text, err := json.Marshal(answer)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func firstOf(t *testing.T, replays *replayer, request string) replayForecast {
	t.Helper()
	answer, err := replays.answer([]byte(request))
	if err != nil {
		t.Fatalf("%s: %v", request, err)
	}
	return answer.Ranges[0].Forecasts[0]
}

func TestAReplayAnswersTheExample(t *testing.T) {
	replays, request := &replayer{}, replayOf("", "", exampleMoment)
	at := time.Date(2026, time.January, 5, 5, 0, 0, 0, time.UTC)
	switch f := firstOf(t, replays, request); {
	case f.VisitID != "v7" || !f.Early || f.Note != nil || *f.Level != 0.2:
		t.Errorf("%+v", f)
	case !(*f.Q10 <= *f.Q50 && *f.Q50 <= *f.Q90) || *f.Q10 < 0:
		t.Errorf("the quantiles are %v, %v and %v", *f.Q10, *f.Q50, *f.Q90)
	case time.Time(*f.From).Before(at) || time.Time(*f.To).Sub(time.Time(*f.From)) < 10*time.Minute:
		t.Errorf("%v to %v", f.From, f.To)
	}
	kept, fresh := ask(t, replays, request), ask(t, &replayer{}, request)
	if !bytes.Equal(kept, fresh) {
		t.Errorf("%s by the kept model, %s by a new one", kept, fresh)
	}
}

func TestAReplayHasNoRangeForAVisitorWhomNoDeskCouldCall(t *testing.T) {
	moment := strings.Replace(exampleMoment, `"state":"open"`, `"state":"off"`, 1)
	answer := ask(t, &replayer{}, replayOf("", "", moment))
	want := `{"ranges":[{"at":"2026-01-05T05:00:00.000Z","forecasts":[{"visitId":"v7","from":null,"to":null,` +
		`"likely":null,"early":true,"note":"nobody_at_desk","q10":null,"q50":null,"q90":null,"a":null}]}]}`
	if string(answer) != want {
		t.Errorf("answered %s", answer)
	}
}

func TestAReplayLearnsFromItsSittingsAndScores(t *testing.T) {
	replays := &replayer{}
	var sittings, scores []string
	for n := range 60 {
		at := time.Date(2026, time.January, 1+n/20, 4, 0, 0, 0, time.UTC).Add(time.Duration(n%20) * 20 * time.Minute)
		sittings = append(sittings, sittingText(n, at, 10*time.Minute))
		scores = append(scores, fmt.Sprintf(`{"visitId":"h%d","kind":"join","serviceId":"s0","madeAt":%q,"q10":10,"q50":20,
		"q90":30,"from":%q,"to":%q,"a":0.2,"resolvedAt":%q,"actualMinutes":60}`, n, stamp(at), stamp(at),
			stamp(at.Add(30*time.Minute)), stamp(at.Add(time.Hour))))
	}
	read := func(sittings, scores []string) replayForecast {
		return firstOf(t, replays, replayOf(strings.Join(sittings, ","), strings.Join(scores, ","), exampleMoment))
	}
	fresh, learned, scored := read(nil, nil), read(sittings, nil), read(sittings, scores)
	if *learned.Q90 >= *fresh.Q90 {
		t.Errorf("90 %% within %.1f minutes after short sessions, %.1f without", *learned.Q90, *fresh.Q90)
	}
	width := func(f replayForecast) time.Duration { return time.Time(*f.To).Sub(time.Time(*f.From)) }
	if scored.Early || width(scored) <= width(learned) || *scored.Level == 0.2 {
		t.Errorf("after broken promises %v, before %v wide", width(scored), width(learned))
	}
}

func stamp(at time.Time) string { return at.Format("2006-01-02T15:04:05.000Z") }

func sittingText(n int, started time.Time, length time.Duration) string {
	return fmt.Sprintf(`{"visitId":"h%d","no":1,"serviceId":"s%d","consultantId":"c1","class":"normal","registeredAt":%q,
	"joinedAt":%q,"calledAt":%q,"startedAt":%q,"endedAt":%q,"endedAs":"completed"}`, n, n%3,
		stamp(started.Add(-20*time.Minute)), stamp(started.Add(-15*time.Minute)), stamp(started.Add(-time.Minute)),
		stamp(started), stamp(started.Add(length)))
}

// A moment can have the confirmed appointments that are expected. Without them, or with an empty list, the answer is
// the same.
func TestAReplayExpectsAppointments(t *testing.T) {
	replays := &replayer{}
	with := func(expected string) string {
		moment := strings.Replace(exampleMoment, `"desks":[`, `"expected":`+expected+`,"desks":[`, 1)
		return string(ask(t, replays, replayOf("", "", moment)))
	}
	plain := string(ask(t, replays, replayOf("", "", exampleMoment)))
	if with("[]") != plain || with("null") != plain {
		t.Error("an empty list changes the forecasts")
	}
	one := `{"serviceId":"s2","at":"2026-01-05T05:02:00.000Z","consultantId":"c1"}`
	if with("["+one+","+one+"]") == plain {
		t.Error("appointments change no forecast")
	}
	for _, wrong := range []string{
		strings.Replace(one, "s2", "s9", 1), strings.Replace(one, "c1", "c9", 1), strings.Replace(one, "2026", "0001", 1),
	} {
		moment := strings.Replace(exampleMoment, `"desks":[`, `"expected":[`+wrong+`],"desks":[`, 1)
		if _, err := replays.answer([]byte(replayOf("", "", moment))); fault.Of(err).Kind != fault.Invalid {
			t.Errorf("%s: %v", wrong, err)
		}
	}
}

func TestAReplayRejectsWhatItDoesNotKnow(t *testing.T) {
	replays := &replayer{}
	whole := replayOf(sittingText(1, time.Unix(1767600000, 0).UTC(), time.Minute), "", exampleMoment)
	ask(t, replays, whole)
	for _, change := range [][2]string{
		{`"consultantId":"c1","state"`, `"consultantId":"c9","state"`},
		{`"serviceId":"s2","stage"`, `"serviceId":"","stage"`},
		{`"pinnedTo":null`, `"pinnedTo":"c9"`},
		{`"stage":"waiting"`, `"stage":"gone"`},
		{`"class":"normal","pin`, `"class":"","pin`},
		{`"serves":["s1"]`, `"serves":["s9"]`},
		{`"id":"c2"`, `"id":"c1"`},
		{`"endedAs":"completed"`, `"endedAs":"over"`},
		{`"maxBypass":3`, `"maxBypass":0`},
		{`"est_minutes":30`, `"est_minutes":1e999`},
		{`"sittings":[`, `"sittings":5,"x":[`},
		{`"at":"2026-01-05T05:00:00.000Z"`, `"at":"soon"`},
		{`"2026-01-05T05:25:10.000Z"`, `"0001-01-05T05:25:10.000Z"`},
		{`"visitId":"v7"`, `"visitId":"` + strings.Repeat("x", 65) + `"`},
		{`"state":"open"`, `"state":"closed"`},
	} {
		if !strings.Contains(whole, change[0]) {
			t.Fatalf("%s is not in the request", change[0])
		}
		_, err := replays.answer([]byte(strings.Replace(whole, change[0], change[1], 1)))
		if err == nil || fault.Of(err).Kind != fault.Invalid {
			t.Errorf("%s: %v", change[1], err)
		}
	}
	if answer := ask(t, replays, replayOf("", "", "")); string(answer) != `{"ranges":[]}` {
		t.Errorf("no moments are answered with %s", answer)
	}
}

// Every line gets a response. The program ends with status 1 if one of the lines was invalid.
func TestEveryLineIsAnswered(t *testing.T) {
	whole := strings.ReplaceAll(replayOf("", "", exampleMoment), "\n", " ")
	unknown := strings.Replace(whole, `"consultantId":"c1"`, `"consultantId":"c9"`, 1)
	long := `{"policy":"` + strings.Repeat("x", longestReplay) + `"}`
	longest := whole + strings.Repeat(" ", longestReplay-len(whole))
	answer := string(ask(t, &replayer{}, whole))
	rejected := `{"error":"This is none of the choices.","code":"validation","request_id":"",` +
		`"fields":{"moments/0":"This is none of the choices."},"field_codes":{"moments/0":"unknown_choice"}}`
	unread := `{"error":"The request could not be read. Please try again.","code":"bad_body","request_id":""}`
	large := `{"error":"The request is too large.","code":"too_large","request_id":""}`
	for _, c := range []struct {
		in, out []string
		status  int
	}{
		{nil, nil, 0},
		{[]string{whole, longest, whole}, []string{answer, answer, answer}, 0},
		{
			[]string{unknown, "", long, `{"moments":[{}]`, whole},
			[]string{rejected, unread, large, unread, answer}, 1,
		},
	} {
		for _, end := range []string{"\n", ""} { // the last line may lack its newline
			in := strings.TrimSuffix(strings.Join(append(c.in, ""), "\n"), "\n") + end
			if c.in == nil {
				in = ""
			}
			var out, errs bytes.Buffer
			status := command([]string{"replay"}, strings.NewReader(in), &out, &errs)
			if want := strings.Join(append(c.out, ""), "\n"); status != c.status || out.String() != want || errs.Len() > 0 {
				t.Errorf("status %d\n%s%s, want %d\n%s", status, out.String(), errs.String(), c.status, want)
			}
		}
	}
}

func TestAReplayWithoutInputOrOutputFails(t *testing.T) {
	broken := iotest.ErrReader(errors.New("no input"))
	reader, closed := io.Pipe()
	_ = reader.Close()
	for _, c := range []struct {
		in   io.Reader
		out  io.Writer
		args []string
	}{
		{broken, io.Discard, nil},
		{strings.NewReader(`{"moments":[]}`), closed, nil},
		{strings.NewReader(""), io.Discard, []string{"more"}},
		{strings.NewReader(""), io.Discard, []string{"--days=3"}},
	} {
		var errs bytes.Buffer
		if status := command(append([]string{"replay"}, c.args...), c.in, c.out, &errs); status != 2 || errs.Len() == 0 {
			t.Errorf("%v: status %d, errors %q", c.args, status, errs.String())
		}
	}
}

func FuzzReplay(f *testing.F) {
	f.Add(replayOf("", "", exampleMoment))
	f.Add(replayOf(sittingText(1, time.Unix(1767600000, 0).UTC(), time.Minute), "", exampleMoment))
	f.Add(`{"policy":{},"services":[],"consultants":[],"sittings":[],"scores":[],` +
		`"moments":[{"at":"2026-01-05T05:00:00Z"}]}`)
	f.Add(`{"moments":[{}]}`)
	f.Fuzz(func(t *testing.T, body string) {
		p := &replayer{}
		req, err := p.read([]byte(body))
		if err != nil && fault.Of(err).Kind != fault.Invalid {
			t.Errorf("rejected as %v", err)
		}
		if err != nil || len(req.moments) > 2 || len(req.moments) > 0 && len(req.moments[0].Line) > 20 {
			return
		}
		answer := req.forecasts()
		if len(answer.Ranges) != len(req.moments) {
			t.Errorf("%d moments are answered with %d", len(req.moments), len(answer.Ranges))
		}
		for _, m := range answer.Ranges {
			for _, one := range m.Forecasts {
				if one.Q10 != nil && !(*one.Q10 <= *one.Q50 && *one.Q50 <= *one.Q90) {
					t.Errorf("the quantiles are %v, %v and %v", *one.Q10, *one.Q50, *one.Q90)
				}
			}
		}
	})
}

// BenchmarkReplay repeats a request with one moment of 60 waiting visitors, 9 desks, 11 services and 400 sittings. A
// simulator that uses replay sends such requests.
func BenchmarkReplay(b *testing.B) {
	replays, random := &replayer{}, rand.New(rand.NewPCG(1, 1))
	var services, consultants, sittings, places, desks []string
	at := time.Date(2026, time.January, 15, 5, 0, 0, 0, time.UTC)
	for i := range 11 {
		services = append(services, fmt.Sprintf(`{"id":"s%d","name":"","est_minutes":30}`, i))
	}
	for i := range 9 {
		consultants = append(consultants, fmt.Sprintf(`{"id":"c%d","serves":["s%d","s%d","s%d"]}`, i, i, i+1, i+2))
		desks = append(desks, fmt.Sprintf(`{"consultantId":"c%d","state":"open","since":%q,"visit":{"visitId":"x",
		"serviceId":"s%d","stage":"in-session","since":%q}}`, i, stamp(at), i, stamp(at)))
	}
	for n := range 400 {
		sittings = append(sittings, sittingText(n, at.Add(-time.Duration(400-n)*30*time.Minute),
			time.Duration(10+random.IntN(30))*time.Minute))
	}
	for n := range 60 {
		joined := stamp(at.Add(-time.Duration(60-n) * time.Minute))
		places = append(places, fmt.Sprintf(`{"visitId":"v%d","token":%d,"stage":"waiting","serviceId":"s%d",
		"class":"normal","registeredAt":%q,"joinedAt":%q,"rankAt":%q,"dueAt":%q,"bypassed":0}`,
			n, n, n%11, joined, joined, joined, stamp(at.Add(-time.Duration(30-n)*time.Minute))))
	}
	body := `{"policy":` + replayPolicy + `,"services":[` + strings.Join(services, ",") + `],"consultants":[` +
		strings.Join(consultants, ",") + `],"sittings":[` + strings.Join(sittings, ",") + `],"scores":[],` +
		`"moments":[{"at":"` + stamp(at) + `","line":[` + strings.Join(places, ",") + `],"desks":[` +
		strings.Join(desks, ",") + `]}]}`
	var took []time.Duration
	for b.Loop() {
		began := time.Now()
		ask(b, replays, body)
		took = append(took, time.Since(began))
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)*95/100].Microseconds())/1000, "p95-ms")
}

// The expected responses were recorded from the service. They have all digits of the numbers, and the last digits
// differ on a processor with fused multiply-add, such as arm64.
func TestTheRecordedOfficeHasItsAnswers(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skip("the answers were recorded on amd64")
	}
	requests, err := os.Open("testdata/office.json")
	if err != nil {
		t.Fatal(err)
	}
	defer requests.Close()
	want, err := os.ReadFile("testdata/answer.json")
	if err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	status := command([]string{"replay"}, requests, &out, &errs)
	if status != 0 || !bytes.Equal(out.Bytes(), want) {
		t.Errorf("status %d %s\n%s, want\n%s", status, errs.String(), out.String(), want)
	}
}
