package account

import "time"

// How long a session lives: remembered ones are renewed, others end after a day.
const (
	rememberedLife = 7 * 24 * time.Hour
	renewAfter     = 24 * time.Hour
	briefLife      = 24 * time.Hour
	freshFor       = 24 * time.Hour
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

// Fresh reports whether it is so young that what asks for a new sign-in may be done.
func (s Session) Fresh(now time.Time) bool { return now.Sub(s.CreatedAt) < freshFor }

// Lifetimes shorten how long sessions live; zero shortens nothing.
type Lifetimes struct {
	Idle     time.Duration // without activity
	Absolute time.Duration // from sign-in on, whatever happens
}

// Expiry is when a session that begins or is renewed now ends.
func (l Lifetimes) Expiry(s Session, now time.Time) time.Time {
	end := now.Add(rememberedLife)
	if !s.Remember {
		end = s.CreatedAt.Add(briefLife)
	}
	if l.Idle > 0 {
		end = earlier(end, now.Add(l.Idle))
	}
	if l.Absolute > 0 {
		end = earlier(end, s.CreatedAt.Add(l.Absolute))
	}
	return end
}

// Renewal is the new end of a live session, and whether it is time to store it: a day after the last one, or,
// where idle sessions end, after a tenth of that time.
func (l Lifetimes) Renewal(s Session, now time.Time) (end time.Time, due bool) {
	pause := renewAfter
	if l.Idle > 0 {
		pause = min(pause, l.Idle/10)
	}
	end = l.Expiry(s, now)
	return end, end.After(s.ExpiresAt) && !now.Before(s.UpdatedAt.Add(pause))
}

// CountsUse reports whether every use of a session must be noticed, because idle ones end.
func (l Lifetimes) CountsUse() bool { return l.Idle > 0 }

// CookieLife is how long a browser keeps the cookie of a remembered session; the server decides when it is dead.
func (l Lifetimes) CookieLife() time.Duration {
	if l.Absolute > 0 {
		return min(rememberedLife, l.Absolute)
	}
	return rememberedLife
}

func earlier(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}
