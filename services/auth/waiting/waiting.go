// Package waiting mails the administrators when people who have registered wait for approval.
//
// Start with Announcer.Announce.
package waiting

import (
	"context"
	"log/slog"
	"time"

	"baari.dev/services/auth/data"
	"baari.dev/services/auth/mailing"
	"baari.dev/services/platform/limit"
)

// rate is the rate of these mails, for the whole installation.
var rate = limit.Rule{Name: "mail-waiting", By: limit.PerUser, Count: 1, Period: time.Hour, Burst: 1}

// Announcer mails all active administrators about people who wait.
type Announcer struct {
	DB      *data.DB
	Mails   *mailing.Mailing
	Limiter *limit.Limiter // nil: no rate
	Log     *slog.Logger
}

const every = time.Minute

// Run announces who waits, once a minute until ctx ends. It returns nil.
func (a *Announcer) Run(ctx context.Context) error {
	ticker := time.NewTicker(every)
	defer ticker.Stop()
	for {
		if err := a.Announce(ctx); err != nil && ctx.Err() == nil {
			a.Log.WarnContext(ctx, "no mail was sent about people who wait for approval", "cause", err)
		}
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
		}
	}
}

// Announce queues a mail to each active administrator if a person waits whom no such mail has counted. The mail has the
// number of all people who wait. While the rate allows no mail, the people stay uncounted.
func (a *Announcer) Announce(ctx context.Context) error {
	return a.DB.Read(ctx, func(q data.Querier) error {
		some, err := uncounted(ctx, q)
		if err != nil || !some || a.Limiter.Allow(ctx, rate, mailing.Everyone) != nil {
			return err
		}
		to, err := admins(ctx, q)
		if err != nil {
			return err
		}
		// The last statement, because it marks the people as counted.
		people, err := count(ctx, q)
		if err != nil || people == 0 { // none if another replica has counted them
			return err
		}
		for _, admin := range to {
			a.Mails.Waiting(ctx, admin, people)
		}
		return nil
	})
}
