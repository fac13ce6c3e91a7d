package postgres

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"

	"baari.dev/services/platform/telemetry"
)

var tracing = telemetry.NewTracer("baari.dev/services/platform/postgres")

// tracer creates a span for each statement of a sampled trace, and for each failed statement of an unsampled trace that
// is recorded or remote. It does so when the statement has completed, because most need no span. A span has the
// statement, which contains no values; of an error it has only the code, because PostgreSQL's messages can have values.
type tracer struct{}

// TraceQueryStart implements pgx.QueryTracer.
func (tracer) TraceQueryStart(ctx context.Context, _ *pgx.Conn, data pgx.TraceQueryStartData) context.Context {
	return begin(ctx, data.SQL)
}

// TraceQueryEnd implements pgx.QueryTracer.
func (tracer) TraceQueryEnd(ctx context.Context, _ *pgx.Conn, data pgx.TraceQueryEndData) {
	if b, known := ctx.Value(begunKey{}).(*begun); known {
		b.record(ctx, b.sql, data.Err)
	}
}

// TraceBatchStart implements pgx.BatchTracer.
func (tracer) TraceBatchStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceBatchStartData) context.Context {
	return begin(ctx, "")
}

// TraceBatchQuery implements pgx.BatchTracer. A statement of a batch begins when the statement before it has completed.
func (tracer) TraceBatchQuery(ctx context.Context, _ *pgx.Conn, data pgx.TraceBatchQueryData) {
	if b, known := ctx.Value(begunKey{}).(*begun); known {
		b.record(ctx, data.SQL, data.Err)
		b.at = time.Now()
	}
}

// TraceBatchEnd implements pgx.BatchTracer. TraceBatchQuery has recorded each statement whose result was read;
// statements after a failed one, and all statements of a batch that could not be sent, have no span.
func (tracer) TraceBatchEnd(context.Context, *pgx.Conn, pgx.TraceBatchEndData) {}

// TraceCopyFromStart implements pgx.CopyFromTracer.
func (tracer) TraceCopyFromStart(ctx context.Context, _ *pgx.Conn, data pgx.TraceCopyFromStartData) context.Context {
	return begin(ctx, "COPY "+data.TableName.Sanitize()+" FROM STDIN")
}

// TraceCopyFromEnd implements pgx.CopyFromTracer.
func (t tracer) TraceCopyFromEnd(ctx context.Context, conn *pgx.Conn, data pgx.TraceCopyFromEndData) {
	t.TraceQueryEnd(ctx, conn, pgx.TraceQueryEndData{Err: data.Err})
}

// begun is the context of a statement that is executing; sql is empty for a batch.
type begun struct {
	context.Context
	within trace.Span
	sql    string
	at     time.Time
}

type begunKey struct{}

// Value implements context.Context.
func (b *begun) Value(key any) any {
	if key == (begunKey{}) {
		return b
	}
	return b.Context.Value(key)
}

func begin(ctx context.Context, sql string) context.Context {
	within := trace.SpanFromContext(ctx)
	if own := within.SpanContext(); !own.IsSampled() && !own.IsRemote() && !within.IsRecording() {
		return ctx // spans are not recorded
	}
	return &begun{ctx, within, sql, time.Now()}
}

// record creates the span of a completed statement, named by its first word, with the attributes of
// https://opentelemetry.io/docs/specs/semconv/database/postgresql/.
func (b *begun) record(ctx context.Context, sql string, err error) {
	failed := err != nil && !errors.Is(err, pgx.ErrNoRows)
	if !failed && !b.within.SpanContext().IsSampled() {
		return
	}
	name := operation(sql)
	_, span := tracing.Start(ctx, name, trace.WithSpanKind(trace.SpanKindClient), trace.WithTimestamp(b.at),
		trace.WithAttributes(
			attribute.String("db.system.name", "postgresql"),
			attribute.String("db.operation.name", name),
			attribute.String("db.query.text", sql),
		))
	if failed {
		code, what := reason(err)
		if code != "" {
			span.SetAttributes(attribute.String("db.response.status_code", code), attribute.String("error.type", code))
		}
		span.SetStatus(codes.Error, what)
	}
	span.End()
}

func operation(sql string) string {
	for word := range strings.FieldsSeq(sql) {
		return strings.ToUpper(word)
	}
	return "unknown"
}

// reason returns the SQLSTATE of PostgreSQL's error, or a fixed text for any other error.
func reason(err error) (code, what string) {
	var rejected *pgconn.PgError
	switch {
	case errors.As(err, &rejected):
		return rejected.Code, "rejected"
	case errors.Is(err, context.Canceled):
		return "", context.Canceled.Error()
	}
	return "", "the statement was not answered"
}
