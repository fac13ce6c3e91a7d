package realtime

import (
	"context"
	"embed"
	"io/fs"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"baari.dev/services/platform/idempotency"
	"baari.dev/services/platform/identity"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/postgres"
	"baari.dev/services/platform/retention"
	"baari.dev/services/platform/wire"
)

//go:embed migrations/*.sql
var migrations embed.FS

// Migrations makes the tables of this service.
func Migrations() []postgres.Set {
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		panic(err) // the folder is embedded above
	}
	return []postgres.Set{outbox.Migrations(), idempotency.Migrations(), retention.Migrations(), {Name: "realtime", Files: files}}
}

const insert = `
INSERT INTO notifications (id, message, type, target_roles, sender_id, sender, sender_role)
VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING created_at`

func insertNotification(ctx context.Context, tx pgx.Tx, n notification, by identity.Caller) (wire.Time, error) {
	var at time.Time
	err := tx.QueryRow(ctx, insert, n.ID, n.Message, n.Type, n.TargetRoles, by.ID, by.Name, by.Role).Scan(&at)
	return wire.Time(at), err
}

const newest = `
SELECT id::text, message, type, target_roles, sender, coalesce(sender_role, ''), created_at
FROM notifications WHERE $1 = ANY (target_roles)
ORDER BY created_at DESC, id DESC LIMIT $2`

func selectNotifications(ctx context.Context, pool *pgxpool.Pool, role string, limit int) ([]receivedNotification, error) {
	rows, err := pool.Query(ctx, newest, role, limit)
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

const forgetOld = `DELETE FROM notifications WHERE created_at < now() - make_interval(days => $1)`

// ForgetOld returns a function that deletes notifications older than days, every hour, until ctx ends.
func (s *Service) ForgetOld(days int, log *slog.Logger) func(context.Context) error {
	return func(ctx context.Context) error {
		ticker := time.NewTicker(time.Hour)
		defer ticker.Stop()
		for {
			if _, err := s.pool.Exec(ctx, forgetOld, days); err != nil && ctx.Err() == nil {
				log.WarnContext(ctx, "old notifications stay another hour", "cause", err)
			}
			select {
			case <-ctx.Done():
				return nil
			case <-ticker.C:
			}
		}
	}
}
