// Package fault holds errors as values: a kind that decides the HTTP status, a code for
// programs, and a sentence for the person. The cause stays for the log and never leaves.
package fault

import (
	"errors"
	"net/http"
	"time"
)

// Kind groups faults by what the caller can do about them.
type Kind int

// The kinds of fault. The zero value is Internal, so a forgotten kind never looks harmless.
const (
	Internal Kind = iota
	Invalid
	Unauthenticated
	Forbidden
	NotFound
	NotAllowed
	Conflict
	Stale
	TooLarge
	MediaType
	Unprocessable
	RateLimited
	Unavailable
)

var statuses = map[Kind]int{
	Internal:        http.StatusInternalServerError,
	Invalid:         http.StatusBadRequest,
	Unauthenticated: http.StatusUnauthorized,
	Forbidden:       http.StatusForbidden,
	NotFound:        http.StatusNotFound,
	NotAllowed:      http.StatusMethodNotAllowed,
	Conflict:        http.StatusConflict,
	Stale:           http.StatusPreconditionFailed,
	TooLarge:        http.StatusRequestEntityTooLarge,
	MediaType:       http.StatusUnsupportedMediaType,
	Unprocessable:   http.StatusUnprocessableEntity,
	RateLimited:     http.StatusTooManyRequests,
	Unavailable:     http.StatusServiceUnavailable,
}

// Fault is an error with a code and a sentence a person can act on.
type Fault struct {
	Kind       Kind
	Code       string
	Sentence   string
	Fields     map[string]string // field name -> sentence, for Invalid only
	RetryAfter time.Duration     // sent as Retry-After when positive
	cause      error
}

// New makes a fault without a cause.
func New(kind Kind, code, sentence string) *Fault {
	return &Fault{Kind: kind, Code: code, Sentence: sentence}
}

// Error gives code and cause for the log; it is never shown to a person.
func (f *Fault) Error() string {
	if f.cause != nil {
		return f.Code + ": " + f.cause.Error()
	}
	return f.Code
}

// Unwrap returns the cause, nil when there is none.
func (f *Fault) Unwrap() error { return f.cause }

// Is reports whether target is a fault of the same code, so that errors.Is compares meaning, not identity.
func (f *Fault) Is(target error) bool {
	other, ok := target.(*Fault)
	return ok && other.Code == f.Code
}

// Because returns a copy that carries the cause for the log.
func (f *Fault) Because(cause error) *Fault {
	c := *f
	c.cause = cause
	return &c
}

// After returns a copy that asks the caller to wait before trying again.
func (f *Fault) After(wait time.Duration) *Fault {
	c := *f
	c.RetryAfter = wait
	return &c
}

// Status is the HTTP status of the fault's kind.
func (f *Fault) Status() int { return statuses[f.Kind] }

// Of returns the fault inside err; anything else is internal, with err as its cause.
func Of(err error) *Fault {
	var f *Fault
	if errors.As(err, &f) {
		return f
	}
	return ErrInternal.Because(err)
}

// The faults every service can answer. Their codes and sentences are fixed by the API.
var (
	ErrInternal        = New(Internal, "internal", "An error occurred")
	ErrBadBody         = New(Invalid, "bad_body", "The request could not be read. Please try again.")
	ErrUnauthorized    = New(Unauthenticated, "unauthorized", "Unauthorized access")
	ErrForbidden       = New(Forbidden, "forbidden", "You do not have permission to access this page.")
	ErrAccountInactive = New(Forbidden, "account_inactive", "Account Inactive: Your account has been deactivated. Please contact your administrator.")
	ErrNotFound        = New(NotFound, "not_found", "This record does not exist.")
	ErrNotAllowed      = New(NotAllowed, "method_not_allowed", "This action is not possible here.")
	ErrStale           = New(Stale, "stale_version", "Someone changed this record. Please look at it again.")
	ErrTooLarge        = New(TooLarge, "too_large", "The request is too large.")
	ErrMediaType       = New(MediaType, "media_type", "Please send JSON.")
	ErrRateLimited     = New(RateLimited, "rate_limited", "Too many requests. Please try again later.")
	ErrUnavailable     = New(Unavailable, "unavailable", "The service is not available. Please try again.").After(time.Second)
	ErrBusy            = New(Unavailable, "busy", "Many requests at once. Please try again in a few seconds.").After(2 * time.Second)
	ErrUnknownOutcome  = New(Unavailable, "unknown_outcome", "We could not tell whether this was saved. Please try again.").After(time.Second)
)

// Body is the JSON body of an error response: {"error", "code", "request_id", "fields"?}.
type Body struct {
	Error     string            `json:"error"`
	Code      string            `json:"code"`
	RequestID string            `json:"request_id"`
	Fields    map[string]string `json:"fields,omitempty"`
}

// Body makes the answer for the request id.
func (f *Fault) Body(requestID string) Body {
	return Body{Error: f.Sentence, Code: f.Code, RequestID: requestID, Fields: f.Fields}
}
