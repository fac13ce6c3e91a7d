package chaos

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/jackc/pgx/v5"

	"baari.dev/tools/proof/checker"
	"baari.dev/tools/sample/client"
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

// settings are the settings of the office, by section.
type settings struct {
	Office struct {
		Sections map[string]struct {
			Version int64
			Value   map[string]any
		}
	}
}

// setOffice saves the settings of the robots' office: robots do not wait a minute for a visitor, messages are sent at
// every hour, and appointments are made for every day. A release without settings has the first two in its file
// (placeMidnight).
func (r *run) setOffice(ctx context.Context, c *crew) error {
	if r.provider == nil { // a run of Onlookers
		return nil
	}
	var stored settings
	var rejected *client.Rejected
	err := c.admin.Call(ctx, http.MethodGet, "/api/office/settings", nil, &stored)
	if errors.As(err, &rejected) && rejected.Status == http.StatusNotFound {
		return nil
	}
	if err != nil {
		return fmt.Errorf("read the settings: %w", err)
	}
	sections := stored.Office.Sections
	sections["line"].Value["queue"].(map[string]any)["missAfterSeconds"] = 0
	sections["messages"].Value["messages"] = "on"
	sections["messages"].Value["messageHours"] = map[string]int{"from": 0, "until": 24}
	sections["hours"].Value["hours"] = []any{map[string]any{"days": "Monday-Sunday", "open": "9 AM", "close": "7 PM"}}
	for _, name := range []string{"line", "messages", "hours"} {
		body := map[string]any{"value": sections[name].Value, "version": sections[name].Version}
		if err := c.admin.Call(ctx, http.MethodPut, "/api/office/settings/"+name, body, nil); err != nil {
			return fmt.Errorf("save the settings %s: %w", name, err)
		}
	}
	return nil
}

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

// learnZone reads the time zone of the office, unless the run has chosen it (placeMidnight).
func (r *run) learnZone(ctx context.Context, c *crew) error {
	if r.zone != nil {
		return nil
	}
	var answer struct{ TimeZone string }
	err := c.admin.Call(ctx, http.MethodGet, "/api/office", nil, &answer)
	if err == nil {
		r.zone, err = time.LoadLocation(answer.TimeZone)
	}
	return err
}
