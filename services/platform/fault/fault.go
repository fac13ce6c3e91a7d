// Package fault has the errors that a service answers: a kind that decides the HTTP status, a code for programs, a
// sentence for people, and the values that the sentence names. The cause is written to the log and never sent.
//
// It owns the error body of the API and the codes of invalid fields. Start at [Fault] and the ErrX values; [Fields]
// collects what is wrong with a request's fields.
package fault

import (
	"errors"
	"net/http"
	"time"
)

// Kind groups faults by what the caller can do about them.
type Kind int

// The kinds of fault. The zero value is Internal, so a fault without a kind is an internal error.
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

// Fault is an error with a code and a sentence that a person can act on.
type Fault struct {
	Kind       Kind
	Code       string
	Sentence   string
	Params     Params             // values for the placeholders of the sentence
	Fields     map[string]Message // keyed by field, for the code "validation" only
	RetryAfter time.Duration      // sent as Retry-After when positive
	cause      error
}

const codeValidation = "validation"

// New returns a fault without a cause. ErrorCode of services/contract/common.yaml lists the codes; a test of package
// services compares the two.
func New(kind Kind, code, sentence string) *Fault {
	return &Fault{Kind: kind, Code: code, Sentence: sentence}
}

// Error returns the code and the cause, for the log.
func (f *Fault) Error() string {
	if f.cause != nil {
		return f.Code + ": " + f.cause.Error()
	}
	return f.Code
}

// Unwrap returns the cause, nil when there is none.
func (f *Fault) Unwrap() error { return f.cause }

// Is reports whether target is a fault of the same code: copies with a cause or a value match their original.
func (f *Fault) Is(target error) bool {
	other, ok := target.(*Fault)
	return ok && other.Code == f.Code
}

// Because returns a copy with the cause for the log.
func (f *Fault) Because(cause error) *Fault {
	c := *f
	c.cause = cause
	return &c
}

// After returns a copy that asks the client to wait before its next try.
func (f *Fault) After(wait time.Duration) *Fault {
	c := *f
	c.RetryAfter = wait
	return &c
}

// Status is the HTTP status of the fault's kind.
func (f *Fault) Status() int { return statuses[f.Kind] }

// With returns a copy with a value that its sentence names.
func (f *Fault) With(name string, value any) *Fault {
	c := *f
	c.Params = f.Params.with(name, value)
	return &c
}

// Of returns the fault in the chain of err. For any other error it returns ErrInternal with err as its cause.
func Of(err error) *Fault {
	var f *Fault
	if errors.As(err, &f) {
		return f
	}
	return ErrInternal.Because(err)
}

// The faults that every service can answer. services/contract/common.yaml lists their codes.
var (
	ErrInternal        = New(Internal, "internal", "An error occurred")
	ErrBadBody         = New(Invalid, "bad_body", "The request could not be read. Please try again.")
	ErrUnauthorized    = New(Unauthenticated, "unauthorized", "Unauthorized access")
	ErrForbidden       = New(Forbidden, "forbidden", "You do not have permission to access this page.")
	ErrAccountInactive = New(Forbidden, "account_inactive",
		"Account Inactive: Your account has been deactivated. Please contact your administrator.")
	ErrNotFresh    = New(Forbidden, "session_not_fresh", "Please sign in again for this.")
	ErrNotFound    = New(NotFound, "not_found", "This record does not exist.")
	ErrNotAllowed  = New(NotAllowed, "method_not_allowed", "This action is not possible here.")
	ErrStale       = New(Stale, "stale_version", "Someone changed this record. Please look at it again.")
	ErrTooLarge    = New(TooLarge, "too_large", "The request is too large.")
	ErrMediaType   = New(MediaType, "media_type", "Please send JSON.")
	ErrRateLimited = New(RateLimited, "rate_limited", "Too many requests. Please try again later.")
	ErrUnavailable = New(Unavailable, "unavailable", "The service is not available. Please try again.").
			After(time.Second)
	ErrBusy = New(Unavailable, "busy", "Many requests at once. Please try again in a few seconds.").
		After(2 * time.Second)
	ErrUnknownOutcome = New(Unavailable, "unknown_outcome",
		"We could not tell whether this was saved. Please try again.").After(time.Second)
)

// Body is the JSON body of an error response, the schema Error of services/contract/common.yaml.
type Body struct {
	Error       string               `json:"error"`
	Code        string               `json:"code"`
	RequestID   string               `json:"request_id"`
	Fields      map[string]string    `json:"fields,omitempty"`
	Params      Params               `json:"params,omitempty"`
	FieldCodes  map[string]FieldCode `json:"field_codes,omitempty"`
	FieldParams map[string]Params    `json:"field_params,omitempty"`
}

// Body returns the error response with this request id. FieldParams has only the fields whose message names a value.
func (f *Fault) Body(requestID string) Body {
	body := Body{Error: f.Sentence, Code: f.Code, RequestID: requestID, Params: f.Params}
	if len(f.Fields) == 0 {
		return body
	}
	body.Fields, body.FieldCodes = map[string]string{}, map[string]FieldCode{}
	body.FieldParams = map[string]Params{}
	for field, message := range f.Fields {
		body.Fields[field], body.FieldCodes[field] = message.Sentence, message.Code
		if len(message.Params) > 0 {
			body.FieldParams[field] = message.Params
		}
	}
	return body
}
