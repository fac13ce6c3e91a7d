package endpoint_test

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"go.opentelemetry.io/otel"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"baari.dev/services/platform/endpoint"
)

// A trace has the route, never the path or the query: mailed links have tokens in the path, searches have names in the
// query.
func TestATraceHasTheRouteAndNoPersonalData(t *testing.T) {
	recorder := tracetest.NewSpanRecorder()
	before := otel.GetTracerProvider()
	otel.SetTracerProvider(sdktrace.NewTracerProvider(sdktrace.WithSpanProcessor(recorder)))
	t.Cleanup(func() { otel.SetTracerProvider(before) })
	table, err := endpoint.New(endpoint.Deps{Service: "shop", Log: slog.New(slog.DiscardHandler)}, endpoint.Route{
		Method: http.MethodGet, Pattern: "/reset/{token}", Access: endpoint.Public(),
		Handler: endpoint.JSON(endpoint.Nothing, func(context.Context, struct{}) (string, error) { return "", nil })})
	if err != nil {
		t.Fatal(err)
	}
	for _, target := range []string{"/reset/canary-token?q=canary-name", "/resett/canary-token", "/canary-token"} {
		table.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, target, nil))
	}
	spans := recorder.Ended()
	if len(spans) != 3 || spans[0].Name() != "GET /reset/{token}" {
		t.Fatalf("%d spans", len(spans))
	}
	for _, span := range spans {
		// ASVS 16.2.5
		if text := fmt.Sprint(span.Name(), span.Attributes(), span.Events()); strings.Contains(text, "canary") {
			t.Errorf("the span has %s", text)
		}
	}
}

// The histogram of durations has the trace of a request as an exemplar, but only if the trace is sampled.
func TestADurationHasItsTraceAsExemplar(t *testing.T) {
	before := otel.GetTracerProvider()
	t.Cleanup(func() { otel.SetTracerProvider(before) })
	for sampler, want := range map[sdktrace.Sampler]int{sdktrace.AlwaysSample(): 1, sdktrace.NeverSample(): 0} {
		otel.SetTracerProvider(sdktrace.NewTracerProvider(sdktrace.WithSampler(sampler)))
		registry := prometheus.NewRegistry()
		deps := endpoint.Deps{Service: "shop", Registry: registry, Log: slog.New(slog.DiscardHandler)}
		table, err := endpoint.New(deps, endpoint.Route{
			Method: http.MethodGet, Pattern: "/open", Access: endpoint.Public(),
			Handler: endpoint.JSON(endpoint.Nothing, func(context.Context, struct{}) (string, error) { return "", nil })})
		if err != nil {
			t.Fatal(err)
		}
		request := httptest.NewRequest(http.MethodGet, "/open", nil)
		request.Header.Set("traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")
		table.ServeHTTP(httptest.NewRecorder(), request)
		page := httptest.NewRecorder()
		scrape := httptest.NewRequest(http.MethodGet, "/metrics", nil)
		scrape.Header.Set("Accept", "application/openmetrics-text")
		promhttp.HandlerFor(registry, promhttp.HandlerOpts{EnableOpenMetrics: true}).ServeHTTP(page, scrape)
		if got := strings.Count(page.Body.String(), `# {trace_id="0af7651916cd43dd8448eb211c80319c"}`); got != want {
			t.Errorf("%s: %d exemplars, want %d", sampler.Description(), got, want)
		}
	}
}
