package postgres

import (
	"context"
	"errors"

	"github.com/exaring/otelpgx"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// tracer makes a span of each statement within a trace. It tells the statement, which holds no values, but of a refusal
// only the code: PostgreSQL repeats values in its sentences.
type tracer struct{ *otelpgx.Tracer }

func newTracer() tracer {
	return tracer{otelpgx.NewTracer(otelpgx.WithDisableAcquireTracer(), otelpgx.WithDisableConnectionDetailsInAttributes())}
}

// TraceQueryEnd implements pgx.QueryTracer.
func (t tracer) TraceQueryEnd(ctx context.Context, conn *pgx.Conn, data pgx.TraceQueryEndData) {
	data.Err = mute(data.Err)
	t.Tracer.TraceQueryEnd(ctx, conn, data)
}

// TraceBatchQuery implements pgx.BatchTracer.
func (t tracer) TraceBatchQuery(ctx context.Context, conn *pgx.Conn, data pgx.TraceBatchQueryData) {
	data.Err = mute(data.Err)
	t.Tracer.TraceBatchQuery(ctx, conn, data)
}

// TraceBatchEnd implements pgx.BatchTracer.
func (t tracer) TraceBatchEnd(ctx context.Context, conn *pgx.Conn, data pgx.TraceBatchEndData) {
	data.Err = mute(data.Err)
	t.Tracer.TraceBatchEnd(ctx, conn, data)
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
