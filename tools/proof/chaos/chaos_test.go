package chaos

import (
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"baari.dev/tools/proof/checker"
)

func names(plan []strike) []string {
	var all []string
	for _, s := range plan {
		all = append(all, s.fault.id+" "+s.wait.String()+" "+s.lasting.String())
	}
	return all
}

func TestTheSameSeedPlansTheSameFaults(t *testing.T) {
	plan := func(seed uint64) []string { return names(planOf(faults, seed, time.Hour, false)) }
	if a, b := plan(7), plan(7); !slices.Equal(a, b) {
		t.Errorf("%v and %v", a, b)
	}
	if slices.Equal(plan(7), plan(8)) {
		t.Error("two seeds gave the same plan")
	}
}

func TestASmokeRunHasAtLeastEightFaultsAndANightlyRunEachKindFourTimes(t *testing.T) {
	smoke, err := Options{Smoke: true}.kinds()
	if err != nil {
		t.Fatal(err)
	}
	for seed := range uint64(200) {
		if n := len(planOf(smoke, seed, 90*time.Second, true)); n < 8 {
			t.Errorf("seed %d has %d faults", seed, n)
		}
		count := map[string]int{}
		for _, s := range planOf(faults, seed, 20*time.Minute, false) {
			count[s.fault.id]++
		}
		for _, f := range faults {
			if count[f.id] < 4 {
				t.Errorf("seed %d: %s comes %d times", seed, f.id, count[f.id])
			}
		}
	}
}

func TestARunPlansOnlyTheChosenFaults(t *testing.T) {
	kinds, err := Options{Only: []string{"N17", "N1"}}.kinds()
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range planOf(kinds, 7, time.Hour, false) {
		if s.fault.id != "N1" && s.fault.id != "N17" {
			t.Errorf("it plans %s", s.fault.id)
		}
	}
	for _, options := range []Options{{Only: []string{"N99"}}, {Only: []string{"N17"}, Smoke: true}} {
		if _, err := options.kinds(); err == nil {
			t.Errorf("%v is taken", options.Only)
		}
	}
}

func TestFramesAreReadAsTheCheckerKnowsThem(t *testing.T) {
	const id = "auth=0a:3;directory=0b:9;realtime=0c:1;visits=0d:42"
	for data, want := range map[string]checker.Frame{
		`{"type":"connection","data":{"connectionId":"c","activeConnections":1,"resumed":true}}`: {
			Type: checker.Connection, Seq: 42, Resumed: true,
		},
		`{"type":"heartbeat","data":{}}`:                                      {Type: checker.Mark, Seq: 42},
		`{"type":"status_update","data":{"entity":"service","entityId":"s"}}`: {Type: checker.Mark, Seq: 42},
		`{"type":"status_update","data":{"reset":true}}`:                      {Type: checker.Reset, Seq: 42},
		`{"type":"status_update","data":{"visitId":"v","version":2,"token":"T-001"}}`: {
			Type: "status_update", Record: "v", Version: 2, Seq: 42,
		},
		`{"type":"visit_created","data":{"visitId":"v","version":1,"token":"T-001","name":"A","service":"S"}}`: {
			Type: "visit_created", Record: "v", Version: 1, Seq: 42,
		},
		`{"type":"visit_approved","data":{"visitId":"v","version":2,"token":"T-001","name":"A","service":"S"}}`: {
			Type: "visit_approved", Record: "v", Version: 2, Seq: 42, Strange: "visit_approved with the field name",
		},
	} {
		want.Epoch = "0d"
		if got := messageOf(id, data).frame("visits"); !reflect.DeepEqual(got, want) {
			t.Errorf("%s\n got %+v\nwant %+v", data, got, want)
		}
	}
}

func TestEachSourceSeesItsOwnEventsAndOtherwiseMarks(t *testing.T) {
	const id = "auth=0a:3;directory=0b:9;realtime=0c:1;visits=0d:42"
	others := map[string][]checker.Frame{}
	for _, frame := range []struct{ id, data string }{
		{id, `{"type":"connection","data":{"resumed":true}}`},
		{id, `{"type":"heartbeat","data":{}}`},
		{id, `{"type":"status_update","data":{"visitId":"v","version":2,"token":"T-001"}}`},
		{
			"auth=0a:3;directory=0b:10;realtime=0c:1;visits=0d:42",
			`{"type":"status_update","data":{"entity":"service","entityId":"s"}}`,
		},
		{
			"auth=0a:4;directory=0b:10;realtime=0c:1;visits=0d:42",
			`{"type":"status_update","data":{"entity":"user","entityId":"u"}}`,
		},
		{
			"auth=0a:4;directory=0b:12;realtime=0c:2;visits=0d:42",
			`{"type":"notification","data":{"notificationId":"n","message":"hello"}}`,
		},
		{"auth=0a:4;directory=0b:12;realtime=0e:2;visits=0d:42", `{"type":"status_update","data":{"reset":true}}`},
	} {
		addOther(others, messageOf(frame.id, frame.data))
	}
	want := map[string][]checker.Frame{
		"auth": {
			{
				Type: checker.Connection, Seq: 3, Epoch: "0a", Resumed: true,
			}, {Type: "status_update", Record: "u", Seq: 4, Epoch: "0a"},
			{Type: checker.Reset, Seq: 4, Epoch: "0a"},
		},
		"directory": {
			{
				Type: checker.Connection, Seq: 9, Epoch: "0b", Resumed: true,
			}, {Type: "status_update", Record: "s", Seq: 10, Epoch: "0b"},
			{Type: checker.Mark, Seq: 12, Epoch: "0b"}, {Type: checker.Reset, Seq: 12, Epoch: "0b"},
		},
		"realtime": {
			{
				Type: checker.Connection, Seq: 1, Epoch: "0c", Resumed: true,
			}, {Type: "notification", Record: "n", Seq: 2, Epoch: "0c"},
			{Type: checker.Reset, Seq: 2, Epoch: "0e"},
		},
	}
	if !reflect.DeepEqual(others, want) {
		t.Errorf("got %+v\nwant %+v", others, want)
	}
}

func TestABrowserKeepsTheCookiesOfASignIn(t *testing.T) {
	header := http.Header{"Set-Cookie": {
		"better-auth.session_token=abc.def%3D; Path=/; HttpOnly", "better-auth.session_data=; Path=/; Max-Age=0",
		"device=7; Path=/; Max-Age=60",
	}}
	if got := cookiesOf(header); got != "better-auth.session_token=abc.def%3D; device=7" {
		t.Error(got)
	}
}

func TestDataOfAnotherConsultantIsReported(t *testing.T) {
	mine, other := "c1", "c2"
	for name, v := range map[string]visit{
		"another's visit":           {ID: "v", Consultant: &other, Status: "approved"},
		"the phone of a past visit": {ID: "v", Consultant: &mine, Status: "completed", Phone: "9876543210"},
		"an unknown field":          {ID: "v", Consultant: &mine, keys: []string{"erasedAt"}},
	} {
		r := robot{role: "consultant", id: mine, history: &history{}}
		if r.inspect(v); len(r.history.strange) != 1 {
			t.Errorf("%s: %v", name, r.history.strange)
		}
	}
	r := robot{role: "consultant", id: mine, history: &history{}}
	if r.inspect(visit{
		ID: "v", Consultant: &mine, Status: "in-session", Phone: "9876543210", keys: []string{"id"},
	}); r.history.strange != nil {
		t.Error(r.history.strange)
	}
}

// Trials of planted bugs run more often than nightly chaos runs, so the page keeps the run and gets the newest trials.
func TestTrialsReplaceEarlierOnesInTheReport(t *testing.T) {
	report := &Report{Seed: 7, Killed: []string{"visits (pid 7) by killed"}}
	earlier := &Trials{Mutants: []Trial{{ID: "M1", Bug: "the earlier bug"}}}
	page := report.Markdown(earlier)
	later := &Trials{Seed: 8, Mutants: []Trial{{ID: "M2", Bug: "the later bug", Killed: true}}}
	got := later.Renew(page)
	for text, wanted := range map[string]bool{
		"the earlier bug": false, "the later bug": true, "Mutants killed: 1/1": true, "--seed 8": true,
		"visits (pid 7) by killed": true, "| seed | 7 |": true,
	} {
		if strings.Contains(got, text) != wanted {
			t.Errorf("%q in the page: %v\n%s", text, !wanted, got)
		}
	}
	if again := later.Renew(got); again != got {
		t.Error("the same trials once more change the page")
	}
}
