package bench

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"baari.dev/tools/proof/checker"
)

// The checker can read k6's record of each change; other lines between them are skipped.
func TestTheCheckerReadsWhatK6WroteDown(t *testing.T) {
	file := filepath.Join(t.TempDir(), "k6.jsonl")
	text := `{"kind":"create","idem_key":"k","request_id":"r","call_ns":1000000,"return_ns":10001000000,"outcome":"unknown"}
{"kind":"create","idem_key":"k","client":"a@b","actor":"u","role":"reception","request_id":"r","call_ns":1000000,"return_ns":3000000,"http":201,"outcome":"ok","visit":"v","seen":{"id":"v","day":"2026-11-22","token":"T-001","status":"new","version":1,"consultant":""}}
create was answered 400: {"error":"no"}
{"kind":"deny","visit":"v","request_id":"s","call_ns":4000000,"return_ns":5000000,"http":409,"outcome":"fail","code":"visit_already_decided"}
`
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	ops, err := readOps(file)
	if err != nil || len(ops) != 2 {
		t.Fatalf("read %v: %v", ops, err)
	}
	if made := ops[0]; made.Kind != checker.Create || made.Outcome != checker.OK || made.Seen.Token != "T-001" || made.Return != 3_000_000 || made.Key != "k" {
		t.Errorf("the creation is %+v", made)
	}
	if refused := ops[1]; refused.Kind != checker.Deny || refused.Outcome != checker.Failed || refused.Code != "visit_already_decided" {
		t.Errorf("the refusal is %+v", refused)
	}
	if err := os.WriteFile(file, []byte("{broken\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := readOps(file); err == nil {
		t.Error("a broken line is taken for nothing")
	}
}

func part(count, p99 float64) struct{ Values map[string]float64 } {
	return struct{ Values map[string]float64 }{map[string]float64{"count": count, "p(99)": p99}}
}

// The sustained rate ends before the first part that missed the objective, whatever follows.
func TestTheRateKeptUpEndsWhereTheObjectiveIsMissed(t *testing.T) {
	found := summary{Plan: struct{ Lasting float64 }{40}, Metrics: map[string]struct{ Values map[string]float64 }{
		"answered{call:create,part:0}": part(10, 20), "answered{call:create,part:1}": part(30, 500), "answered{call:create,part:2}": part(50, 501), "answered{call:create,part:3}": part(70, 20),
	}}
	if got := found.sustained(); got != 15 { // 30 in a part of two seconds
		t.Errorf("kept up %v a second", got)
	}
	found.Metrics["failed{part:1}"] = struct{ Values map[string]float64 }{map[string]float64{"passes": 1}}
	if got := found.sustained(); got != 5 {
		t.Errorf("kept up %v a second with a failure in the second part", got)
	}
}

func TestLateChangesAreReadOffTheHistogram(t *testing.T) {
	page := `# TYPE baari_event_lag_seconds histogram
baari_event_lag_seconds_bucket{source="visits",le="1.024"} 97
baari_event_lag_seconds_bucket{source="visits",le="2.048"} 99
baari_event_lag_seconds_bucket{source="visits",le="+Inf"} 100
baari_event_lag_seconds_sum{source="visits"} 5
baari_event_lag_seconds_count{source="visits"} 100
`
	if lag, err := lagOf(strings.NewReader(page), 1.024); err != nil || lag.Changes != 100 || lag.Late != 3 {
		t.Errorf("%+v, %v", lag, err)
	}
	if _, err := lagOf(strings.NewReader(""), 1.024); err == nil {
		t.Error("nothing counted is taken for nothing late")
	}
}

func TestABrokenPromiseFailsTheDayAndABreakpointMayBeSlow(t *testing.T) {
	slow := QueueReport{Calls: []Called{{Call: "create", Count: 100, P99: 900, P95: 100}}, Lags: map[string]Lag{}}
	slow.judge(QueuePlan{Profile: "ramp"})
	if slow.Met() || !strings.Contains(slow.Summary(), "ms for 99 of 100 creates: 900.00, wanted <= 500: MISSED") {
		t.Errorf("a slow ramp is %s", slow.Summary())
	}
	slow.judge(QueuePlan{Profile: "breakpoint"})
	if !slow.Met() {
		t.Errorf("a breakpoint that was found is %s", slow.Summary())
	}
	slow.Violations = []checker.Violation{{Invariant: "I1", What: "a gap"}}
	slow.judge(QueuePlan{Profile: "breakpoint"})
	if slow.Met() {
		t.Error("a broken promise is no matter")
	}
}
