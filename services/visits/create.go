package visits

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"baari.dev/services/platform/idempotency"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/visits/visit"
)

// newcomer is one visitor who is being registered.
type newcomer struct {
	joining
	by  visit.Actor
	req createVisit
	key idempotency.Key

	service string // its name
	made    seen   // once it is settled
}

func newNewcomer(ctx context.Context, by visit.Actor, req createVisit, key idempotency.Key) *newcomer {
	return &newcomer{joining: newJoining(ctx), by: by, req: req, key: key}
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
		case err != nil:
			n.settled <- unmade(err, in[n])
		case in[n]:
			n.settled <- nil
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
