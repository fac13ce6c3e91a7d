package chaos

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"baari.dev/tools/proof/checker"
)

// officeVersions are directory's events about versions of the office document. Documents that a release without
// versions has published have version 0.
const officeVersions = `SELECT version, coalesce(before::text, 'null'), after::text FROM outbox
WHERE entity = 'office' AND version > 0 ORDER BY id`

// officeCopies select the version of the office document that each follower with a copy has.
var officeCopies = map[string]string{
	"auth":   `SELECT coalesce(max(version), 0) FROM office_copy`,
	"visits": `SELECT coalesce(max(version), 0) FROM office`,
	"lobby":  `SELECT coalesce(max(version), 0) FROM office`,
}

const officeLimit = 10 * time.Second

// readOffice reads the versions of the office document and, once the followers have applied the last one or after a
// time limit, the versions of their copies.
func (r *run) readOffice(ctx context.Context, e *checker.Evidence) (err error) {
	poll(ctx, officeLimit, 200*time.Millisecond, func() bool {
		e.Office, e.OfficeCopies = nil, map[string]int64{}
		err = r.each(ctx, "directory", officeVersions, nil, func(row pgx.CollectableRow) error {
			var v checker.OfficeVersion
			err := row.Scan(&v.Version, &v.Before, &v.After)
			e.Office = append(e.Office, v)
			return err
		})
		behind := false
		for program, query := range officeCopies {
			var version int64
			if err == nil {
				err = r.row(ctx, program, query, nil, &version)
			}
			e.OfficeCopies[program] = version
			behind = behind || version != int64(len(e.Office))
		}
		return err != nil || !behind
	})
	return err
}
