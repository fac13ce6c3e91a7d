package auth

import (
	"errors"

	"baari.dev/services/auth/account"
	"baari.dev/services/platform/fault"
)

// The faults of /api/auth. Codes and texts are better-auth's, except errPasswordCommon, errRegistrationClosed and the
// text of errNotJustSignedIn. A fault without a code has no member "code" in the response.
var (
	errInvalidJSON        = fault.New(fault.Invalid, "BAD_REQUEST", "Invalid JSON in request body")
	errInvalidCredentials = fault.New(fault.Unauthenticated, "INVALID_EMAIL_OR_PASSWORD", "Invalid email or password")
	errInvalidEmail       = fault.New(fault.Invalid, "INVALID_EMAIL", "Invalid email")
	errInvalidPassword    = fault.New(fault.Invalid, "INVALID_PASSWORD", "Invalid password")
	errPasswordShort      = fault.New(fault.Invalid, "PASSWORD_TOO_SHORT", "Password too short")
	errPasswordLong       = fault.New(fault.Invalid, "PASSWORD_TOO_LONG", "Password too long")
	errUserExists         = fault.New(fault.Unprocessable, "USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL",
		"User already exists. Use another email.")
	errUserNotCreated = fault.New(fault.Unprocessable, "FAILED_TO_CREATE_USER", "Failed to create user")
	errSessionByPost  = fault.New(fault.NotAllowed, "METHOD_NOT_ALLOWED_DEFER_SESSION_REQUIRED",
		"POST method requires deferSessionRefresh to be enabled in session config")
	errNotFresh        = fault.New(fault.Forbidden, "SESSION_NOT_FRESH", "Session is not fresh")
	errNotJustSignedIn = fault.New(fault.Forbidden, "SESSION_NOT_FRESH",
		"Please enter your password to change your e-mail address.")
	errSessionExpired = fault.New(fault.Invalid, "SESSION_EXPIRED",
		"Session expired. Re-authenticate to perform this action.")
	errNoCredential    = fault.New(fault.Invalid, "CREDENTIAL_ACCOUNT_NOT_FOUND", "Credential account not found")
	errInvalidToken    = fault.New(fault.Invalid, "INVALID_TOKEN", "Invalid token")
	errUnknownToken    = fault.New(fault.NotFound, "INVALID_TOKEN", "Invalid token")
	errLinkWithoutUser = fault.New(fault.Unauthenticated, "USER_NOT_FOUND", "User not found")
	errLinkOfAnother   = fault.New(fault.Unauthenticated, "INVALID_USER", "Invalid user")
	errEmailFixed      = fault.New(fault.Invalid, "EMAIL_CAN_NOT_BE_UPDATED", "Email can not be updated")
	errNothingToUpdate = fault.New(fault.Invalid, "", "No fields to update")
	errSameEmail       = fault.New(fault.Invalid, "", "Email is the same")
	errEmailMismatch   = fault.New(fault.Invalid, "EMAIL_MISMATCH", "Email mismatch")
	errEmailVerified   = fault.New(fault.Invalid, "EMAIL_ALREADY_VERIFIED", "Email is already verified")
	errNoReset         = fault.New(fault.Invalid, "RESET_PASSWORD_DISABLED", "Reset password isn't enabled")
	errNoEmailChange   = fault.New(fault.Invalid, "CHANGE_EMAIL_DISABLED", "Change email is disabled")
	errNoVerification  = fault.New(fault.Invalid, "VERIFICATION_EMAIL_NOT_ENABLED", "Verification email isn't enabled")
	errProviderNotSet  = fault.New(fault.Invalid, "PROVIDER_NOT_CONFIGURED",
		"Account is not associated with a configured social provider.")
	errProviderUnsupported = fault.New(fault.Invalid, "PROVIDER_NOT_SUPPORTED", "Provider credential is not supported.")
	errProviderUnknown     = fault.New(fault.NotFound, "PROVIDER_NOT_FOUND", "Provider not found")
	errNoAccount           = fault.New(fault.Invalid, "ACCOUNT_NOT_FOUND", "Account not found")
	errLastAccount         = fault.New(fault.Invalid, "FAILED_TO_UNLINK_LAST_ACCOUNT",
		"You can't unlink your last account")
	errPasswordCommon     = fault.New(fault.Invalid, "PASSWORD_TOO_COMMON", "Password is too common")
	errRegistrationClosed = fault.New(fault.Forbidden, "registration_closed",
		"Registration is closed. Please ask an administrator for an account.")
)

// The faults of /api/users.
var (
	errRoleLocked = fault.New(fault.Forbidden, "role_locked",
		"Your role is already set. Please ask an administrator to change it.")
	errUndoGone    = fault.New(fault.Conflict, "undo_gone", "This was changed since. Please look at it again.")
	errNotAwaiting = fault.New(fault.Conflict, "not_awaiting", "This account does not wait for an answer.")
	errNotInvited  = fault.New(fault.Conflict, "not_invited",
		"This account has a password already, or is deactivated.")

	errLastAdmin = fault.New(fault.Conflict, "last_admin", "The last active administrator cannot be removed.")
)

// noMail is the sentence for calls that need mail when no mail server is configured.
const noMail = "Mail cannot be sent, because no mail server is set up (SMTP_URL). Please ask your administrator."

// productSentences maps codes to the sentences that are sent as "error", next to better-auth's "message".
var productSentences = map[string]string{
	codeInvalid:     fault.ErrBadBody.Sentence,
	errNoReset.Code: noMail, errNoEmailChange.Code: noMail, errNoVerification.Code: noMail,
}

// Messages for invalid fields.
var (
	nameMissing     = fault.NewMessage(fault.CodeRequired, "Name is required")
	nameLong        = fault.NewMessage(fault.CodeTooLong, "Please shorten the name to 100 characters").With("max", maxName)
	passwordMissing = fault.NewMessage(fault.CodeRequired, "Please enter a password")
	emailWrong      = fault.NewMessage(fault.CodeInvalidEmail, "Please enter a valid email address")
	roleWrong       = fault.NewMessage(fault.CodeUnknownChoice, "Please choose a role from the list")
	activeWrong     = fault.NewMessage(fault.CodeInvalidFlag,
		"Please say whether the account is active with true or false")
	awaitingWrong = fault.NewMessage(fault.CodeInvalidFlag,
		"Please say whether the account waits for approval with true or false")
	activeDiffer = fault.NewMessage(fault.CodeContradiction, "isActive and is_active must say the same")
	queryWrong   = fault.NewMessage(fault.CodeInvalidText,
		"Please search for at most 100 letters, digits and punctuation").With("max", maxQuery)
	pageWrong  = fault.NewMessage(fault.CodeInvalidNumber, "The page is a number from 1").With("min", 1)
	limitWrong = fault.NewMessage(fault.CodeInvalidNumber, "The limit is a number from 1 to 100").
			With("min", 1).With("max", maxLimit)
)

var apiErrors = map[error]error{
	account.ErrUnknownRole:    fault.Field("role", roleWrong),
	account.ErrAdminRole:      fault.ErrForbidden,
	account.ErrRoleLocked:     errRoleLocked,
	account.ErrLastAdmin:      errLastAdmin,
	account.ErrPasswordShort:  errPasswordShort,
	account.ErrPasswordLong:   errPasswordLong,
	account.ErrPasswordCommon: errPasswordCommon,
}

// apiError returns the fault of the API for an error of package account; it returns other errors unchanged.
func apiError(err error) error {
	for rule, answer := range apiErrors {
		if errors.Is(err, rule) {
			return answer
		}
	}
	return err
}
