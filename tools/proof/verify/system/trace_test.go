package system

import (
	"bufio"
	"context"
	"net/http"
	"slices"
	"strings"
	"testing"

	"baari.dev/services/platform/testkit"
)

// traceCanaries are personal data that the requests contain, and that no span may contain.
var traceCanaries = []string{
	"Canary Kumari", "9812398123", "canary.kumari@verify.example", "canary-note", "canary-password-71", "canary-path",
	"canary-query",
}

// One request produces one connected tree of spans in six programs, from the browser's request and the gateway to the
// frame that dashboards receive and the screen that shows it. No exported span has personal data.
func TestOneTraceLeadsFromTheRequestToTheScreen(t *testing.T) {
	if testing.Short() {
		t.Skip("it starts a system of its own")
	}
	collector := testkit.NewCollector(t)
	system := startWith(t, "traced", map[string]string{
		"OTEL_TRACES_EXPORTER": "otlp", "OTEL_EXPORTER_OTLP_PROTOCOL": "http/protobuf",
		"OTEL_EXPORTER_OTLP_ENDPOINT": collector.URL,
		"OTEL_TRACES_SAMPLER":         "parentbased_always_on", "OTEL_BSP_SCHEDULE_DELAY": "100",
	})
	w := way{name: "gateway", system: system}
	o := &office{
		way: w,
		admin: &person{
			what: "first admin", role: "admin", email: system.Accounts()[0].Email, password: system.Accounts()[0].Password,
		},
	}
	o.admin.enter(t, w, "/api/auth/sign-in/email")
	o.serviceID, _ = o.addService(t)
	frames := listenTraced(t, w, o.admin)

	const begun = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331" // trace context in the web application's form
	var created reply
	testkit.Eventually(t, "visits has the service", func() bool {
		created = w.send(t, o.admin, ask{method: http.MethodPost, path: "/api/visits", body: map[string]any{
			"name": traceCanaries[0], "phone": traceCanaries[1], "serviceId": o.serviceID, "notes": traceCanaries[3]},
			header: http.Header{"Traceparent": {begun + "-00"}}})
		return created.status == http.StatusCreated
	})
	if kept := created.header.Get("Traceresponse"); !strings.HasPrefix(kept, begun[:36]) ||
		!strings.HasSuffix(kept, "-01") {
		t.Errorf("the gateway says %q of the trace %s", kept, begun)
	}
	parent := testkit.Receive(t, "a frame of the visit arrives", frames)
	w.send(t, nil, ask{method: http.MethodPost, path: "/api/telemetry", body: map[string]any{"items": []map[string]any{
		{"kind": "shown", "name": "event", "value": 40, "screen": "/dashboard/admin", "traceparent": parent},
		{
			"kind": "asked", "name": "request", "value": 90, "ago": 40, "screen": "/dashboard/receptionist",
			"traceparent": begun + "-01",
		},
	}}})
	mischief(t, w, o.admin)

	var trace []testkit.Span
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("missing: %q", missingSpans(trace))
			for _, span := range trace {
				t.Logf("%s under %s: %s %s", span.ID, span.Parent, span.Program, span.Name)
			}
		}
	})
	testkit.Eventually(t, "the collector has one tree with every step", func() bool {
		trace = traceOf(collector, parent)
		roots := rootsOf(trace)
		return len(missingSpans(trace)) == 0 && len(roots) == 1 && roots[0].Name == "ask /dashboard/receptionist"
	})
	for _, canary := range append(slices.Clone(traceCanaries), o.admin.token, o.admin.email, o.admin.id) {
		if collector.Holds(canary) {
			t.Errorf("a span contains %q", canary)
		}
	}
}

// The spans of a created visit, each as program and name.
var tracedSteps = []string{
	"realtime ask /dashboard/receptionist", "gateway POST /api/visits/*", "visits POST /api/visits",
	"visits POST auth", "auth POST /internal/introspect", "visits publish visit_created",
	"audit process visit_created", "directory process visit_created", "realtime process visit_created",
	"realtime send visit_created",
	"realtime show /dashboard/admin", "visits statement INSERT INTO outbox", "audit statement",
}

func missingSpans(trace []testkit.Span) []string {
	missing := slices.Clone(tracedSteps)
	for _, span := range trace {
		missing = slices.DeleteFunc(missing, func(step string) bool {
			if query, ok := span.Attributes["db.query.text"]; ok {
				program, beginning, _ := strings.Cut(step, " statement")
				return program == span.Program && strings.HasPrefix(strings.TrimSpace(query), strings.TrimSpace(beginning))
			}
			return step == span.Program+" "+span.Name
		})
	}
	return missing
}

// mischief sends personal data where none belongs, in paths and queries, and in fields of other requests.
func mischief(t *testing.T, w way, as *person) {
	t.Helper()
	w.send(t, nil, ask{
		method: http.MethodPost, path: "/api/auth/sign-in/email",
		body: map[string]any{"email": traceCanaries[2], "password": traceCanaries[4]},
	})
	w.send(t, as, ask{method: http.MethodGet, path: "/api/visits/" + traceCanaries[5]})
	w.send(t, as, ask{
		method: http.MethodPut, path: "/api/visits/" + traceCanaries[5] + "/status",
		body: map[string]any{"status": "denied"},
	})
	w.send(t, as, ask{method: http.MethodGet, path: "/api/users" + query("q", traceCanaries[6])})
	w.send(t, as, ask{
		method: http.MethodPost, path: "/api/visits/lookup", body: map[string]any{"phone": traceCanaries[1]},
	})
	w.send(t, as, ask{method: http.MethodGet, path: "/api/services/" + traceCanaries[5]})
	w.send(t, as, ask{method: http.MethodGet, path: "/api/auth/reset-password/" + traceCanaries[5]})
	w.send(t, nil, ask{method: http.MethodGet, path: "/api/analytics/audit" + query("entity_id", traceCanaries[6])})
}

// listenTraced opens the admin's stream and returns a channel with the trace of the first visit_created frame.
func listenTraced(t *testing.T, w way, sender *person) <-chan string {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	request, err := http.NewRequestWithContext(
		ctx, http.MethodGet, w.base("/api/stream")+"/api/stream"+query("role", sender.role, "user_id", sender.id),
		http.NoBody,
	)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+sender.token)
	response, err := http.DefaultClient.Do(request)
	if err != nil || response.StatusCode != http.StatusOK {
		t.Fatalf("the stream does not open: %v", err)
	}
	t.Cleanup(func() { cancel(); _ = response.Body.Close() })
	found := make(chan string, 1)
	go func() {
		lines, parent := bufio.NewScanner(response.Body), ""
		for lines.Scan() {
			if named, ok := strings.CutPrefix(lines.Text(), ": traceparent "); ok {
				parent = named
			}
			if strings.Contains(lines.Text(), `"type":"visit_created"`) {
				found <- parent
				return
			}
		}
	}()
	return found
}

// traceOf returns the received spans of the trace that a traceparent names.
func traceOf(collector *testkit.Collector, parent string) []testkit.Span {
	other := func(s testkit.Span) bool { return !strings.Contains(parent, s.TraceID) }
	return slices.DeleteFunc(collector.Spans(), other)
}

// rootsOf returns the spans whose parent is not among them: one, if the trace is connected.
func rootsOf(trace []testkit.Span) []testkit.Span {
	ids := map[string]bool{}
	for _, span := range trace {
		ids[span.ID] = true
	}
	return slices.DeleteFunc(slices.Clone(trace), func(s testkit.Span) bool { return ids[s.Parent] })
}
