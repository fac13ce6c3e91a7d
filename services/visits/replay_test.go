package visits

import (
	"bytes"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"

	"baari.dev/services/contract"
	"baari.dev/services/platform/endpoint"
	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/testkit"
)

const replayPolicy = `{"allowances":{"normal":30,"deadline":15,"priority":10,"appointment":5},"maxBypass":3,
"return":"after:2","missAfterSeconds":60,"lateAppointmentMinutes":15,"handPick":true,"sweepMinutesAfterClosing":60}`

// exampleMoment is the example of the description of the call.
const exampleMoment = `{"at":"2026-01-05T05:00:00.000Z",
 "line":[{"visitId":"v7","token":7,"stage":"waiting","serviceId":"s0","class":"normal","pinnedTo":null,
   "registeredAt":"2026-01-05T04:55:10.000Z","joinedAt":"2026-01-05T05:00:00.000Z",
   "rankAt":"2026-01-05T04:55:10.000Z","dueAt":"2026-01-05T05:25:10.000Z","bypassed":0}],
 "desks":[{"consultantId":"c1","state":"open","since":"2026-01-05T04:40:02.000Z","until":null,"backAt":null,
   "visit":{"visitId":"v4","serviceId":"s2","stage":"in-session","since":"2026-01-05T04:40:02.000Z"}}]}`

// replayOf is a request for an office of three services and two consultants.
func replayOf(sittings, scores, moments string) string {
	return `{"policy":` + replayPolicy + `,"services":[{"id":"s0","name":"GST","est_minutes":30},
	{"id":"s1","name":"TDS","est_minutes":20},{"id":"s2","name":"ITR","est_minutes":45}],
	"consultants":[{"id":"c1","serves":[]},{"id":"c2","serves":["s1"]}],
	"sittings":[` + sittings + `],"scores":[` + scores + `],"moments":[` + moments + `],"more":1}`
}

// replays is the internal listener of a demonstration.
func replays(t testing.TB) *endpoint.Table {
	t.Helper()
	table, err := endpoint.New(
		endpoint.Deps{
			Service: contract.SourceVisits, Keys: testkit.Keys(contract.SourceVisits), Log: slog.New(slog.DiscardHandler),
		},
		(&Service{}).replayRoute())
	if err != nil {
		t.Fatal(err)
	}
	return table
}

func askReplay(t testing.TB, table *endpoint.Table, body string) *httptest.ResponseRecorder {
	t.Helper()
	token, err := testkit.Keys(contract.CallerOperator).Token("visits")
	if err != nil {
		t.Fatal(err)
	}
	r := requestOf(http.MethodPost, "/internal/foresight/replay", body)
	r.Header.Set("Authorization", "Bearer "+token)
	w := httptest.NewRecorder()
	table.ServeHTTP(w, r)
	return w
}

func TestAReplayAnswersTheExample(t *testing.T) {
	table := replays(t)
	w := askReplay(t, table, replayOf("", "", exampleMoment))
	var answer replayAnswer
	if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil || w.Code != http.StatusOK {
		t.Fatalf("%d %s: %v", w.Code, w.Body, err)
	}
	if w.Header().Get("Cache-Control") != "no-store" {
		t.Errorf("Cache-Control is %q", w.Header().Get("Cache-Control"))
	}
	f := answer.Ranges[0].Forecasts[0]
	switch at := time.Time(answer.Ranges[0].At); {
	case f.VisitID != "v7" || !f.Early || f.Note != nil || *f.Level != 0.2:
		t.Errorf("%+v", f)
	case !(*f.Q10 <= *f.Q50 && *f.Q50 <= *f.Q90) || *f.Q10 < 0:
		t.Errorf("the quantiles are %v, %v and %v", *f.Q10, *f.Q50, *f.Q90)
	case time.Time(*f.From).Before(at) || time.Time(*f.To).Sub(time.Time(*f.From)) < 10*time.Minute:
		t.Errorf("%v to %v", f.From, f.To)
	}
	if again := askReplay(t, table, replayOf("", "", exampleMoment)); !bytes.Equal(again.Body.Bytes(), w.Body.Bytes()) {
		t.Errorf("%s, again %s", w.Body, again.Body)
	}
	other := askReplay(t, replays(t), replayOf("", "", exampleMoment))
	if !bytes.Equal(other.Body.Bytes(), w.Body.Bytes()) {
		t.Errorf("%s, another replica %s", w.Body, other.Body)
	}
}

func TestAReplayHasNoRangeForAVisitorWhomNoDeskCouldCall(t *testing.T) {
	moment := strings.Replace(exampleMoment, `"state":"open"`, `"state":"off"`, 1)
	w := askReplay(t, replays(t), replayOf("", "", moment))
	want := `{"ranges":[{"at":"2026-01-05T05:00:00.000Z","forecasts":[{"visitId":"v7","from":null,"to":null,` +
		`"likely":null,"early":true,"note":"nobody_at_desk","q10":null,"q50":null,"q90":null,"a":null}]}]}`
	if w.Body.String() != want {
		t.Errorf("answered %s", w.Body)
	}
}

func TestAReplayLearnsFromItsSittingsAndScores(t *testing.T) {
	table := replays(t)
	var sittings, scores []string
	for n := range 60 {
		at := time.Date(2026, time.January, 1+n/20, 4, 0, 0, 0, time.UTC).Add(time.Duration(n%20) * 20 * time.Minute)
		sittings = append(sittings, sittingText(n, at, 10*time.Minute))
		scores = append(scores, fmt.Sprintf(`{"visitId":"h%d","kind":"join","serviceId":"s0","madeAt":%q,"q10":10,"q50":20,
		"q90":30,"from":%q,"to":%q,"a":0.2,"resolvedAt":%q,"actualMinutes":60}`, n, stamp(at), stamp(at),
			stamp(at.Add(30*time.Minute)), stamp(at.Add(time.Hour))))
	}
	read := func(sittings, scores []string) replayForecast {
		w := askReplay(t, table, replayOf(strings.Join(sittings, ","), strings.Join(scores, ","), exampleMoment))
		var answer replayAnswer
		if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil || w.Code != http.StatusOK {
			t.Fatalf("%d %s: %v", w.Code, w.Body, err)
		}
		return answer.Ranges[0].Forecasts[0]
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

func TestAReplayRejectsWhatItDoesNotKnow(t *testing.T) {
	table, whole := replays(t), replayOf(sittingText(1, time.Unix(1767600000, 0).UTC(), time.Minute), "", exampleMoment)
	if w := askReplay(t, table, whole); w.Code != http.StatusOK {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
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
		if w := askReplay(t, table, strings.Replace(whole, change[0], change[1], 1)); w.Code != http.StatusBadRequest {
			t.Errorf("%s: answered %d %s", change[1], w.Code, w.Body)
		}
	}
	long := askReplay(t, table, `{"policy":"`+strings.Repeat("x", longestReplay)+`"}`)
	if long.Code != http.StatusRequestEntityTooLarge {
		t.Errorf("a body over 16 MiB is answered with %d", long.Code)
	}
	if w := askReplay(t, table, replayOf("", "", "")); w.Body.String() != `{"ranges":[]}` {
		t.Errorf("no moments are answered with %s", w.Body)
	}
	r, w := requestOf(http.MethodPost, "/internal/foresight/replay", whole), httptest.NewRecorder()
	if table.ServeHTTP(w, r); w.Code != http.StatusUnauthorized {
		t.Errorf("without a token: %d", w.Code)
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
		req, err := p.read(requestOf(http.MethodPost, "/internal/foresight/replay", body))
		rejectedAsClientError(t, err)
		if err != nil || len(req.moments) > 2 || len(req.moments) > 0 && len(req.moments[0].Line) > 20 {
			return
		}
		answer, err := p.Replay(t.Context(), req)
		if err != nil || len(answer.Ranges) != len(req.moments) {
			t.Errorf("%d moments are answered with %d: %v", len(req.moments), len(answer.Ranges), err)
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

// BenchmarkReplay answers one moment of 60 waiting visitors, 9 desks, 11 services and 400 sittings, as a simulator asks
// again and again.
func BenchmarkReplay(b *testing.B) {
	table, random := replays(b), rand.New(rand.NewPCG(1, 1))
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
		if w := askReplay(b, table, body); w.Code != http.StatusOK {
			b.Fatal(w.Body)
		}
		took = append(took, time.Since(began))
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)*95/100].Microseconds())/1000, "p95-ms")
}

// rejectedAsClientError fails unless err is a client error.
func rejectedAsClientError(t *testing.T, err error) {
	t.Helper()
	if err != nil && fault.Of(err).Status() >= http.StatusInternalServerError {
		t.Errorf("a bad body is answered as an error of the server: %v", err)
	}
}

func requestOf(method, path, body string) *http.Request {
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	return r
}
