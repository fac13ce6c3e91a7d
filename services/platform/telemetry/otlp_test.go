package telemetry

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"go.opentelemetry.io/otel/exporters/otlp/otlptrace"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	otlp "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"
)

func variables(pairs ...string) func(string) string {
	values := map[string]string{}
	for i := 0; i < len(pairs); i += 2 {
		values["OTEL_EXPORTER_OTLP_"+pairs[i]] = pairs[i+1]
	}
	return func(name string) string { return values[name] }
}

func TestSpansAreSentAsACollectorReadsThem(t *testing.T) {
	var got otlp.TracesData
	status := http.StatusOK
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if err := proto.Unmarshal(body, &got); err != nil || r.URL.Path != "/base/v1/traces" ||
			r.Header.Get("Authorization") != "Bearer a=b" || r.Header.Get("Content-Type") != "application/x-protobuf" {
			t.Errorf("%v: %s %v", err, r.URL, r.Header)
		}
		w.WriteHeader(status)
	}))
	defer server.Close()
	to, err := newCollector(variables(
		"ENDPOINT", server.URL+"/base/", "HEADERS", "authorization=Bearer%20a=b, x-office = north", "TIMEOUT", "2000",
		"PROTOCOL", "http/protobuf",
	))
	if err != nil {
		t.Fatal(err)
	}
	exporter, err := otlptrace.New(t.Context(), to)
	if err != nil {
		t.Fatal(err)
	}
	provider := sdk.NewTracerProvider(sdk.WithSyncer(exporter))
	_, span := provider.Tracer("test").Start(t.Context(), "GET /api/visits")
	span.End()
	if spans := got.GetResourceSpans(); len(spans) != 1 ||
		spans[0].GetScopeSpans()[0].GetSpans()[0].GetName() != "GET /api/visits" {
		t.Errorf("the collector got %v", spans)
	}
	status = http.StatusServiceUnavailable
	if err := to.UploadTraces(context.Background(), nil); err == nil || !strings.Contains(err.Error(), "503") {
		t.Errorf("a refused batch gives %v", err)
	}
	if err := provider.Shutdown(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestAWrongSettingOfTheExporterIsNamed(t *testing.T) {
	for want, pairs := range map[string][]string{
		"PROTOCOL": {"PROTOCOL", "grpc"},
		"ENDPOINT": {"ENDPOINT", "collector:4318"},
		"HEADERS":  {"HEADERS", "a=%zz"},
		"TIMEOUT":  {"TIMEOUT", "10s"},
	} {
		if _, err := newCollector(variables(pairs...)); err == nil ||
			!strings.HasPrefix(err.Error(), "OTEL_EXPORTER_OTLP_"+want+":") {
			t.Errorf("%v gives %v", pairs, err)
		}
	}
	if _, err := newExporter(t.Context(), "zipkin"); err == nil {
		t.Error("an unknown exporter is taken")
	}
}
