package visits

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/idempotency"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/visits/visit"
)

// batchTimeout bounds the transaction of a batch, without its commit.
const batchTimeout = 6 * time.Second

// errAgain is the outcome of a command that its batch could not carry out: it is to be written again, alone.
var errAgain = errors.New("left out of the batch")

// do carries out a command, in a batch when with is not nil. A service or consultant that this service's copy does not
// have is read from directory once.
func (s *Service) do(c *command, with *batcher[*command]) error {
	err := errAgain
	if with != nil {
		err = with.submit(c)
	}
	if errors.Is(err, errAgain) {
		err = s.writeAlone(c)
	}
	if errors.Is(err, errServiceUnknown) || errors.Is(err, errConsultantUnavailable) {
		learned, failed := s.directory.learn(c)
		if failed != nil {
			return failed
		}
		if learned {
			err = s.writeAlone(c)
		}
	}
	return err
}

func (s *Service) writeAlone(c *command) error {
	outcomes, err := s.write(c.ctx, []*command{c})
	if err != nil {
		return err
	}
	c.result = outcomes[c].result
	return outcomes[c].err
}

// commit is the commit function of the batchers. The transaction does not end with the request of one of its commands.
func (s *Service) commit(batch []*command) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(batch[0].ctx), batchTimeout)
	defer cancel()
	outcomes, err := s.write(ctx, batch)
	for _, c := range batch {
		of, decided := outcomes[c]
		switch {
		case err != nil && len(batch) == 1:
			c.done <- err
		case err != nil:
			c.done <- batchError(err, of.changed)
		case decided:
			c.result = of.result
			c.done <- of.err
		default:
			c.done <- errAgain
		}
	}
}

// batchError is the outcome of a command whose batch failed. An error that may concern one command only makes each of
// them try alone, and so does an unknown outcome of the commit for a command that was no part of it.
func batchError(err error, written bool) error {
	if fault.Of(err).Kind == fault.Unavailable && (written || !errors.Is(err, fault.ErrUnknownOutcome)) {
		return err
	}
	return errAgain
}

// outcome is what became of one command of a transaction.
type outcome struct {
	result
	err error
}

// write carries out commands in one transaction: locks what they need, plans each, writes the planned changes, their
// events and their idempotency keys, and commits. It returns the outcome of each command. Alone, a command waits for
// locks, and a refusal is the error of the transaction. In a batch, commands that would wait, that repeat a key, or that
// refer to something unknown have no outcome.
func (s *Service) write(ctx context.Context, batch []*command) (outcomes map[*command]outcome, err error) {
	err = s.outbox.InTx(ctx, func(tx pgx.Tx) (err error) {
		outcomes, err = s.writeIn(ctx, tx, batch)
		return err
	})
	return outcomes, err
}

// writeIn is write in a transaction of the caller.
func (s *Service) writeIn(ctx context.Context, tx pgx.Tx, batch []*command) (map[*command]outcome, error) {
	alone := len(batch) == 1
	outcomes := make(map[*command]outcome, len(batch))
	if alone {
		stored := &visitAnswer{}
		if replayed, err := batch[0].key.Reserve(ctx, tx, stored); err != nil || replayed {
			outcomes[batch[0]] = outcome{result: result{replayed: stored}}
			return outcomes, err
		}
	}
	have, err := s.store.lock(ctx, tx, batch)
	if err != nil {
		return nil, err
	}
	var plans []*planned
	for _, c := range batch {
		p, err := c.plan(have)
		switch {
		case p != nil:
			plans = append(plans, p)
			delete(have.visits, c.id) // a second command of the batch about the same visit is left out
		case alone && err != nil:
			return nil, err // rolls back the reservation of its key
		case alone || !isUnknown(err):
			outcomes[c] = outcome{result{now: have.visits[c.id]}, err}
		}
	}
	if !alone {
		if plans, err = reserve(ctx, tx, plans); err != nil {
			return nil, err
		}
	}
	return outcomes, s.apply(ctx, tx, plans, outcomes)
}

// isUnknown reports whether the error may go away when the command is written alone.
func isUnknown(err error) bool {
	return errors.Is(err, errNoVisit) || errors.Is(err, errServiceUnknown) || errors.Is(err, errConsultantUnavailable)
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

// apply writes planned changes: the visits, their events and the answers of their keys. It adds their outcomes.
func (s *Service) apply(ctx context.Context, tx pgx.Tx, plans []*planned, outcomes map[*command]outcome) error {
	registrations, changes := split(plans)
	registered, err := s.store.insert(ctx, tx, registrations)
	if err != nil {
		return err
	}
	updated, err := s.store.update(ctx, tx, changes)
	if err != nil {
		return err
	}
	var events []outbox.Entry
	var answers []idempotency.Kept
	written := func(p *planned, now snapshot) {
		p.after = now.Visit
		events = append(events, p.entry())
		answers = append(answers, idempotency.Kept{Key: p.command.key, Answer: answerOf(now, p.command.by)})
		outcomes[p.command] = outcome{result: result{now: now, changed: true}}
	}
	for i, p := range registrations {
		written(p, registered[i])
	}
	for _, p := range changes {
		if now, ok := updated[p.after.ID]; ok {
			written(p, now)
		} else {
			outcomes[p.command] = outcome{err: visit.ErrStale}
		}
	}
	if err := outbox.AppendAll(ctx, tx, events...); err != nil {
		return err
	}
	return idempotency.StoreAll(ctx, tx, answers...)
}
