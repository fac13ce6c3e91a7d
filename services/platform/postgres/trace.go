package postgres

import (
	"context"
	"errors"
	"time"

	"github.com/exaring/otelpgx"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"
)

// tracer makes a span of each statement within a trace that is sampled. It tells the statement, which holds no values, but
// of a refusal only the code: PostgreSQL repeats values in its sentences. Where the head does not sample, only a statement
// that fails has a span, made when it has failed: the others would cost more than all else that traces do.
type tracer struct{ *otelpgx.Tracer }

func newTracer() tracer {
	return tracer{otelpgx.NewTracer(otelpgx.WithDisableAcquireTracer(), otelpgx.WithDisableConnectionDetailsInAttributes())}
}

// TraceQueryStart implements pgx.QueryTracer.
func (t tracer) TraceQueryStart(ctx context.Context, conn *pgx.Conn, data pgx.TraceQueryStartData) context.Context {
	if sampled(ctx) {
		return t.Tracer.TraceQueryStart(ctx, conn, data)
	}
	return begin(ctx, data.SQL)
}

// TraceQueryEnd implements pgx.QueryTracer.
func (t tracer) TraceQueryEnd(ctx context.Context, conn *pgx.Conn, data pgx.TraceQueryEndData) {
	data.Err = mute(data.Err)
	if !sampled(ctx) {
		tellFailure(ctx, "", data.Err)
		return
	}
	t.Tracer.TraceQueryEnd(ctx, conn, data)
}

// TraceBatchStart implements pgx.BatchTracer.
func (t tracer) TraceBatchStart(ctx context.Context, conn *pgx.Conn, data pgx.TraceBatchStartData) context.Context {
	if sampled(ctx) {
		return t.Tracer.TraceBatchStart(ctx, conn, data)
	}
	return begin(ctx, "")
}

// TraceBatchQuery implements pgx.BatchTracer.
func (t tracer) TraceBatchQuery(ctx context.Context, conn *pgx.Conn, data pgx.TraceBatchQueryData) {
	data.Err = mute(data.Err)
	if !sampled(ctx) {
		tellFailure(ctx, data.SQL, data.Err)
		return
	}
	t.Tracer.TraceBatchQuery(ctx, conn, data)
}

// TraceBatchEnd implements pgx.BatchTracer. Outside a sample there is nothing to end: its statements have told.
func (t tracer) TraceBatchEnd(ctx context.Context, conn *pgx.Conn, data pgx.TraceBatchEndData) {
	if sampled(ctx) {
		data.Err = mute(data.Err)
		t.Tracer.TraceBatchEnd(ctx, conn, data)
	}
}

// TracePrepareEnd implements pgx.PrepareTracer.
func (t tracer) TracePrepareEnd(ctx context.Context, conn *pgx.Conn, data pgx.TracePrepareEndData) {
	data.Err = mute(data.Err)
	t.Tracer.TracePrepareEnd(ctx, conn, data)
}

// TraceCopyFromEnd implements pgx.CopyFromTracer.
func (t tracer) TraceCopyFromEnd(ctx context.Context, conn *pgx.Conn, data pgx.TraceCopyFromEndData) {
	data.Err = mute(data.Err)
	t.Tracer.TraceCopyFromEnd(ctx, conn, data)
}

// sampled reports whether the head samples what is under way.
func sampled(ctx context.Context) bool { return trace.SpanContextFromContext(ctx).IsSampled() }

// begun is a statement that has a span only if it fails; sql is empty for a batch.
type begun struct {
	sql string
	at  time.Time
}

type begunKey struct{}

func begin(ctx context.Context, sql string) context.Context {
	if !trace.SpanFromContext(ctx).IsRecording() {
		return ctx
	}
	return context.WithValue(ctx, begunKey{}, begun{sql, time.Now()})
}

// tellFailure makes the span of a statement that was begun and has failed.
func tellFailure(ctx context.Context, sql string, muted error) {
	b, known := ctx.Value(begunKey{}).(begun)
	if !known || muted == nil || errors.Is(muted, pgx.ErrNoRows) {
		return
	}
	if sql == "" {
		sql = b.sql
	}
	_, span := otel.Tracer("baari.dev/services/platform/postgres").Start(ctx, otelpgx.SQLOperationName(ctx, sql), trace.WithSpanKind(trace.SpanKindClient),
		trace.WithTimestamp(b.at), trace.WithAttributes(attribute.String("db.system.name", "postgresql"), attribute.String("db.query.text", sql)))
	if code := Code(muted); code != "" {
		span.SetAttributes(attribute.String("pgx.sql_state", code))
	}
	span.SetStatus(codes.Error, muted.Error())
	span.End()
}

// mute leaves of PostgreSQL's refusal its code, and of any other error that there was one.
func mute(err error) error {
	var refused *pgconn.PgError
	switch {
	case err == nil, errors.Is(err, pgx.ErrNoRows):
		return err
	case errors.As(err, &refused):
		return &pgconn.PgError{Severity: refused.Severity, Code: refused.Code, Message: "refused"}
	case errors.Is(err, context.Canceled):
		return context.Canceled
	}
	return errors.New("the statement was not answered")
}
