package mailing

import (
	"context"
	"encoding/hex"
	"time"

	"baari.dev/services/auth/data"
	"baari.dev/services/platform/limit"
)

// The rates of the mails that Counted counts: perAddress for one kind to one address, total for all. Above a rate no
// mail is sent, but the response is the same, so that it does not reveal whether an account exists.
var (
	perAddress = limit.Rule{Name: "mail-target", By: limit.PerUser, Count: 3, Period: time.Hour, Burst: 3}
	total      = limit.Rule{Name: "mail-total", By: limit.PerUser, Count: 120, Period: time.Hour, Burst: 120}
)

// Everyone is the key of a rate that the whole installation shares.
const Everyone = "all"

// The kinds of mails that are counted for their address. Each has its own count, so that a stranger who requests reset
// links cannot prevent the notice of a change of address. OfApproval goes to people who were let in, OfWaiting to
// administrators.
const (
	OfReset        = "reset"
	OfVerification = "verification"
	OfChange       = "change"
	OfInvitation   = "invitation"
	OfApproval     = "approval"
	OfWaiting      = "waiting"
)

// may reports whether the rates of a mail allow it, and counts the mail.
func (m *Mailing) may(ctx context.Context, kind, address string) bool {
	err := m.limiter.Allow(ctx, perAddress, kind+":"+hex.EncodeToString(data.Digest(address)))
	if err == nil {
		err = m.limiter.Allow(ctx, total, Everyone)
	}
	if err != nil {
		m.log.WarnContext(ctx, "a mail was not sent: too many of this kind", "kind", kind)
	}
	return err == nil
}

// Counted returns a job that runs the given job if the rates allow a mail of this kind to address. The mail is counted
// once, even if the given job fails and is tried again.
func (m *Mailing) Counted(kind string, address func(context.Context) (string, error), do Job) Job {
	asked, allowed := false, false
	return func(ctx context.Context) error {
		if !asked {
			to, err := address(ctx)
			if err != nil {
				return err
			}
			asked, allowed = true, to != "" && m.may(ctx, kind, to)
		}
		if !allowed {
			return nil
		}
		return do(ctx)
	}
}
