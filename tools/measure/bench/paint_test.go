package bench

import (
	"testing"
	"time"

	"baari.dev/tools/measure/traces"
)

func TestTheTimestampsOfAChangeComeFromItsTraceAndTheBrowser(t *testing.T) {
	began := time.UnixMilli(1_800_000_000_000)
	span := func(program, name string, at, lasting int) traces.Span {
		return traces.Span{
			ID: name, Program: program, Name: name, Start: began.Add(time.Duration(at) * time.Millisecond),
			Duration: time.Duration(lasting) * time.Millisecond,
		}
	}
	spans := []traces.Span{
		span("visits", "COMMIT", 0, 10), span("visits", "publish visit_created", 13, 2),
		span("audit", "process visit_created", 14, 9), span("realtime", "process visit_created", 16, 3),
		span("realtime", "send visit_created", 17, 1),
	}
	at := func(ms float64) float64 { return float64(began.UnixMilli()) + ms }
	found, ok := hopsOf(spans, painted{Asked: at(60), Answered: at(70), Painted: at(90)})
	if !ok {
		t.Fatal("a whole trace is rejected")
	}
	report := paintReport([]hops{found}, PaintPlan{})
	want := []float64{3, 2, 1, 2, 42, 10, 20, 80}
	for i, row := range report.Tables[0].Rows {
		if row[1] != want[i] {
			t.Errorf("%s takes %v ms, want %v", row[0], row[1], want[i])
		}
	}
	if _, ok := hopsOf(spans[:4], painted{}); ok {
		t.Error("a trace without the frame is accepted")
	}
}
