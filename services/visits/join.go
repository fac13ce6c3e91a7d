package visits

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/idempotency"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/visits/visit"
)

const (
	// mostJoined is how many creates share a transaction at most.
	mostJoined = 64
	// joinPatience is how long those who wait stand behind a transaction that hangs, before they begin one of their own.
	joinPatience = 250 * time.Millisecond
	// joinedLimit is how long a shared transaction may take, without its commit.
	joinedLimit = 6 * time.Second
)

// errAlone says that a create was left out of its batch, or that the batch came to nothing: it is to be made by itself.
var errAlone = errors.New("to be made by itself")

// newcomer is one visitor who is being registered.
type newcomer struct {
	ctx context.Context // of the request: who asks, its id and trace
	by  visit.Actor
	req createVisit
	key idempotency.Key

	service string // its name
	made    seen
	settled chan error // one error, nil when made is committed; errAlone
}

func newNewcomer(ctx context.Context, by visit.Actor, req createVisit, key idempotency.Key) *newcomer {
	return &newcomer{ctx: ctx, by: by, req: req, key: key, settled: make(chan error, 1)}
}

// joiner lets creates that come while another is being committed share the next transaction: the day's counter lets one
// commit at a time through anyhow, and one commit for all waits for the disk once. Whoever comes when nobody is at it
// waits for nobody.
type joiner struct {
	commit func([]*newcomer) // settles each of them

	mu      sync.Mutex
	waiting []*newcomer
	leading bool // somebody takes those who wait
}

// join waits until n is settled. A caller who leaves while still waiting has registered nobody; one whose time runs
// out in the middle of a transaction does not know.
func (j *joiner) join(n *newcomer) error {
	j.mu.Lock()
	j.waiting = append(j.waiting, n)
	if !j.leading {
		j.leading = true
		go j.lead()
	}
	j.mu.Unlock()
	select {
	case err := <-n.settled:
		return err
	case <-n.ctx.Done():
	}
	if j.withdraw(n) {
		return n.ctx.Err()
	}
	if errors.Is(n.ctx.Err(), context.Canceled) {
		return <-n.settled // nobody reads the answer, but what is counted is true
	}
	select {
	case err := <-n.settled:
		return err
	default:
		return fault.ErrUnknownOutcome.Because(n.ctx.Err())
	}
}

// withdraw takes n out of those who wait; false when it is among them no more.
func (j *joiner) withdraw(n *newcomer) bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	for i, other := range j.waiting {
		if other == n {
			j.waiting = append(j.waiting[:i], j.waiting[i+1:]...)
			return true
		}
	}
	return false
}

// lead commits those who wait, batch after batch, until nobody does. One whose transaction hangs is left with it.
func (j *joiner) lead() {
	for {
		batch := j.next()
		if len(batch) == 0 {
			return
		}
		patience := time.AfterFunc(joinPatience, j.handOver)
		j.commit(batch)
		if !patience.Stop() {
			return
		}
	}
}

// next takes those who have waited longest. When nobody waits nobody leads any more.
func (j *joiner) next() []*newcomer {
	j.mu.Lock()
	defer j.mu.Unlock()
	count := min(len(j.waiting), mostJoined)
	j.leading = count > 0
	batch := j.waiting[:count:count]
	j.waiting = j.waiting[count:]
	return batch
}

// handOver lets others lead.
func (j *joiner) handOver() {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.leading = len(j.waiting) > 0
	if j.leading {
		go j.lead()
	}
}

// createJoined registers a batch in one transaction. Those who cannot be in it are to be made by themselves, and so are
// all when it fails for a reason that may be one's only. No caller who leaves takes the others along.
func (s *Service) createJoined(batch []*newcomer) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(batch[0].ctx), joinedLimit)
	defer cancel()
	var in map[*newcomer]bool
	err := s.outbox.InTx(ctx, func(tx pgx.Tx) (err error) {
		in, err = s.registerAll(ctx, tx, batch)
		return err
	})
	for _, n := range batch {
		switch {
		case err == nil && in[n]:
			n.settled <- nil
		case err != nil && fault.Of(err).Kind == fault.Unavailable && (in[n] || !errors.Is(err, fault.ErrUnknownOutcome)):
			n.settled <- err
		default:
			n.settled <- errAlone
		}
	}
}

// registerAll registers those of the batch whose service is known here and whose key nobody has used.
func (s *Service) registerAll(ctx context.Context, tx pgx.Tx, batch []*newcomer) (in map[*newcomer]bool, err error) {
	names, err := s.directory.serviceNames(ctx, tx, batch)
	if err != nil {
		return nil, err
	}
	keys := make([]idempotency.Key, 0, len(batch))
	known := make([]*newcomer, 0, len(batch))
	for i, n := range batch {
		if names[i] != "" {
			n.service = names[i]
			known, keys = append(known, n), append(keys, n.key)
		}
	}
	free, err := idempotency.ReserveAll(ctx, tx, keys)
	if err != nil {
		return nil, err
	}
	in = make(map[*newcomer]bool, len(known))
	first := known[:0]
	for i, n := range known {
		if free[i] {
			first, in[n] = append(first, n), true
		}
	}
	if len(first) == 0 {
		return in, nil
	}
	return in, s.register(ctx, tx, first)
}

// createAlone registers one newcomer, or answers what was answered under the same key before.
func (s *Service) createAlone(n *newcomer) (answer createdVisit, err error) {
	if err := s.directory.learnService(n.ctx, n.req.ServiceID); err != nil {
		return answer, err
	}
	err = s.outbox.InTx(n.ctx, func(tx pgx.Tx) error {
		answer = createdVisit{}
		replayed, err := n.key.Reserve(n.ctx, tx, &answer.visitAnswer)
		if err != nil || replayed {
			answer.replayed = replayed
			return err
		}
		if n.service, err = s.directory.serviceName(n.ctx, tx, n.req.ServiceID); err != nil {
			return err
		}
		return s.register(n.ctx, tx, []*newcomer{n})
	})
	if err == nil && !answer.replayed {
		answer.visitAnswer = answerOf(n.made, n.by)
	}
	return answer, err
}

// register gives each newcomer the day's next number, in their order, and lets each be told as its own request's doing.
func (s *Service) register(ctx context.Context, tx pgx.Tx, newcomers []*newcomer) error {
	visits := make([]visit.Visit, len(newcomers))
	for i, n := range newcomers {
		visits[i] = visit.Visit{
			ID: uuid.Must(uuid.NewV7()).String(), Name: n.req.Name, Phone: n.req.Phone, ServiceID: n.req.ServiceID, ServiceName: n.service,
			ReceptionNotes: n.req.Notes, CreatedBy: n.by.ID, CreatedByName: n.by.Name,
		}
	}
	made, err := s.store.create(ctx, tx, visits)
	if err != nil {
		return err
	}
	told := make([]outbox.Told, len(newcomers))
	kept := make([]idempotency.Kept, len(newcomers))
	for i, n := range newcomers {
		n.made = made[i]
		told[i] = outbox.Told{Context: n.ctx, Change: tell(visit.Created, nil, n.made.Visit)}
		kept[i] = idempotency.Kept{Key: n.key, Answer: answerOf(n.made, n.by)}
	}
	if err := outbox.AppendAll(ctx, tx, told...); err != nil {
		return err
	}
	return idempotency.StoreAll(ctx, tx, kept...)
}
