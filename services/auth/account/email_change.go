package account

import "time"

// Durations of a change of address.
const (
	ConfirmWithin = time.Hour      // lifetime of the link sent to the new address, from the request
	StopWithin    = 72 * time.Hour // lifetime of the link sent to the old address; the confirmation starts it again
)

// EmailChange is a requested change of an account's address. The link sent to the new address confirms a pending change
// once, while the requesting session is live. A new password, deactivation and deletion end pending changes. The link
// sent to the old address stops a pending, ended or confirmed change until StopUntil.
type EmailChange struct {
	ID          string
	UserID      string
	SessionID   string // the session that requested the change
	OldEmail    string
	NewEmail    string
	RequestedAt time.Time
	StopUntil   time.Time
}
