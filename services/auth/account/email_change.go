package account

import "time"

// Durations of a change of address.
const (
	ConfirmWithin = time.Hour      // from the request to opening the link sent to the new address
	StopWithin    = 72 * time.Hour // from the request, and again from the change, for the link sent to the old address
)

// EmailChange is a requested change of an account's address. A pending one is confirmed by the link sent to the new
// address, once, while the session that asked lives. A new password, deactivation and deletion end pending ones. The
// link sent to the old address stops a change in any state until StopUntil.
type EmailChange struct {
	ID          string
	UserID      string
	SessionID   string // the session that asked
	OldEmail    string
	NewEmail    string
	RequestedAt time.Time
	StopUntil   time.Time
}
