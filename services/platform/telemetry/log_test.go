package telemetry_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"go.opentelemetry.io/otel/trace"

	"baari.dev/services/platform/request"
	"baari.dev/services/platform/telemetry"
)

func TestALogLineHasTimeServiceAndRequest(t *testing.T) {
	var out bytes.Buffer
	span := trace.NewSpanContext(trace.SpanContextConfig{TraceID: trace.TraceID{1}, SpanID: trace.SpanID{2}})
	ctx := request.With(trace.ContextWithSpanContext(context.Background(), span), request.Info{ID: "desk-1/42"})
	telemetry.NewLogger(&out, "visits", "json", slog.LevelInfo).WarnContext(
		ctx, "rejected", "route", "GET /api/visits", "code", "busy",
	)
	// ASVS 16.2.4
	var line map[string]any
	if err := json.Unmarshal(out.Bytes(), &line); err != nil || strings.Count(out.String(), "\n") != 1 {
		t.Fatalf("%v in %q", err, out.String())
	}
	// ASVS 16.2.1
	for name, want := range map[string]string{
		"level": "WARN", "msg": "rejected", "service": "visits", "request_id": "desk-1/42",
		"route": "GET /api/visits", "code": "busy",
		"trace_id": "01000000000000000000000000000000", "span_id": "0200000000000000",
	} {
		if line[name] != want {
			t.Errorf("%s is %v, want %s", name, line[name], want)
		}
	}
	// ASVS 16.2.2
	at, _ := line["time"].(string)
	if _, err := time.Parse(time.RFC3339Nano, at); err != nil {
		t.Errorf("the time is %q, which has no zone: %v", at, err)
	}
}

func TestValuesCannotForgeLogLines(t *testing.T) {
	const forged = "x\n{\"level\":\"INFO\",\"msg\":\"all is well\"}\r\nlevel=INFO msg=\"all is well\"\u2028\x1b[2K\x00"
	for _, format := range []string{"json", "text"} {
		var out bytes.Buffer
		log := telemetry.NewLogger(&out, "visits", format, slog.LevelInfo)
		log.ErrorContext(request.With(context.Background(), request.Info{
			ID: forged,
		}), forged, "cause", errors.New(forged), "agent", forged)
		// ASVS 16.4.1
		if text := out.String(); strings.Count(text, "\n") != 1 || strings.ContainsAny(text, "\r\x1b\x00") {
			t.Errorf("%s: %q", format, text)
		}
	}
}
