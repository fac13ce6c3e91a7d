package postgres_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"

	"baari.dev/services/platform/postgres"
	"baari.dev/services/platform/telemetry"
	"baari.dev/services/platform/testkit"
)

// recordOnly is a sampler that records spans without sampling them, as for traces that the head sampler leaves out.
type recordOnly struct{}

func (recordOnly) ShouldSample(sdk.SamplingParameters) sdk.SamplingResult {
	return sdk.SamplingResult{Decision: sdk.RecordOnly}
}
func (recordOnly) Description() string { return "RecordOnly" }

// In a sampled trace each statement has a span. In a trace that is recorded but not sampled, only a failed statement
// has a span, which explains the failure. No span contains a value.
func TestWhichStatementsHaveSpans(t *testing.T) {
	before := otel.GetTracerProvider()
	t.Cleanup(func() { otel.SetTracerProvider(before) })
	for _, c := range []struct {
		sampler      sdk.Sampler
		well, failed []string
	}{
		{
			sdk.AlwaysSample(), []string{"COPY", "SELECT", "SELECT", "UPDATE", "request"},
			[]string{"INSERT", "INSERT", "request"},
		},
		{recordOnly{}, []string{"request"}, []string{"INSERT", "INSERT", "request"}},
		{sdk.NeverSample(), nil, nil},
	} {
		recorder := tracetest.NewSpanRecorder()
		otel.SetTracerProvider(sdk.NewTracerProvider(sdk.WithSampler(c.sampler), sdk.WithSpanProcessor(recorder)))
		db := testkit.NewDatabase(t, shelfSet())
		db.Pool.Reset()
		for _, work := range []struct {
			want []string
			do   func(context.Context) error
		}{
			{c.well, func(ctx context.Context) error {
				var note string
				if err := db.Pool.QueryRow(ctx, `SELECT note FROM shelf WHERE id = $1`, 1).Scan(&note); err != nil {
					return err
				}
				if _, err := db.Pool.CopyFrom(
					ctx, pgx.Identifier{"shelf"}, []string{"id", "note"}, pgx.CopyFromRows([][]any{{7, "canary"}}),
				); err != nil {
					return err
				}
				batch := &pgx.Batch{}
				batch.Queue(`SELECT 1`)
				batch.Queue(`UPDATE shelf SET note = $1`, "canary")
				return db.Pool.SendBatch(ctx, batch).Close()
			}},
			{c.failed, func(ctx context.Context) error {
				if _, err := db.Pool.Exec(ctx, `INSERT INTO shelf VALUES ($1, $2)`, 1, "canary"); postgres.Code(err) != "23505" {
					return fmt.Errorf("the first insert: %w", err)
				}
				batch := &pgx.Batch{}
				batch.Queue(`INSERT INTO shelf VALUES ($1, $2)`, 2, "canary")
				if err := db.Pool.SendBatch(ctx, batch).Close(); postgres.Code(err) != "23505" {
					return fmt.Errorf("the batch: %w", err)
				}
				return nil
			}},
		} {
			recorder.Reset()
			ctx, span := otel.Tracer("test").Start(t.Context(), "request")
			if err := work.do(ctx); err != nil {
				t.Fatal(err)
			}
			span.End()
			check(t, c.sampler.Description(), recorder.Ended(), work.want)
		}
	}
}

// If another program's trace is not sampled, a failed statement has a span under that program's span.
func TestAFailedStatementOfARemoteTraceHasASpan(t *testing.T) {
	collector := testkit.NewCollector(t)
	t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", collector.URL)
	config := telemetry.TracingConfig{Exporter: "otlp", Sampler: "parentbased_always_off"}
	kept, err := telemetry.NewTracing(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	before := otel.GetTracerProvider()
	otel.SetTracerProvider(kept.Provider())
	t.Cleanup(func() { otel.SetTracerProvider(before) })
	db := testkit.NewDatabase(t, shelfSet())
	request := trace.NewSpanContext(trace.SpanContextConfig{
		TraceID: trace.TraceID{1}, SpanID: trace.SpanID{2}, Remote: true,
	})
	ctx := trace.ContextWithRemoteSpanContext(t.Context(), request)
	if _, err := db.Pool.Exec(ctx, `UPDATE shelf SET note = $1`, "canary"); err != nil {
		t.Fatal(err)
	}
	if _, err := db.Pool.Exec(ctx, `INSERT INTO shelf VALUES ($1, $2)`, 1, "canary"); postgres.Code(err) != "23505" {
		t.Fatal(err)
	}
	kept.Shutdown(t.Context())
	exported := collector.Spans()
	if len(exported) != 1 || exported[0].Name != "INSERT" || !exported[0].Failed ||
		exported[0].Parent != request.SpanID().String() {
		t.Errorf("exported %+v", exported)
	}
}

func check(t *testing.T, sampler string, ended []sdk.ReadOnlySpan, want []string) {
	t.Helper()
	var names []string
	for _, span := range ended {
		text := fmt.Sprint(span.Name(), span.Attributes(), span.Events(), span.Status())
		if strings.Contains(text, "canary") {
			t.Errorf("%s: a span contains %s", sampler, text)
		}
		names = append(names, span.Name())
		if span.Name() == "INSERT" && (span.Status().Code != codes.Error || !slices.Contains(
			span.Attributes(), attribute.String("db.response.status_code", "23505"),
		)) {
			t.Errorf("%s: the rejected insert is %s", sampler, text)
		}
	}
	slices.Sort(names)
	if !slices.Equal(names, want) {
		t.Errorf("%s: spans of %q, want %q", sampler, names, want)
	}
}
