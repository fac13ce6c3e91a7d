package fault_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"strings"
	"testing"
	"time"

	"baari.dev/services/platform/fault"
)

func TestEveryKindHasItsStatus(t *testing.T) {
	for kind, want := range map[fault.Kind]int{
		fault.Internal: 500, fault.Invalid: 400, fault.Unauthenticated: 401, fault.Forbidden: 403, fault.NotFound: 404,
		fault.NotAllowed: 405, fault.Conflict: 409, fault.Stale: 412, fault.TooLarge: 413, fault.MediaType: 415,
		fault.Unprocessable: 422, fault.RateLimited: 429, fault.Unavailable: 503,
	} {
		if got := fault.New(kind, "c", "s").Status(); got != want {
			t.Errorf("kind %d answers %d, want %d", kind, got, want)
		}
	}
	if got := (&fault.Fault{}).Status(); got != http.StatusInternalServerError {
		t.Errorf("a fault without a kind answers %d", got)
	}
}

// T31: an error that is not a fault is internal, and its cause is not in the response.
func TestTheCauseStaysInTheLog(t *testing.T) {
	cause := errors.New("relation visits at db-1 does not exist")
	got := fault.Of(fmt.Errorf("list: %w", cause))
	// ASVS 16.5.1
	if body := got.Body("r1"); body.Error != "An error occurred" || body.Code != "internal" || body.RequestID != "r1" ||
		body.Fields != nil {
		t.Errorf("the body is %+v", body)
	}
	if !errors.Is(got, cause) || !strings.Contains(got.Error(), "db-1") {
		t.Errorf("the log would not have the cause: %v", got)
	}
}

func TestAFaultIsFoundThroughWrapping(t *testing.T) {
	err := fmt.Errorf("ask auth: %w", fault.ErrUnavailable.Because(context.DeadlineExceeded))
	if got := fault.Of(err); got.Code != "unavailable" || got.RetryAfter != time.Second {
		t.Errorf("found %+v", got)
	}
	if !errors.Is(err, fault.ErrUnavailable) || !errors.Is(err, context.DeadlineExceeded) ||
		errors.Is(err, fault.ErrBusy) {
		t.Error("a fault is compared by its code, its cause by identity")
	}
}

func TestCopiesDoNotChangeTheOriginal(t *testing.T) {
	_ = fault.ErrRateLimited.Because(errors.New("x")).After(time.Minute)
	if fault.ErrRateLimited.RetryAfter != 0 || fault.ErrRateLimited.Unwrap() != nil {
		t.Errorf("the shared fault became %+v", fault.ErrRateLimited)
	}
}

func TestTheFirstInvalidFieldGivesTheSentence(t *testing.T) {
	var fields fault.Fields
	if err := fields.Err(); err != nil {
		t.Fatalf("no field is invalid, got %v", err)
	}
	fields.Reject("name", fault.NewMessage(fault.CodeTooLong, "At most 100 characters").With("max", 100))
	fields.Reject("phone", fault.NewMessage(fault.CodeRequired, "Phone number is required"))
	fields.Reject("name", fault.NewMessage(fault.CodeRequired, "another"))
	f := fault.Of(fields.Err())
	if f.Code != "validation" || f.Status() != 400 {
		t.Errorf("the fault is %+v", f)
	}
	want := fault.Body{
		Error:       "At most 100 characters",
		Code:        "validation",
		RequestID:   "r1",
		Fields:      map[string]string{"name": "At most 100 characters", "phone": "Phone number is required"},
		Params:      fault.Params{"max": 100},
		FieldCodes:  map[string]fault.FieldCode{"name": fault.CodeTooLong, "phone": fault.CodeRequired},
		FieldParams: map[string]fault.Params{"name": {"max": 100}},
	}
	if got := f.Body("r1"); !reflect.DeepEqual(got, want) {
		t.Errorf("the body is %+v, want %+v", got, want)
	}
}

func TestAValueIsAddedToACopy(t *testing.T) {
	base := fault.New(fault.Conflict, "taken", "It is taken.").With("from", "a")
	if got := base.With("to", "b").Body("r").Params; !reflect.DeepEqual(got, fault.Params{"from": "a", "to": "b"}) {
		t.Errorf("the values are %v", got)
	}
	message := fault.NewMessage(fault.CodeInvalidNumber, "A number from 1").With("min", 1)
	if got := message.With("max", 9).Params; !reflect.DeepEqual(got, fault.Params{"min": 1, "max": 9}) {
		t.Errorf("the values are %v", got)
	}
	if len(base.Params) != 1 || len(message.Params) != 1 {
		t.Errorf("the originals became %v and %v", base.Params, message.Params)
	}
}

func TestSentencesNameNoTechnology(t *testing.T) {
	for _, f := range []*fault.Fault{
		fault.ErrInternal, fault.ErrBadBody, fault.ErrUnauthorized, fault.ErrForbidden, fault.ErrAccountInactive,
		fault.ErrNotFresh,
		fault.ErrNotFound, fault.ErrNotAllowed, fault.ErrStale, fault.ErrTooLarge, fault.ErrRateLimited,
		fault.ErrUnavailable, fault.ErrBusy, fault.ErrUnknownOutcome,
	} {
		for _, word := range []string{"json", "sql", "pgx", "panic"} {
			// ASVS 16.5.1
			if strings.Contains(strings.ToLower(f.Sentence), word) {
				t.Errorf("%s says %q", f.Code, f.Sentence)
			}
		}
		if f.Status() == http.StatusServiceUnavailable && f.RetryAfter <= 0 {
			t.Errorf("%s does not say when to try again", f.Code)
		}
	}
}
