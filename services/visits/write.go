package visits

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/idempotency"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/visits/visit"
)

// batchTimeout bounds the transaction of a batch, without its commit.
const batchTimeout = 6 * time.Second

// errAgain is the outcome of a command that its batch has left out: it must be written again, alone.
var errAgain = errors.New("left out of the batch")

// do carries out a command, in a batch when with is not nil. A service or consultant that the projection of directory
// does not have is requested from directory once.
func (s *Service) do(c *command, with *batcher[*command, result]) (res result, err error) {
	err = errAgain
	if with != nil {
		res, err = with.submit(c.ctx, c)
	}
	if errors.Is(err, errAgain) {
		res, err = s.writeAlone(c)
	}
	if errors.Is(err, errServiceUnknown) || errors.Is(err, errConsultantUnavailable) {
		found, failed := s.directory.fetchMissing(c)
		if failed != nil {
			return result{}, failed
		}
		if found {
			res, err = s.writeAlone(c)
		}
	}
	return res, err
}

// movedTries is how often a command is written if another transaction assigns its visit each time.
const movedTries = 3

func (s *Service) writeAlone(c *command) (res result, err error) {
	for range movedTries {
		var outcomes []outcome[result]
		if outcomes, err = s.write(c.ctx, []*command{c}); err == nil {
			res, err = outcomes[0].result, outcomes[0].err
		}
		if !errors.Is(err, errMoved) {
			return res, err
		}
	}
	return result{}, fault.ErrBusy.Because(err)
}

// commit is the commit function of the batchers: it carries out a batch in one transaction, which is not cancelled with
// the request of any of its commands. After errMoved, a single command is written again like those of a failed batch.
func (s *Service) commit(batch []*command) []outcome[result] {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(batch[0].ctx), batchTimeout)
	defer cancel()
	outcomes, err := s.write(ctx, batch)
	if err == nil {
		return outcomes
	}
	for i := range outcomes {
		of := err
		if len(batch) > 1 || errors.Is(err, errMoved) {
			of = batchError(err, outcomes[i].result.changed)
		}
		outcomes[i] = outcome[result]{err: of}
	}
	return outcomes
}

// batchError is the outcome of a command whose batch failed. If PostgreSQL is unavailable it is the batch's error; an
// unknown outcome concerns only commands that were written. In all other cases it is errAgain: the error may concern
// one command only, so each is written again, alone.
func batchError(err error, written bool) error {
	if fault.Of(err).Kind == fault.Unavailable && (written || !errors.Is(err, fault.ErrUnknownOutcome)) {
		return err
	}
	return errAgain
}

// write carries out commands in one transaction: it locks what they need, plans each, writes the planned changes, their
// events and the answers of their idempotency keys, and commits. It returns the outcome of each command, also with an
// error. A single command waits for locks, and its rejection is the error of the transaction. In a batch, the outcome
// of commands that would wait, that repeat a key or are rejected and have one, or that refer to something unknown is
// errAgain.
func (s *Service) write(ctx context.Context, batch []*command) (outcomes []outcome[result], err error) {
	outcomes = leftOut(batch)
	err = s.outbox.InTx(ctx, func(tx pgx.Tx) (err error) {
		outcomes, err = s.writeIn(ctx, tx, batch)
		return err
	})
	return outcomes, err
}

// leftOut returns errAgain for each command.
func leftOut(batch []*command) []outcome[result] {
	outcomes := make([]outcome[result], len(batch))
	for i := range outcomes {
		outcomes[i].err = errAgain
	}
	return outcomes
}

// writeIn is write in a transaction of the caller.
func (s *Service) writeIn(ctx context.Context, tx pgx.Tx, batch []*command) ([]outcome[result], error) {
	if batch[0].isNext() {
		return s.callNext(ctx, tx, batch)
	}
	outcomes := leftOut(batch)
	alone := len(batch) == 1
	if alone {
		stored := &visitAnswer{}
		if replayed, err := batch[0].key.Reserve(ctx, tx, stored); err != nil || replayed {
			outcomes[0] = outcome[result]{result: result{replayed: stored}}
			return outcomes, err
		}
	}
	have, err := s.store.lock(ctx, tx, batch)
	if err != nil {
		return outcomes, err
	}
	plans, rejected, err := planAll(batch, have, outcomes)
	if err == nil {
		err = rejectUnanswered(ctx, tx, rejected, outcomes)
	}
	if err != nil {
		return outcomes, err
	}
	if alone && len(plans) == 0 { // a repetition
		return outcomes, batch[0].key.Store(ctx, tx, answerOf(outcomes[0].result.snapshot, batch[0].by))
	}
	if !alone {
		if plans, err = reserve(ctx, tx, plans); err != nil {
			return outcomes, err
		}
	}
	if err := s.apply(ctx, tx, plans, outcomes); err != nil || batch[0].askedAt.IsZero() {
		return outcomes, err
	}
	registered := &outcomes[0].result.snapshot
	*registered, err = s.eraseSent(ctx, tx, *registered, batch[0].askedAt)
	return outcomes, err
}

// planAll plans each command and returns the changes to write, and the rejections. It sets the outcomes of repetitions,
// which change nothing. The rejection of a single command is returned as an error, which rolls back its idempotency
// key.
func planAll(
	batch []*command, have *locked, outcomes []outcome[result],
) (plans []*planned, rejected []rejection, err error) {
	alone := len(batch) == 1
	for i, c := range batch {
		p, err := c.plan(have)
		switch {
		case p != nil:
			p.index = i
			plans = append(plans, p)
			delete(have.visits, c.id) // a second command of the batch about the same visit is left out
		case alone && err != nil:
			return nil, nil, err
		case err == nil:
			outcomes[i] = outcome[result]{result: result{snapshot: have.visits[c.id]}}
		case !isUnknown(err):
			rejected = append(rejected, rejection{c.key, i, outcome[result]{result{snapshot: have.visits[c.id]}, err}})
		}
	}
	return plans, rejected, nil
}

// isUnknown reports whether the error may go away when the command is written alone.
func isUnknown(err error) bool {
	return errors.Is(err, errNoVisit) || errors.Is(err, errServiceUnknown) || errors.Is(err, errConsultantUnavailable)
}

// rejection is the outcome of a rejected command of a batch.
type rejection struct {
	key     idempotency.Key
	index   int // of the command
	outcome outcome[result]
}

// rejectUnanswered sets the outcomes of the rejections whose keys have no answer. A key that has one is answered with
// it before any rule: its command stays errAgain. The keys are read after what the rules have read, so that a change
// for which a repetition is rejected is committed together with its key before.
func rejectUnanswered(ctx context.Context, tx pgx.Tx, all []rejection, outcomes []outcome[result]) error {
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
			outcomes[r.index] = r.outcome
		}
	}
	return nil
}

// reserve reserves the idempotency keys of a batch and returns the plans whose keys were not used before.
func reserve(ctx context.Context, tx pgx.Tx, plans []*planned) (reserved []*planned, err error) {
	keys := make([]idempotency.Key, len(plans))
	for i, p := range plans {
		keys[i] = p.command.key
	}
	free, err := idempotency.ReserveAll(ctx, tx, keys)
	for i, p := range plans {
		if err == nil && free[i] {
			reserved = append(reserved, p)
		}
	}
	return reserved, err
}

// apply writes planned changes: the visits, what the calls of visitors change beside them, the events, and the answers
// of their keys, after the answers of commands that change nothing. It sets the outcomes of the changes.
func (s *Service) apply(
	ctx context.Context, tx pgx.Tx, plans []*planned, outcomes []outcome[result], answers ...idempotency.Response,
) error {
	registrations, changes := split(plans)
	registered, err := s.store.insert(ctx, tx, registrations)
	if err != nil {
		return err
	}
	updated, err := s.store.update(ctx, tx, changes)
	if err != nil {
		return err
	}
	// One round trip: other transactions wait for the line and the day's counter until this one commits.
	writes := &pgx.Batch{}
	var events []outbox.Entry
	written := func(p *planned, now snapshot) {
		now.Last = p.last(now.At.Clock)
		p.after = now.Visit
		events = append(events, p.entry())
		res := result{snapshot: now, changed: true, next: p.next, undone: p.undone()}
		stored := res.stored(p.command.by)
		res.next, _ = stored.(*nextAnswer)
		answers = append(answers, idempotency.Response{Key: p.command.key, Answer: stored})
		outcomes[p.index] = outcome[result]{result: res}
	}
	for i, p := range registrations {
		now := registered[i]
		noted, err := queueDocuments(writes, &now, p.command)
		if err != nil {
			return err
		}
		written(p, now)
		events = append(append(events, noted...), queueConsents(writes, now.Visit, p.command)...)
	}
	for _, p := range changes {
		if now, ok := updated[p.after.ID]; ok {
			written(p, now)
		} else {
			outcomes[p.index] = outcome[result]{err: visit.ErrStale}
		}
	}
	queueSideEffects(writes, changes)
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

// stored is the answer that is stored under the idempotency key.
func (r result) stored(by visit.Actor) any {
	answer := answerOf(r.snapshot, by)
	if r.next == nil {
		return answer
	}
	next := *r.next
	next.Visit, next.Feed = &answer.Visit, answer.Feed
	return &next
}
