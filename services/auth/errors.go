package auth

import (
	"errors"

	"baari.dev/services/auth/account"
	"baari.dev/services/platform/fault"
)

// The refusals of /api/auth: codes and texts are better-auth's, but for the last group, which are the product's.
// A refusal without a code is sent without one.
var (
	errInvalidCredentials = fault.New(fault.Unauthenticated, "INVALID_EMAIL_OR_PASSWORD", "Invalid email or password")
	errInvalidEmail       = fault.New(fault.Invalid, "INVALID_EMAIL", "Invalid email")
	errInvalidPassword    = fault.New(fault.Invalid, "INVALID_PASSWORD", "Invalid password")
	errPasswordShort      = fault.New(fault.Invalid, "PASSWORD_TOO_SHORT", "Password too short")
	errPasswordLong       = fault.New(fault.Invalid, "PASSWORD_TOO_LONG", "Password too long")
	errUserExists         = fault.New(fault.Unprocessable, "USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL", "User already exists. Use another email.")
	errUserNotCreated     = fault.New(fault.Unprocessable, "FAILED_TO_CREATE_USER", "Failed to create user")
	errSessionByPost      = fault.New(fault.NotAllowed, "METHOD_NOT_ALLOWED_DEFER_SESSION_REQUIRED", "POST method requires deferSessionRefresh to be enabled in session config")
	errPasswordCommon     = fault.New(fault.Invalid, "PASSWORD_TOO_COMMON", "Password is too common")
	errRegistrationClosed = fault.New(fault.Forbidden, "registration_closed", "Registration is closed. Please ask an administrator for an account.")
)

// The refusals of /api/users.
var (
	errRoleLocked = fault.New(fault.Forbidden, "role_locked", "Your role is already set. Please ask an administrator to change it.")
	errLastAdmin  = fault.New(fault.Conflict, "last_admin", "The last active administrator cannot be removed.")
)

// Sentences of fields that are refused.
const (
	nameMissing  = "Name is required"
	nameLong     = "Please shorten the name to 100 characters"
	nameIllegal  = "Please use only letters, digits and punctuation in the name"
	emailWrong   = "Please enter a valid email address"
	roleWrong    = "Please choose a role from the list"
	activeWrong  = "Please say whether the account is active with true or false"
	activeDiffer = "isActive and is_active must say the same"
)

var refusals = map[error]error{
	account.ErrUnknownRole:    fault.Field("role", roleWrong),
	account.ErrAdminRole:      fault.ErrForbidden,
	account.ErrRoleLocked:     errRoleLocked,
	account.ErrLastAdmin:      errLastAdmin,
	account.ErrPasswordShort:  errPasswordShort,
	account.ErrPasswordLong:   errPasswordLong,
	account.ErrPasswordCommon: errPasswordCommon,
}

// refusal gives a rule's error the words of the API; other errors stay.
func refusal(err error) error {
	for rule, answer := range refusals {
		if errors.Is(err, rule) {
			return answer
		}
	}
	return err
}
