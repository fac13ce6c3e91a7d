package bench

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"baari.dev/tools/proof/checker"
)

func TestTheCheckerReadsK6sRecord(t *testing.T) {
	file := filepath.Join(t.TempDir(), "k6.jsonl")
	text := strings.Join([]string{
		`{"kind":"create","idem_key":"k","request_id":"r","call_ns":1000000,"return_ns":10001000000,` +
			`"outcome":"unknown"}`,
		`{"kind":"create","idem_key":"k","client":"a@b","actor":"u","role":"reception","request_id":"r",` +
			`"call_ns":1000000,"return_ns":3000000,"http":201,"outcome":"ok","visit":"v","seen":{"id":"v",` +
			`"day":"2026-11-22","token":"T-001","status":"new","version":1,"consultant":""}}`,
		`create was answered 400: {"error":"no"}`,
		`{"kind":"deny","visit":"v","request_id":"s","call_ns":4000000,"return_ns":5000000,"http":409,` +
			`"outcome":"fail","code":"visit_already_decided"}`,
		"",
	}, "\n")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	ops, err := readOps(file)
	if err != nil || len(ops) != 2 {
		t.Fatalf("read %v: %v", ops, err)
	}
	create, deny := ops[0], ops[1]
	if create.Kind != checker.Create || create.Outcome != checker.OK || create.Seen.Token != "T-001" ||
		create.Return != 3_000_000 || create.Key != "k" {
		t.Errorf("the create is %+v", create)
	}
	if deny.Kind != checker.Deny || deny.Outcome != checker.Failed || deny.Code != "visit_already_decided" {
		t.Errorf("the rejected denial is %+v", deny)
	}
	if err := os.WriteFile(file, []byte("{broken\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := readOps(file); err == nil {
		t.Error("a broken line is taken for nothing")
	}
}

func part(count, p99 float64) metric {
	return metric{Values: map[string]float64{"count": count, "p(99)": p99}}
}

func TestTheSustainedRateEndsBeforeTheFirstPartThatMissesTheObjective(t *testing.T) {
	found := summary{Plan: struct{ Lasting float64 }{40}, Metrics: map[string]metric{
		"answered{call:create,part:0}": part(10, 20), "answered{call:create,part:1}": part(30, 500),
		"answered{call:create,part:2}": part(50, 501), "answered{call:create,part:3}": part(70, 20),
	}}
	if got := found.sustained(); got != 15 { // 30 in a part of two seconds
		t.Errorf("sustained %v a second", got)
	}
	found.Metrics["failed{part:1}"] = metric{Values: map[string]float64{"passes": 1}}
	if got := found.sustained(); got != 5 {
		t.Errorf("sustained %v a second with a failure in the second part", got)
	}
}

func TestLateChangesAreCountedFromTheHistogram(t *testing.T) {
	page := `# TYPE baari_event_lag_seconds histogram
baari_event_lag_seconds_bucket{source="visits",le="1.024"} 97
baari_event_lag_seconds_bucket{source="visits",le="2.048"} 99
baari_event_lag_seconds_bucket{source="visits",le="+Inf"} 100
baari_event_lag_seconds_sum{source="visits"} 5
baari_event_lag_seconds_count{source="visits"} 100
`
	if late, err := lateOf(strings.NewReader(page), "1.024"); err != nil || late != 3 {
		t.Errorf("%v of 100 are late, %v", late, err)
	}
	if _, err := lateOf(strings.NewReader(""), "1.024"); err == nil {
		t.Error("a page without observations is accepted")
	}
}

// The thresholds are those of queue.js; one that k6 did not evaluate counts as missed.
func TestEachNamedThresholdOfTheScriptIsAGoal(t *testing.T) {
	text := `{"metrics":{
		"answered{call:create}":{"values":{"p(95)":20,"p(99)":900},
			"thresholds":{"p(95)<=150":{"ok":true},"p(99)<=500":{"ok":false}}},
		"failed{call:create}":{"values":{"rate":0},"thresholds":{"rate<=0.005":{"ok":true},"rate>=0":{"ok":true}}},
		"failed":{"values":{"rate":0},"thresholds":{"rate<=0.005":{"ok":true}}},
		"wrong":{"values":{"count":0},"thresholds":{"count==0":{"ok":true}}}}}`
	var found summary
	if err := json.Unmarshal([]byte(text), &found); err != nil {
		t.Fatal(err)
	}
	met := map[string]bool{}
	for _, goal := range found.goals() {
		met[goal.String()] = goal.Met
	}
	for goal, want := range map[string]bool{
		"ms for 99 of 100 creates: 900.00, wanted <= 500: MISSED":        false,
		"ms for 95 of 100 creates: 20.00, wanted <= 150: met":            true,
		"share of creates that failed: 0.00, wanted <= 0.005: met":       true,
		"calls not begun for want of clients: 0.00, wanted 0: MISSED":    false,
		"calls rejected although they were allowed: 0.00, wanted 0: met": true,
	} {
		if got, known := met[goal]; !known || got != want {
			t.Errorf("%q is not among %v", goal, met)
		}
	}
	script, err := os.ReadFile("../load/queue.js")
	if err != nil {
		t.Fatal(err)
	}
	for threshold := range thresholdNames {
		if _, rule, _ := strings.Cut(threshold, " "); !strings.Contains(string(script), rule) {
			t.Errorf("queue.js has no threshold %q", threshold)
		}
	}
}
