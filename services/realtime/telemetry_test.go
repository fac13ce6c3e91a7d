package realtime

import (
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"
)

func TestTelemetryHasClosedLabels(t *testing.T) {
	a := newAPI(t, nil)
	status, _, _ := a.call(t, "", "POST", "/api/telemetry", `{"items":[
		{"kind":"vital","name":"LCP","value":1200.5,"screen":"/dashboard/pa"},
		{"kind":"vital","name":"CLS","value":0.02},
		{"kind":"vital","name":"FID","value":3},
		{"kind":"error","name":"TypeError","value":2,"screen":"/login"},
		{"kind":"error","name":"AshaMenon","value":1,"screen":"/visitor/asha"},
		{"kind":"reconnect","name":"stream","value":3,"screen":"/dashboard/pa"}]}`)
	if status != 204 {
		t.Fatalf("answered %d", status)
	}
	figures := figuresOf(t, a.registry)
	for series, want := range map[string]float64{
		`baari_web_errors_total TypeError /login`:  2,
		`baari_web_errors_total other other`:       1,
		`baari_web_reconnects_total /dashboard/pa`: 3,
		`baari_web_errors_total other /login`:      0,
	} {
		if got, there := figures[series]; !there || got != want {
			t.Errorf("%s is %v, want %v", series, got, want)
		}
	}
	for name, series := range map[string]int{
		"baari_web_vital_seconds":    1,
		"baari_web_layout_shift":     1,
		"baari_web_errors_total":     len(errorClasses) * len(screens),
		"baari_web_reconnects_total": len(screens),
	} {
		if got, err := testutil.GatherAndCount(a.registry, name); err != nil || got != series {
			t.Errorf("%s has %d series, want %d (%v)", name, got, series, err)
		}
	}
}

// An item that reports a thousand errors counts as ten, because the route needs no session and alerts use the counter.
func TestAnItemCountsTenErrorsAtMost(t *testing.T) {
	a := newAPI(t, nil)
	status, _, _ := a.call(t, "", "POST", "/api/telemetry", `{"items":[
		{"kind":"error","name":"TypeError","value":1000,"screen":"/login"},
		{"kind":"reconnect","name":"stream","value":1000,"screen":"/dashboard/pa"}]}`)
	if status != 204 {
		t.Fatalf("answered %d", status)
	}
	figures := figuresOf(t, a.registry)
	for _, series := range []string{
		`baari_web_errors_total TypeError /login`, `baari_web_reconnects_total /dashboard/pa`,
	} {
		if got := figures[series]; got != 10 {
			t.Errorf("%s is %v", series, got)
		}
	}
}

// figuresOf returns the values of counters, keyed by their name and the values of their labels.
func figuresOf(t *testing.T, registry *prometheus.Registry) map[string]float64 {
	t.Helper()
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	figures := map[string]float64{}
	for _, family := range families {
		for _, metric := range family.GetMetric() {
			series := family.GetName()
			for _, label := range metric.GetLabel() {
				series += " " + label.GetValue()
			}
			figures[series] = metric.GetCounter().GetValue()
		}
	}
	return figures
}

func TestInvalidTelemetryIsRejected(t *testing.T) {
	a := newAPI(t, nil)
	item := `{"kind":"error","name":"TypeError","value":1}`
	for body, want := range map[string]int{
		`{}`:               400,
		`{"items":[]}`:     400,
		`{"items":"none"}`: 400,
		`{"items":[` + strings.Repeat(item+",", 50) + item + `]}`:                         400,
		`{"items":[{"kind":"mood","name":"A","value":1}]}`:                                400,
		`{"items":[{"kind":"error","name":"phone 9876543210","value":1}]}`:                400,
		`{"items":[{"kind":"error","name":"A"}]}`:                                         400,
		`{"items":[{"kind":"error","name":"A","value":-1}]}`:                              400,
		`{"items":[{"kind":"error","name":"A","value":1001}]}`:                            400,
		`{"items":[{"kind":"error","name":"A","value":1e999}]}`:                           400,
		`{"items":[{"kind":"error","name":"A","value":1,"screen":"/visit?phone=98765"}]}`: 400,
		`{"items":[` + item + `],"pad":"` + strings.Repeat("x", 4096) + `"}`:              413,
	} {
		if status, answer, _ := a.call(t, "", "POST", "/api/telemetry", body); status != want {
			t.Errorf("%.80s answered %d %v, want %d", body, status, answer, want)
		}
	}
	r := httptest.NewRequest("POST", "/api/telemetry", strings.NewReader(`{"items":[`+item+`]}`))
	r.Header.Set("Content-Type", "text/plain")
	w := httptest.NewRecorder()
	a.table.ServeHTTP(w, r)
	if w.Code != 415 {
		t.Errorf("text answered %d", w.Code)
	}
}
