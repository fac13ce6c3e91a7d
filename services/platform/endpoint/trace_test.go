package endpoint_test

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"go.opentelemetry.io/otel"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"baari.dev/services/platform/endpoint"
)

// P5: a trace tells the route, never the path or the query: links of mails carry tokens there, searches carry names.
func TestATraceTellsTheRouteAndNobody(t *testing.T) {
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
		if text := fmt.Sprint(span.Name(), span.Attributes(), span.Events()); strings.Contains(text, "canary") {
			t.Errorf("it tells %s", text)
		}
	}
}
