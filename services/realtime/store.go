package realtime

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"baari.dev/services/contract"
	"baari.dev/services/platform/identity"
	"baari.dev/services/platform/postgres"
	"baari.dev/services/platform/wire"
)

// store executes the SQL of the service. A method that is given a transaction returns PostgreSQL's errors as they are,
// because outbox.InTx classifies them. Methods that read classify their errors.
type store struct {
	pool *pgxpool.Pool
}

const insertNotification = `
INSERT INTO notifications (id, message, type, target_roles, sender_id, sender, sender_role)
VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING created_at`

func (s *store) addNotification(
	ctx context.Context, tx pgx.Tx, n notification, sender identity.Caller,
) (wire.Time, error) {
	var at time.Time
	err := tx.QueryRow(ctx, insertNotification, n.ID, n.Message, n.Type, n.TargetRoles,
		sender.ID, sender.Name, sender.Role).Scan(&at)
	return wire.Time(at), err
}

const selectNewest = `
SELECT id::text, message, type, target_roles, sender, coalesce(sender_role, ''), created_at
FROM notifications WHERE $1 = ANY (target_roles)
ORDER BY created_at DESC, id DESC LIMIT $2`

// notifications lists at most limit notifications for a role, newest first.
func (s *store) notifications(ctx context.Context, role string, limit int) ([]receivedNotification, error) {
	rows, err := s.pool.Query(ctx, selectNewest, role, limit)
	if err != nil {
		return nil, postgres.Classify(err)
	}
	list, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (n receivedNotification, err error) {
		var at time.Time
		err = row.Scan(&n.ID, &n.Message, &n.Type, &n.TargetRoles, &n.Sender, &n.SenderRole, &at)
		n.CreatedAt = wire.Time(at)
		return n, err
	})
	return list, postgres.Classify(err)
}

const namesSubject = `EXISTS (SELECT FROM unnest($1::text[]) word WHERE strpos(lower(message), lower(word)) > 0)`

const selectOf = `
SELECT id::text, message, type, target_roles, sender, coalesce(sender_role, ''), created_at
FROM notifications WHERE ` + namesSubject + ` ORDER BY created_at, id`

// notificationsOf lists the notifications whose message contains one of the words; upper and lower case are equal.
func (s *store) notificationsOf(ctx context.Context, words []string) ([]contract.Notification, error) {
	found, err := collectNotifications(s.pool.Query(ctx, selectOf, words))
	return found, postgres.Classify(err)
}

const eraseOf = `
UPDATE notifications SET message = 'Erased' WHERE ` + namesSubject + `
RETURNING id::text, message, type, target_roles, sender, coalesce(sender_role, ''), created_at`

// eraseOf erases the messages that contain one of the words, and returns their notifications.
func (s *store) eraseOf(ctx context.Context, tx pgx.Tx, words []string) ([]contract.Notification, error) {
	return collectNotifications(tx.Query(ctx, eraseOf, words))
}

func collectNotifications(rows pgx.Rows, err error) ([]contract.Notification, error) {
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (n contract.Notification, err error) {
		var at time.Time
		err = row.Scan(&n.ID, &n.Message, &n.Type, &n.TargetRoles, &n.Sender, &n.SenderRole, &at)
		n.CreatedAt = wire.Time(at)
		return n, err
	})
}

// Responses stored for repeated requests also contain the message of the notification.
const redactAnswers = `
UPDATE idempotency SET answer = jsonb_set(answer, '{notification,message}', '"Erased"')
WHERE answer->'notification'->>'id' = ANY($1)`

func (s *store) redactAnswers(ctx context.Context, tx pgx.Tx, ids []string) error {
	_, err := tx.Exec(ctx, redactAnswers, ids)
	return err
}

const deleteOld = `DELETE FROM notifications WHERE created_at < now() - make_interval(days => $1)`

func (s *store) deleteOld(ctx context.Context, days int) error {
	_, err := s.pool.Exec(ctx, deleteOld, days)
	return err
}
