package realtime

import (
	"context"
	"net/http"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"baari.dev/services/contract"
	"baari.dev/services/platform/idempotency"
	"baari.dev/services/platform/identity"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/wire"
)

// Service has the use cases of notifications.
type Service struct {
	pool   *pgxpool.Pool
	outbox *outbox.Outbox
}

// New returns a Service over pool.
func New(pool *pgxpool.Pool, o *outbox.Outbox) *Service { return &Service{pool: pool, outbox: o} }

// notification is a message of staff to staff.
type notification struct {
	ID          string    `json:"id"`
	Message     string    `json:"message"`
	Type        string    `json:"type"`
	TargetRoles []string  `json:"target_roles"`
	CreatedAt   wire.Time `json:"createdAt"`
}

// receivedNotification is a notification as it is shown to its recipients, with the sender's name and role. Users choose
// their name but not their role. Notifications that were sent before roles were stored have no role.
type receivedNotification struct {
	notification
	Sender     string `json:"sender"`
	SenderRole string `json:"senderRole,omitzero"`
}

// sent is the answer to a notification: stored and on its way.
type sent struct {
	Notification notification `json:"notification"`
	replayed     bool
}

// StatusCode implements kithttp.StatusCoder.
func (sent) StatusCode() int { return http.StatusAccepted }

// Headers implements kithttp.Headerer.
func (s sent) Headers() http.Header {
	if !s.replayed {
		return nil
	}
	return http.Header{idempotency.HeaderReplayed: {"true"}}
}

// Notify stores a message of the caller and appends its event. A repetition under the same key returns the first answer.
// Errors: key_reused, busy_key.
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
		if answer.Notification, err = store(ctx, tx, caller, req); err != nil {
			return err
		}
		return key.Store(ctx, tx, answer)
	})
	return answer, err
}

// store writes the row and its event.
func store(ctx context.Context, tx pgx.Tx, caller identity.Caller, req sendNotification) (notification, error) {
	id, err := uuid.NewV7()
	if err != nil {
		return notification{}, err
	}
	stored := notification{ID: id.String(), Message: req.Message, Type: req.Type, TargetRoles: req.TargetRoles}
	if stored.CreatedAt, err = insertNotification(ctx, tx, stored, caller); err != nil {
		return notification{}, err
	}
	return stored, outbox.Append(ctx, tx, outbox.Change{
		Type: contract.NotificationSent, Entity: contract.EntityNotification, EntityID: stored.ID,
		After: contract.Notification{
			ID: stored.ID, Message: stored.Message, Type: stored.Type, TargetRoles: stored.TargetRoles,
			Sender: caller.Name, SenderRole: caller.Role, CreatedAt: stored.CreatedAt,
		},
	})
}

type received struct {
	Notifications []receivedNotification `json:"notifications"`
}

// Notifications lists those of the caller's role, newest first.
func (s *Service) Notifications(ctx context.Context, req listNotifications) (received, error) {
	caller, _ := identity.From(ctx)
	list, err := selectNotifications(ctx, s.pool, caller.Role, req.limit)
	return received{Notifications: list}, err
}
