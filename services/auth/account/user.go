// Package account holds the rules of accounts: roles, passwords, addresses and how long sessions live. It knows
// no database and no HTTP.
package account

import (
	"errors"
	"slices"
	"time"
)

// The roles of staff.
const (
	Reception  = "reception"
	PA         = "pa"
	Consultant = "consultant"
	Admin      = "admin"
)

// Roles are all roles there are.
var Roles = []string{Reception, PA, Consultant, Admin}

// DefaultRole is what an account is until its role is set.
const DefaultRole = Reception

// RoleWindow is how long after sign-up somebody may set the own role.
const RoleWindow = 10 * time.Minute

// User is one account.
type User struct {
	ID            string
	Name          string
	Email         string // in lower case
	EmailVerified bool
	Image         *string
	Role          string
	IsActive      bool
	Awaiting      bool       // an administrator has not activated it since its registration
	RoleSetAt     *time.Time // nil until somebody chose the role
	CreatedAt     time.Time
	UpdatedAt     time.Time
	Version       int64
}

// Why a role or an activity is not changed.
var (
	ErrUnknownRole = errors.New("no such role")
	ErrAdminRole   = errors.New("nobody makes themselves an administrator")
	ErrRoleLocked  = errors.New("the role is set already")
	ErrLastAdmin   = errors.New("the last active administrator stays")
)

// KnownRole reports whether role is one of the four.
func KnownRole(role string) bool { return slices.Contains(Roles, role) }

// InRoleWindow reports whether the sign-up is so young that its one role update may still come.
func (u User) InRoleWindow(now time.Time) bool { return now.Sub(u.CreatedAt) < RoleWindow }

// ChooseRole decides about the role that somebody wants for themselves: once, soon after sign-up, and never
// administrator. It reports whether the role is set by this; the role one has already is no change and no error.
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

// IsActiveAdmin reports whether the account can administrate.
func (u User) IsActiveAdmin() bool { return u.Role == Admin && u.IsActive }

// Without decides whether the account may stop being an active administrator while others, the active
// administrators beside it, are left.
func (u User) Without(others int) error {
	if u.IsActiveAdmin() && others == 0 {
		return ErrLastAdmin
	}
	return nil
}
