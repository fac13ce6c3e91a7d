package queue

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5"

	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/postgres"
	"baari.dev/services/visits/row"
	"baari.dev/services/visits/visit"
)

// system is the actor of changes that the service makes by itself.
var system = visit.Actor{Name: "System", Role: visit.System}

const (
	resumeEvery = 30 * time.Second // the interval at which late visitors whose hold has ended are resumed
	lockLimit   = time.Minute      // the longest sweep; each of its changes may wait two seconds for a lock
	sweepTicks  = 20               // the sweep after closing is every 10 minutes
	sweepAge    = 60 * time.Minute // More recent calls are not swept: the consultant may work late
)

// Sweep runs until ctx ends. One replica at a time resumes late visitors whose hold has ended, and after closing
// records called visitors who did not come.
func (q *Queue) Sweep(ctx context.Context, log *slog.Logger) error {
	ticker := time.NewTicker(resumeEvery)
	defer ticker.Stop()
	for tick := 0; ; tick++ {
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
		}
		if err := q.SweepOnce(ctx, tick%sweepTicks == 0); err != nil && ctx.Err() == nil {
			log.WarnContext(ctx, "the line is swept at the next tick", "cause", err)
		}
	}
}

// SweepOnce resumes late visitors whose hold has ended. If sweep is set and the office closed long enough ago, it also
// ends old calls, deletes drafts of ended visits, and closes desks. It does nothing while another replica runs it.
func (q *Queue) SweepOnce(ctx context.Context, sweep bool) error {
	if err := q.directory.ReadAgain(ctx); err != nil {
		return postgres.Classify(err)
	}
	return q.store.WithAdvisoryLock(ctx, "sweep", lockLimit, func() error {
		due, err := q.store.dueVisits(ctx)
		if err != nil {
			return err
		}
		err = q.changeAll(ctx, due.resume, visit.Resume)
		if sweep && due.closed {
			err = errors.Join(err, q.changeAll(ctx, due.sweep, visit.Sweep), q.store.dropDrafts(ctx), q.closeDesks(ctx))
		}
		return err
	})
}

// changeAll changes visits as the system. If a visit cannot be changed, it continues with the others.
func (q *Queue) changeAll(ctx context.Context, ids []string, action visit.Action) (failed error) {
	for _, id := range ids {
		_, err := q.ChangeBySystem(ctx, id, nil, action)
		failed = errors.Join(failed, err)
	}
	return failed
}

// closeDesks closes the desks without a visitor, and continues after an error. The closing of an active consultant's
// desk has an event, because screens show the state of the desk.
func (q *Queue) closeDesks(ctx context.Context) (failed error) {
	ids, err := q.store.unclosedDesks(ctx)
	if err != nil {
		return err
	}
	for _, id := range ids {
		err := q.outbox.InTx(ctx, func(tx pgx.Tx) error {
			before, after, err := q.store.changeDesk(ctx, tx, desk{ConsultantID: id, State: deskOff}, nil, system)
			switch {
			case err != nil:
				return err
			case before.Visit != nil || before.State == deskOff:
				return errDeskInUse
			}
			return outbox.Append(ctx, tx, deskChange(before, after))
		})
		if !errors.Is(err, errDeskInUse) && !errors.Is(err, row.ErrNoDesk) {
			failed = errors.Join(failed, err)
		}
	}
	return failed
}

// errDeskInUse rolls back the closing of a desk that has a visitor, or that was closed meanwhile.
var errDeskInUse = errors.New("the desk is in use")

// ChangeBySystem changes a visit as the system. A version that is not nil must be the visit's. changed is false if a
// user has changed the visit meanwhile.
func (q *Queue) ChangeBySystem(
	ctx context.Context, id string, version *int64, action visit.Action,
) (changed bool, err error) {
	res, err := q.Do(&Change{
		Origin: Origin{Context: ctx, By: system}, VisitID: id, Want: visit.Request{Action: action, Version: version},
	})
	if err == nil {
		return res.Changed, nil
	}
	err = row.APIError(err)
	if kind := fault.Of(err).Kind; kind == fault.Conflict || kind == fault.NotFound || kind == fault.Stale {
		return false, nil
	}
	return false, err
}
