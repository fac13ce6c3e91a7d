package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"baari.dev/services/visits/line"
)

// pooled has the result of each rule over the three offices and six seeds, with 12 days each; the command simulates 60.
var pooled = sync.OnceValue(func() map[string]result {
	tallies := map[string]*tally{}
	for seed := uint64(1); seed <= 6; seed++ {
		for i, s := range sizes {
			if s.extra {
				continue
			}
			o := options{days: 12, seed: seed, noShow: 0.08}
			for k, t := range simulateOffice(s, o, rand.New(rand.NewPCG(seed, uint64(i)))) {
				all := tallies[rules()[k].name]
				if all == nil {
					all = &tally{}
					tallies[rules()[k].name] = all
				}
				all.samples = append(all.samples, t.samples...)
				all.overtaken = max(all.overtaken, t.overtaken)
			}
		}
	}
	results := map[string]result{}
	for name, t := range tallies {
		results[name] = t.result()
	}
	return results
})

// atMost fails unless figure is at most limit*other. figure and other are the figures of two rules.
func atMost(t *testing.T, what string, figure, other, limit float64) {
	t.Helper()
	t.Logf("%s: %.1f and %.1f min, %+.1f %%", what, figure, other, 100*(figure/other-1))
	if figure > limit*other {
		t.Errorf("%s: %.1f is more than %.2f of %.1f", what, figure, limit, other)
	}
}

func TestLateBindingShortensTheWaitAfterTheDecisionByEighteenPercent(t *testing.T) {
	early, due := pooled()["early"], pooled()["due"]
	atMost(t, "mean after the decision, due and early", due.AfterDecision.Mean, early.AfterDecision.Mean, 0.82)
}

func TestPriorityWaitsLessThanFirstComeAndNormalVisitorsHardlyMore(t *testing.T) {
	due, fcfs := pooled()["due"].Classes, pooled()["fcfs"].Classes
	atMost(t, "mean of priority after the decision, due and fcfs",
		due[line.Priority].AfterDecision.Mean, fcfs[line.Priority].AfterDecision.Mean, 0.85)
	atMost(t, "P99 of normal visitors, due and fcfs", due[line.Normal].Wait.P99, fcfs[line.Normal].Wait.P99, 1.12)
	atMost(t, "P99 of normal visitors after the decision, due and fcfs",
		due[line.Normal].AfterDecision.P99, fcfs[line.Normal].AfterDecision.P99, 1.12)
}

func TestTheCapHoldsAndStrictClassesWouldExceedIt(t *testing.T) {
	limit := line.DefaultPolicy().MaxBypass
	for _, noShow := range []float64{0, 0.08, 0.5} {
		for _, r := range compareRules(options{policy: "due", days: 15, seed: 9, noShow: noShow}) {
			if r.Overtaken > limit {
				t.Errorf("%s, no-show %v: a visitor was passed %d times", r.Office, noShow, r.Overtaken)
			}
		}
	}
	if n := pooled()["due"].Overtaken; n > limit {
		t.Errorf("a visitor was passed %d times", n)
	}
	if n := pooled()["strict"].Overtaken; n <= limit {
		t.Errorf("strict classes pass a visitor at most %d times, so the cap is not tried", n)
	}
}

// golden has the arguments that produce the reports in testdata, keyed by the prefix of their files.
var golden = map[string]string{
	"seed":     "--days 10",
	"forecast": "--forecast --learn 5 --days 3",
	"year":     "--office year",
}

// The program has one goroutine, so it is built without the race detector, with which these days take a minute.
func TestTheReportsAreThoseOfTheGoldenFiles(t *testing.T) {
	program := filepath.Join(t.TempDir(), "simulate")
	build := exec.CommandContext(t.Context(), "go", "build", "-o", program, ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if said, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	for name, args := range golden {
		for seed := 1; seed <= 3; seed++ {
			file := filepath.Join("testdata", fmt.Sprintf("%s-%d.txt", name, seed))
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			args := fmt.Sprintf("%s --seed %d", args, seed)
			out, err := exec.CommandContext(t.Context(), program, strings.Fields(args)...).CombinedOutput()
			if err != nil || string(out) != string(want) {
				t.Errorf("%v\n%sis not %s, written by: go run ./visits/cmd/simulate %s >%s", err, out, file, args, file)
			}
		}
	}
}

func TestAnOfficeAloneGivesTheForecastsItHasBesideOthers(t *testing.T) {
	report, err := os.ReadFile(filepath.Join("testdata", "forecast-1.txt"))
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Fields(strings.Split(string(report), "\n")[1])
	var out, errs bytes.Buffer
	code := command(strings.Fields(golden["forecast"]+" --seed 1 --office "+want[0]), nil, &out, &errs)
	got := strings.Join(strings.Fields(out.String()), " ")
	if code != 0 || !strings.Contains(got, strings.Join(want, " ")) {
		t.Errorf("status %d %s\n%s, beside the others %v", code, errs.String(), out.String(), want)
	}
}

func TestARuleAloneGivesTheRowsItHasBesideOthers(t *testing.T) {
	all := compareRules(options{days: 5, seed: 4, noShow: 0.2})
	for _, want := range all {
		alone := compareRules(options{office: want.Office, policy: want.Policy, days: 5, seed: 4, noShow: 0.2})
		if len(alone) != 1 || fmt.Sprint(alone[0]) != fmt.Sprint(want) {
			t.Errorf("%s %s: %v, beside the others %v", want.Office, want.Policy, alone, want)
		}
	}
}

func TestEveryVisitEndsAndAConsultantHasOneSessionAtATime(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 1))
	o := newOffice(sizes[2], random)
	for n := range 20 {
		d := newDay(o, n, 0.1, random)
		for _, by := range rules() {
			visits := simulate(o, d, by)
			slices.SortFunc(visits, func(a, b *visit) int { return a.ended.Compare(b.ended) })
			busy := map[*desk]time.Time{}
			for _, v := range visits {
				switch v.state {
				case left, noShow:
				case served:
					if v.ended.Before(busy[v.desk]) {
						t.Errorf("%s: %s starts during another session of its desk", by.name, v.id)
					}
					busy[v.desk] = v.ended.Add(v.session)
				default:
					t.Errorf("%s: %s does not end", by.name, v.id)
				}
			}
			if len(visits) != len(d.visitors) {
				t.Errorf("%s: %d visits of %d visitors", by.name, len(visits), len(d.visitors))
			}
		}
	}
}

func TestInvalidArgumentsAreRejected(t *testing.T) {
	for _, args := range []string{
		"--office huge", "--learn -1", "--seeds 0", "--policy lifo", "--days 0", "--no-show 1.5",
		"--no-show NaN", "--seed x", "more",
	} {
		var out, errs bytes.Buffer
		if code := command(strings.Fields(args), nil, &out, &errs); code != 2 || out.Len() > 0 || errs.Len() == 0 {
			t.Errorf("%s: status %d, output %q, errors %q", args, code, out.String(), errs.String())
		}
	}
}

func TestJSONHasTheFiguresOfTheTable(t *testing.T) {
	var out bytes.Buffer
	args := strings.Fields("--json --office small --policy due --days 2")
	if code := command(args, nil, &out, &out); code != 0 {
		t.Fatal(out.String())
	}
	for _, key := range []string{`"office": "small"`, `"afterDecision"`, `"p99"`, `"overThirtyPercent"`, `"priority"`} {
		if !strings.Contains(out.String(), key) {
			t.Errorf("%s is not in %s", key, out.String())
		}
	}
}
