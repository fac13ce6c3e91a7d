package queue

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/idempotency"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/visits/catalog"
	"baari.dev/services/visits/row"
	"baari.dev/services/visits/visit"
)

// batchTimeout bounds the transaction of a batch, without its commit.
const batchTimeout = 6 * time.Second

// errAgain is the reply to a command that its batch has left out. The command must be written again, alone.
var errAgain = errors.New("left out of the batch")

// writer carries out the commands of one type.
type writer[C command] struct {
	outbox    *outbox.Outbox
	directory *catalog.Directory
	writeIn   func(ctx context.Context, tx pgx.Tx, batch []C) ([]reply[Outcome], error) // uses the caller's transaction
	batches   *batcher[C, Outcome]
}

func newWriter[C command](
	o *outbox.Outbox, d *catalog.Directory, patience time.Duration,
	writeIn func(context.Context, pgx.Tx, []C) ([]reply[Outcome], error),
) *writer[C] {
	w := &writer[C]{outbox: o, directory: d, writeIn: writeIn}
	w.batches = &batcher[C, Outcome]{commit: w.commit, patience: patience}
	return w
}

// do carries out a command, in a batch or alone. A service or consultant that is not in the projection of directory is
// fetched from directory once, and so is an appointment that the projection does not have as usable.
func (w *writer[C]) do(c C, batched bool) (res Outcome, err error) {
	err = errAgain
	if batched {
		res, err = w.batches.submit(c.origin().Context, c)
	}
	if errors.Is(err, errAgain) {
		res, err = w.alone(c)
	}
	if isUnknownToCopy(err) {
		names := c.names()
		if !errors.Is(err, catalog.ErrAppointmentUnknown) {
			names.Appointment = ""
		}
		found, failed := w.directory.Fetch(c.origin().Context, names)
		if failed != nil {
			return Outcome{}, failed
		}
		if found {
			res, err = w.alone(c)
		}
	}
	return res, err
}

// isUnknownToCopy reports whether a command may be allowed after directory was asked.
func isUnknownToCopy(err error) bool {
	return errors.Is(err, catalog.ErrServiceUnknown) || errors.Is(err, catalog.ErrConsultantUnavailable) ||
		errors.Is(err, catalog.ErrAppointmentUnknown) && !errors.Is(err, errTaken)
}

// movedTries is how often a command is written if its visit is assigned to another consultant each time.
const movedTries = 3

func (w *writer[C]) alone(c C) (res Outcome, err error) {
	for range movedTries {
		var replies []reply[Outcome]
		if replies, err = w.write(c.origin().Context, []C{c}); err == nil {
			res, err = replies[0].result, replies[0].err
		}
		if !errors.Is(err, errMoved) {
			return res, err
		}
	}
	return Outcome{}, fault.ErrBusy.Because(err)
}

// commit is the commit function of the batcher: it carries out a batch in one transaction, which no single request
// cancels. After errMoved, a single command is written again, like the commands of a failed batch.
func (w *writer[C]) commit(batch []C) []reply[Outcome] {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(batch[0].origin().Context), batchTimeout)
	defer cancel()
	replies, err := w.write(ctx, batch)
	if err == nil {
		return replies
	}
	for i := range replies {
		of := err
		if len(batch) > 1 || errors.Is(err, errMoved) {
			of = batchError(err, replies[i].result.Changed)
		}
		replies[i] = reply[Outcome]{err: of}
	}
	return replies
}

// batchError is the error of a command whose batch failed: the error of the batch if PostgreSQL is unavailable, or else
// errAgain. The error may concern one command only, so each is written again, alone. An unknown outcome applies only to
// commands that were written.
func batchError(err error, written bool) error {
	if fault.Of(err).Kind == fault.Unavailable && (written || !errors.Is(err, fault.ErrUnknownOutcome)) {
		return err
	}
	return errAgain
}

// write carries out commands in one transaction: it locks what they need, plans each, writes the plans, the events and
// the responses under idempotency keys, and commits. It returns the reply to each command, also with an error. A single
// command waits for locks, and its rejection is the error of the transaction. In a batch the reply is errAgain to
// commands that would wait, that repeat a key, that come second for a visit, or that refer to an unknown record.
func (w *writer[C]) write(ctx context.Context, batch []C) (replies []reply[Outcome], err error) {
	replies = leftOut(len(batch))
	err = w.outbox.InTx(ctx, func(tx pgx.Tx) (err error) {
		replies, err = w.writeIn(ctx, tx, batch)
		return err
	})
	return replies, err
}

func leftOut(count int) []reply[Outcome] {
	replies := make([]reply[Outcome], count)
	for i := range replies {
		replies[i].err = errAgain
	}
	return replies
}

// writeRegistrations is the writeIn of registrations. If the person was erased after the visitor asked for a token, the
// new visit is erased, too.
func (q *Queue) writeRegistrations(
	ctx context.Context, tx pgx.Tx, batch []*Registration,
) ([]reply[Outcome], error) {
	replies, err := writePlanned(ctx, q, tx, batch)
	if err != nil || batch[0].AskedAt.IsZero() || replies[0].result.Replayed != nil {
		return replies, err
	}
	registered := &replies[0].result.Snapshot
	*registered, err = q.privacy.EraseSent(ctx, tx, *registered, batch[0].AskedAt)
	return replies, err
}

func (q *Queue) writeChanges(ctx context.Context, tx pgx.Tx, batch []*Change) ([]reply[Outcome], error) {
	return writePlanned(ctx, q, tx, batch)
}

// writePlanned locks what the commands need, plans them, and writes the plans.
func writePlanned[C planner](ctx context.Context, q *Queue, tx pgx.Tx, batch []C) ([]reply[Outcome], error) {
	replies := leftOut(len(batch))
	alone, first := len(batch) == 1, batch[0].origin()
	if alone {
		stored := &Answer{}
		if replayed, err := first.Key.Reserve(ctx, tx, stored); err != nil || replayed {
			replies[0] = reply[Outcome]{result: Outcome{Replayed: stored}}
			return replies, err
		}
	}
	var need needs
	for _, c := range batch {
		c.need(&need)
	}
	have, err := q.store.lock(ctx, tx, need, alone)
	if err != nil {
		return replies, err
	}
	plans, rejected, err := planAll(batch, have, replies)
	if err == nil {
		err = rejectUnanswered(ctx, tx, rejected, replies)
	}
	if err != nil {
		return replies, err
	}
	if alone && len(plans) == 0 { // a repetition
		return replies, first.Key.Store(ctx, tx, answerOf(replies[0].result.Snapshot, first.By))
	}
	if !alone {
		if plans, err = reserve(ctx, tx, plans); err != nil {
			return replies, err
		}
	}
	return replies, q.apply(ctx, tx, plans, replies)
}

// planAll plans each command and returns what is to be written and what is not: repetitions, which change nothing, and
// rejections. It sets the reply to the repetition of a single command. A single command's rejection is returned as an
// error, which rolls back its idempotency key.
func planAll[C planner](
	batch []C, have *locked, replies []reply[Outcome],
) (plans []*planned, rejected []rejection, err error) {
	alone := len(batch) == 1
	for i, c := range batch {
		p, err := c.plan(have)
		switch {
		case p != nil:
			p.index = i
			plans = append(plans, p)
			delete(have.visits, c.visitID()) // a second command of the batch about the same visit is left out
		case alone && err != nil:
			return nil, nil, err
		case alone:
			replies[i] = reply[Outcome]{result: Outcome{Snapshot: have.visits[c.visitID()]}}
		case err == nil || !isUnknown(err):
			of := reply[Outcome]{Outcome{Snapshot: have.visits[c.visitID()]}, err}
			rejected = append(rejected, rejection{c.origin().Key, i, of})
		}
	}
	return plans, rejected, nil
}

// isUnknown reports whether a record was not found. It may be found if the command is written alone.
func isUnknown(err error) bool {
	return errors.Is(err, row.ErrNoVisit) || errors.Is(err, catalog.ErrServiceUnknown) ||
		errors.Is(err, catalog.ErrConsultantUnavailable)
}

// rejection is the reply to a command that is rejected, or that repeats what its actor has done before.
type rejection struct {
	key   idempotency.Key
	index int
	reply reply[Outcome]
}

// rejectUnanswered sets the replies to the rejected commands whose keys have no stored response. The others stay
// errAgain, because a stored response takes precedence over any rule. The keys are read after the data of the rules: if
// a repetition is rejected because of its own earlier change, that change and its key were committed before.
func rejectUnanswered(ctx context.Context, tx pgx.Tx, all []rejection, replies []reply[Outcome]) error {
	keys := make([]idempotency.Key, len(all))
	for i, r := range all {
		keys[i] = r.key
	}
	used, err := idempotency.Used(ctx, tx, keys)
	if err != nil {
		return err
	}
	for i, r := range all {
		if !used[i] {
			replies[r.index] = r.reply
		}
	}
	return nil
}

// reserve reserves the idempotency keys of a batch and returns the plans whose keys were not used before.
func reserve(ctx context.Context, tx pgx.Tx, plans []*planned) (reserved []*planned, err error) {
	keys := make([]idempotency.Key, len(plans))
	for i, p := range plans {
		keys[i] = p.Key
	}
	free, err := idempotency.ReserveAll(ctx, tx, keys)
	for i, p := range plans {
		if err == nil && free[i] {
			reserved = append(reserved, p)
		}
	}
	return reserved, err
}

// apply writes the plans: the visits, the other rows that calls change, the events, and the responses under keys. It
// also writes answers, the responses of commands that change nothing, and sets the replies to the plans.
func (q *Queue) apply(
	ctx context.Context, tx pgx.Tx, plans []*planned, replies []reply[Outcome], answers ...idempotency.Response,
) error {
	stored, err := q.store.save(ctx, tx, plans)
	if err != nil {
		return err
	}
	// These writes take one round trip, because other transactions wait for the line or the day's counter meanwhile.
	writes := &pgx.Batch{}
	var events []outbox.Entry
	for i, p := range plans {
		now := stored[i]
		if now == nil {
			replies[p.index] = reply[Outcome]{err: visit.ErrStale}
			continue
		}
		ofPapers, err := p.queuePapers(writes, now)
		if err != nil {
			return err
		}
		now.Last = p.last(now.At.Clock)
		p.after = now.Visit
		events = append(append(events, p.entry()), ofPapers...)
		res := Outcome{Snapshot: *now, Changed: true, next: p.next, undone: p.undone()}
		answer := res.stored(p.By)
		res.next, _ = answer.(*nextAnswer)
		answers = append(answers, idempotency.Response{Key: p.Key, Answer: answer})
		replies[p.index] = reply[Outcome]{result: res}
	}
	queueSideEffects(writes, plans)
	if err := outbox.Queue(writes, events...); err != nil {
		return err
	}
	if err := idempotency.Queue(writes, answers...); err != nil || writes.Len() == 0 {
		return err
	}
	if err := tx.SendBatch(ctx, writes).Close(); err != nil {
		return fmt.Errorf("write side effects, events and answers: %w", err)
	}
	return nil
}

// stored is the response that is stored under the idempotency key.
func (r Outcome) stored(by visit.Actor) any {
	answer := answerOf(r.Snapshot, by)
	if r.next == nil {
		return answer
	}
	next := *r.next
	next.Visit, next.Feed = &answer.Visit, answer.Feed
	return &next
}
