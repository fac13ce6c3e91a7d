package account

import "time"

// Durations that are not configured; the first three are better-auth's.
const (
	briefLife     = 24 * time.Hour // a session that is not remembered
	freshFor      = 24 * time.Hour
	maxRenewEvery = 24 * time.Hour
	justSignedIn  = 5 * time.Minute
)

// Session is the session of one browser or client. It does not hold the session token, of which only a hash is stored.
type Session struct {
	ID        string
	UserID    string
	Remember  bool // false: the session ends with the browser, after a day at the latest
	ExpiresAt time.Time
	CreatedAt time.Time
	UpdatedAt time.Time
	IPAddress string
	UserAgent string
}

// Live reports whether the session has not expired.
func (s Session) Live(now time.Time) bool { return now.Before(s.ExpiresAt) }

// Fresh reports whether the session began less than a day ago, as some calls of better-auth require.
func (s Session) Fresh(now time.Time) bool { return now.Sub(s.CreatedAt) < freshFor }

// JustSignedIn reports whether the session began less than five minutes ago. If so, changing the address of the account
// and deleting the account do not require the password. A renewal does not count as a beginning.
func (s Session) JustSignedIn(now time.Time) bool { return now.Sub(s.CreatedAt) < justSignedIn }

// The range of both limits in Lifetimes.
const (
	MinLifetime = time.Minute
	MaxLifetime = 30 * 24 * time.Hour
)

// Lifetimes limit the duration of sessions. Both are between MinLifetime and MaxLifetime.
type Lifetimes struct {
	Idle     time.Duration // time since the last use
	Absolute time.Duration // time after sign-in, regardless of use
}

// Expiry returns the expiry of a session that begins or is used at the time now.
func (l Lifetimes) Expiry(s Session, now time.Time) time.Time {
	end := earlier(now.Add(l.Idle), s.CreatedAt.Add(l.Absolute))
	if !s.Remember {
		end = earlier(end, s.CreatedAt.Add(briefLife))
	}
	return end
}

// Renewal returns the new expiry of a live session that is used now. due is true if a tenth of Idle, at most a day, has
// passed since the old expiry was stored, and the new expiry is later: not every use writes a row.
func (l Lifetimes) Renewal(s Session, now time.Time) (end time.Time, due bool) {
	end = l.Expiry(s, now)
	return end, end.After(s.ExpiresAt) && !now.Before(s.UpdatedAt.Add(min(maxRenewEvery, l.Idle/10)))
}

func earlier(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}
