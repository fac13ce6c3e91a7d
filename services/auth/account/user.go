// Package account has the rules of accounts: roles, passwords, e-mail addresses, the lifetime of sessions and the
// pauses after wrong passwords. It does no I/O. Start reading at User.ChooseRole, PasswordRule.Check and
// Lifetimes.Renewal.
package account

import (
	"errors"
	"slices"
	"time"
)

// The roles of users.
const (
	Reception  = "reception"
	PA         = "pa"
	Consultant = "consultant"
	Admin      = "admin"
)

// Roles lists all roles.
var Roles = []string{Reception, PA, Consultant, Admin}

// DefaultRole is the role of an account until its role is set.
const DefaultRole = Reception

// RoleWindow is how long after sign-up users can set their own role.
const RoleWindow = 10 * time.Minute

// User is one account.
type User struct {
	ID            string
	Name          string
	Email         string // lower case
	EmailVerified bool
	Image         *string
	Role          string
	IsActive      bool
	Awaiting      bool       // the account registered when approval was required, and was not activated yet
	Undecided     bool       // the account registered itself, and no administrator has changed it since
	RoleSetAt     *time.Time // nil until the role was set
	InvitedUntil  *time.Time // end of the link that sets the first password; nil with a password. Not read for sessions
	Language      *string    // language of screens and mails; nil until it was chosen
	CreatedAt     time.Time
	UpdatedAt     time.Time
	Version       int64
}

// The errors of ChooseRole and CheckRemoval.
var (
	ErrUnknownRole = errors.New("the role is unknown")
	ErrAdminRole   = errors.New("users cannot give themselves the administrator role")
	ErrRoleLocked  = errors.New("the role was set before")
	ErrLastAdmin   = errors.New("the last active administrator cannot be removed")
)

// KnownRole reports whether role is in Roles.
func KnownRole(role string) bool { return slices.Contains(Roles, role) }

// InRoleWindow reports whether the account is younger than RoleWindow.
func (u User) InRoleWindow(now time.Time) bool { return now.Sub(u.CreatedAt) < RoleWindow }

// newcomerFor is how long an account that registered itself is a newcomer, unless an administrator decides on it.
const newcomerFor = 7 * 24 * time.Hour

// IsNewcomer reports whether the account registered itself in the last week and no administrator has decided on it. All
// newcomers together get only a small share of the live streams.
func (u User) IsNewcomer(now time.Time) bool {
	return u.Undecided && now.Sub(u.CreatedAt) < newcomerFor
}

// ChooseRole decides whether users can give themselves a role: once, within RoleWindow, and never administrator. It
// reports whether the role is to be stored. Later, the current role is still accepted but not stored again. Errors:
// ErrUnknownRole, ErrAdminRole, ErrRoleLocked.
func (u User) ChooseRole(role string, now time.Time) (set bool, err error) {
	open := u.RoleSetAt == nil && u.InRoleWindow(now)
	switch {
	case !KnownRole(role):
		return false, ErrUnknownRole
	case role == Admin && u.Role != Admin:
		return false, ErrAdminRole
	case open && role != Admin:
		return true, nil
	case role == u.Role:
		return false, nil
	}
	return false, ErrRoleLocked
}

// IsActiveAdmin reports whether the account is active and has the administrator role.
func (u User) IsActiveAdmin() bool { return u.Role == Admin && u.IsActive }

// CheckRemoval returns ErrLastAdmin if the account is the last active administrator. others is the number of other
// active administrators.
func (u User) CheckRemoval(others int) error {
	if u.IsActiveAdmin() && others == 0 {
		return ErrLastAdmin
	}
	return nil
}
