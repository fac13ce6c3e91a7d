// Package realtime delivers every committed change to the dashboards that show it, and stores notifications of staff to
// staff. It follows the feeds of auth, directory, visits and lobby and its own, translates each event to frames by the
// audience table, and delivers the frames to the streams subscribed to their topics. Each stream has one bounded queue.
//
// Start with topics.go and audience.go. Then read hub.go for the open streams, project.go for the events that the hub
// follows, stream.go for the opening and resuming of a stream, and this file for notifications.
package realtime

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"baari.dev/services/platform/idempotency"
	"baari.dev/services/platform/identity"
	"baari.dev/services/platform/outbox"
)

// Service has the use cases of notifications. Hub has the live streams.
type Service struct {
	store  *store
	outbox *outbox.Outbox
}

// New returns a Service over pool.
func New(pool *pgxpool.Pool, o *outbox.Outbox) *Service {
	return &Service{store: &store{pool}, outbox: o}
}

// Notify stores a message of the caller and appends its event. A request that repeats an idempotency key returns the
// first response, marked as replayed. Errors: key_reused, busy_key.
func (s *Service) Notify(ctx context.Context, req sendNotification) (sent, error) {
	caller, _ := identity.From(ctx)
	key, err := idempotency.Of(caller.ID, "POST /api/stream/notify", req.key, req)
	if err != nil {
		return sent{}, err
	}
	var answer sent
	err = s.outbox.InTx(ctx, func(tx pgx.Tx) error {
		answer = sent{}
		replayed, err := key.Reserve(ctx, tx, &answer)
		if err != nil || replayed {
			answer.replayed = replayed
			return err
		}
		if answer.Notification, err = s.addNotification(ctx, tx, caller, req); err != nil {
			return err
		}
		return key.Store(ctx, tx, answer)
	})
	return answer, err
}

func (s *Service) addNotification(
	ctx context.Context, tx pgx.Tx, caller identity.Caller, req sendNotification,
) (notification, error) {
	id, err := uuid.NewV7()
	if err != nil {
		return notification{}, err
	}
	n := notification{ID: id.String(), Message: req.Message, Type: req.Type, TargetRoles: req.TargetRoles}
	if n.CreatedAt, err = s.store.addNotification(ctx, tx, n, caller); err != nil {
		return notification{}, err
	}
	return n, outbox.Append(ctx, tx, notificationSent(n, caller))
}

// Notifications lists the notifications for the caller's role, newest first.
func (s *Service) Notifications(ctx context.Context, req listNotifications) (received, error) {
	caller, _ := identity.From(ctx)
	list, err := s.store.notifications(ctx, caller.Role, req.limit)
	return received{Notifications: list}, err
}
