package account

import "time"

const (
	briefLife  = 24 * time.Hour
	freshFor   = 24 * time.Hour
	renewAfter = 24 * time.Hour
	provenFor  = 5 * time.Minute
)

// Session is one signed-in browser or client. Its token is nowhere but with its owner.
type Session struct {
	ID        string
	UserID    string
	Remember  bool // false: it ends with the browser, at the latest after a day
	ExpiresAt time.Time
	CreatedAt time.Time
	UpdatedAt time.Time
	IPAddress string
	UserAgent string
}

// Live reports whether the session has not expired.
func (s Session) Live(now time.Time) bool { return now.Before(s.ExpiresAt) }

// Fresh reports whether the session is young enough for calls that ask for a recent sign-in.
func (s Session) Fresh(now time.Time) bool { return now.Sub(s.CreatedAt) < freshFor }

// JustSignedIn reports whether the session began less than five minutes ago, so that what changes who owns the account
// does not ask for the password again. Renewal does not count.
func (s Session) JustSignedIn(now time.Time) bool { return now.Sub(s.CreatedAt) < provenFor }

// The shortest and the longest time that either limit of a session may be.
const (
	MinLifetime = time.Minute
	MaxLifetime = 30 * 24 * time.Hour
)

// Lifetimes limit how long sessions live. Both are between MinLifetime and MaxLifetime.
type Lifetimes struct {
	Idle     time.Duration // since the last use
	Absolute time.Duration // since sign-in, however much the session is used
}

// Expiry is when a session that begins or is used now ends.
func (l Lifetimes) Expiry(s Session, now time.Time) time.Time {
	end := earlier(now.Add(l.Idle), s.CreatedAt.Add(l.Absolute))
	if !s.Remember {
		end = earlier(end, s.CreatedAt.Add(briefLife))
	}
	return end
}

// Renewal is the new end of a live session that is used now, and whether it is due to be stored: a tenth of the idle
// limit after the last time, at most a day, so that not every use is a write.
func (l Lifetimes) Renewal(s Session, now time.Time) (end time.Time, due bool) {
	end = l.Expiry(s, now)
	return end, end.After(s.ExpiresAt) && !now.Before(s.UpdatedAt.Add(min(renewAfter, l.Idle/10)))
}

func earlier(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}
