package chaos

import (
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"baari.dev/tools/checker"
)

// names is a plan as people compare it.
func names(plan []strike) []string {
	var all []string
	for _, s := range plan {
		all = append(all, s.fault.id+" "+s.wait.String()+" "+s.lasting.String())
	}
	return all
}

func TestTheSameSeedStrikesTheSameFaults(t *testing.T) {
	if a, b := names(planOf(faults, 7, time.Hour, false)), names(planOf(faults, 7, time.Hour, false)); !slices.Equal(a, b) {
		t.Errorf("%v and %v", a, b)
	}
	if a, b := names(planOf(faults, 7, time.Hour, false)), names(planOf(faults, 8, time.Hour, false)); slices.Equal(a, b) {
		t.Error("two seeds, one plan")
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

func TestARunStrikesOnlyWithTheFaultsThatItWasAskedFor(t *testing.T) {
	kinds, err := Options{Only: []string{"N17", "N1"}}.kinds()
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range planOf(kinds, 7, time.Hour, false) {
		if s.fault.id != "N1" && s.fault.id != "N17" {
			t.Errorf("it strikes with %s", s.fault.id)
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
		`{"type":"connection","data":{"connectionId":"c","activeConnections":1,"resumed":true}}`: {Type: checker.Connection, Seq: 42, Resumed: true},
		`{"type":"heartbeat","data":{}}`:                                                                        {Type: checker.Mark, Seq: 42},
		`{"type":"status_update","data":{"entity":"service","entityId":"s"}}`:                                   {Type: checker.Mark, Seq: 42},
		`{"type":"status_update","data":{"reset":true}}`:                                                        {Type: checker.Reset, Seq: 42},
		`{"type":"status_update","data":{"visitId":"v","version":2,"token":"T-001"}}`:                           {Type: "status_update", Visit: "v", Version: 2, Seq: 42},
		`{"type":"visit_created","data":{"visitId":"v","version":1,"token":"T-001","name":"A","service":"S"}}`:  {Type: "visit_created", Visit: "v", Version: 1, Seq: 42},
		`{"type":"visit_approved","data":{"visitId":"v","version":2,"token":"T-001","name":"A","service":"S"}}`: {Type: "visit_approved", Visit: "v", Version: 2, Seq: 42, Strange: "visit_approved with the field name"},
	} {
		want.Epoch = "0d"
		if got := frameOf(id, data); !reflect.DeepEqual(got, want) {
			t.Errorf("%s\n got %+v\nwant %+v", data, got, want)
		}
	}
}

func TestAConsultantIsNotToBeShownWhatIsOthers(t *testing.T) {
	mine, other := "c1", "c2"
	for name, v := range map[string]visit{
		"another's visit":           {ID: "v", Consultant: &other, Status: "approved"},
		"the phone of a past visit": {ID: "v", Consultant: &mine, Status: "completed", Phone: "9876543210"},
		"a field too many":          {ID: "v", Consultant: &mine, keys: []string{"erasedAt"}},
	} {
		r := robot{role: "consultant", id: mine, history: &history{}}
		if r.inspect(v); len(r.history.strange) != 1 {
			t.Errorf("%s: %v", name, r.history.strange)
		}
	}
	r := robot{role: "consultant", id: mine, history: &history{}}
	if r.inspect(visit{ID: "v", Consultant: &mine, Status: "in-session", Phone: "9876543210", keys: []string{"id"}}); r.history.strange != nil {
		t.Error(r.history.strange)
	}
}

// Bugs are planted more often than a night is run: the page keeps the night and tells of the last trials only.
func TestTrialsTakeThePlaceOfEarlierOnes(t *testing.T) {
	var page strings.Builder
	report := &Report{Seed: 7, Killed: []string{"visits (pid 7) by killed"}}
	earlier := &Trials{Mutants: []Trial{{ID: "M1", Bug: "the earlier bug"}}}
	if err := report.Markdown(&page, earlier, "again"); err != nil {
		t.Fatal(err)
	}
	later := &Trials{Seed: 8, Mutants: []Trial{{ID: "M2", Bug: "the later bug", Killed: true}}}
	got := later.Renew(page.String())
	for text, wanted := range map[string]bool{"the earlier bug": false, "the later bug": true, "Mutants killed: 1/1": true, "--seed 8": true, "- visits: pid 7 by killed": true, "| seed | 7 |": true} {
		if strings.Contains(got, text) != wanted {
			t.Errorf("%q in the page: %v\n%s", text, !wanted, got)
		}
	}
	if again := later.Renew(got); again != got {
		t.Error("the same trials once more change the page")
	}
}
