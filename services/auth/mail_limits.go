package auth

import (
	"context"
	"encoding/hex"
	"time"

	"baari.dev/services/platform/limit"
)

// The rates of mails: of one kind to one address, and of all mails that a link is sent in. Beyond them no mail is sent,
// and the response is the same, so that it does not reveal whether an account exists.
var (
	mailTarget = limit.Rule{Name: "mail-target", By: limit.PerUser, Count: 3, Period: time.Hour, Burst: 3}
	mailTotal  = limit.Rule{Name: "mail-total", By: limit.PerUser, Count: 120, Period: time.Hour, Burst: 120}
)

// signUpTotal is the rate of new accounts of the installation.
var signUpTotal = limit.Rule{Name: "sign-up-total", By: limit.PerUser, Count: 60, Period: time.Hour, Burst: 60}

// everyone is the key of a rate that the whole installation shares.
const everyone = "all"

// The kinds of mails that are counted for their address. Each has its own count, so that a stranger who requests reset
// links does not use up the notices of a change of address.
const (
	mailOfReset        = "reset"
	mailOfVerification = "verification"
	mailOfChange       = "change"
	mailOfInvitation   = "invitation"
)

// mayMail counts a mail and reports whether its rates allow it.
func (s *Service) mayMail(ctx context.Context, kind, address string) bool {
	err := s.limiter.Allow(ctx, mailTarget, kind+":"+hex.EncodeToString(digest(address)))
	if err == nil {
		err = s.limiter.Allow(ctx, mailTotal, everyone)
	}
	if err != nil {
		s.log.WarnContext(ctx, "a mail was not sent: too many of this kind", "kind", kind)
	}
	return err == nil
}

// counted returns a job that runs do if the rates of a mail to address allow it. It counts once for all tries; do
// returns after a try that failed.
func (s *Service) counted(kind string, address func(context.Context) (string, error), do mailJob) mailJob {
	asked, allowed := false, false
	return func(ctx context.Context) error {
		if !asked {
			to, err := address(ctx)
			if err != nil {
				return err
			}
			asked, allowed = true, to != "" && s.mayMail(ctx, kind, to)
		}
		if !allowed {
			return nil
		}
		return do(ctx)
	}
}
