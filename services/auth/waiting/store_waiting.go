package waiting

import (
	"context"

	"github.com/jackc/pgx/v5"

	"baari.dev/services/auth/account"
	"baari.dev/services/auth/data"
)

const (
	notAnnounced    = `FROM users WHERE awaits_approval AND NOT announced AND deleted_at IS NULL`
	selectUncounted = `SELECT EXISTS (SELECT ` + notAnnounced + `)`
	updateAnnounced = `UPDATE users SET announced = true WHERE id IN (SELECT id ` + notAnnounced + ` FOR UPDATE)`
	countWaiting    = `SELECT count(*) FROM users WHERE awaits_approval AND deleted_at IS NULL`
	selectAdmins    = `
SELECT id, name, email, email_verified, language FROM users
WHERE role = 'admin' AND is_active AND deleted_at IS NULL ORDER BY id`
)

// uncounted reports whether an account waits for approval that no mail has counted.
func uncounted(ctx context.Context, q data.Querier) (some bool, err error) {
	err = q.QueryRow(ctx, selectUncounted).Scan(&some)
	return some, err
}

// count marks the people who wait as counted, and returns their number. It returns 0 if all were marked before.
func count(ctx context.Context, q data.Querier) (people int, err error) {
	marked, err := q.Exec(ctx, updateAnnounced)
	if err != nil || marked.RowsAffected() == 0 {
		return 0, err
	}
	err = q.QueryRow(ctx, countWaiting).Scan(&people)
	return people, err
}

// admins returns the active administrators, with what a mail needs.
func admins(ctx context.Context, q data.Querier) ([]account.User, error) {
	rows, err := q.Query(ctx, selectAdmins)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (u account.User, err error) {
		return u, row.Scan(&u.ID, &u.Name, &u.Email, &u.EmailVerified, &u.Language)
	})
}
