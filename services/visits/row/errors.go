package row

import (
	"errors"
	"fmt"
	"math"

	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/idempotency"
	"baari.dev/services/visits/line"
	"baari.dev/services/visits/visit"
)

// The errors of the API.
var (
	ErrNotAssigned = fault.New(
		fault.Forbidden, "not_assigned", "This visitor is assigned to another consultant.",
	)
	errSessionActive = fault.New(fault.Conflict, "session_active", "You already have an active session")
	ErrVisitOver     = fault.New(fault.Conflict, "visit_over", "This visit is over.")
	ErrNobodyServes  = fault.New(
		fault.Unprocessable, "nobody_serves", "No consultant offers this service. Please choose one.",
	)
	errUndoGone = fault.New(
		fault.Conflict, "undo_gone", "This was changed since. Please look at it again.",
	)
	ErrAppointmentUsed = fault.New(
		fault.Conflict, "appointment_used", "This appointment has another visit by now.",
	)
	ErrCounterRequired = fault.New(fault.Unprocessable, "counter_required", "Set the desk number first.")

	errCallOpen   = fault.New(fault.Conflict, "call_open", "You have called another visitor.")
	errTooSoon    = fault.New(fault.Conflict, "too_soon", "The last call was just now. Please wait a moment.")
	ErrMoveBefore = fault.Field("before", beforeWrong)
)

// Conflicts are the codes of the errors about visits with status 409 or 412.
var Conflicts = []string{
	errSessionActive.Code, ErrVisitOver.Code, codeDecided, codeIllegal, codeAction, errCallOpen.Code, codeWouldBypass,
	codeNextChanged, errUndoGone.Code, errTooSoon.Code, ErrAppointmentUsed.Code, fault.ErrStale.Code,
	idempotency.ErrBusyKey.Code,
}

// ErrNoVisit is returned if no visit has the id, ErrNoDesk if no active consultant has the id.
var (
	ErrNoVisit = errors.New("no such visit")
	ErrNoDesk  = errors.New("no such desk")
)

const (
	codeDecided     = "visit_already_decided"
	codeIllegal     = "illegal_transition"
	codeAction      = "illegal_action"
	codeWouldBypass = "would_bypass"
	codeNextChanged = "next_changed"
)

// AnothersDesk returns ErrNotAssigned for the desk of another consultant. name is the consultant's, "" if not known.
func AnothersDesk(name string) error {
	return ofConsultant(ErrNotAssigned, "This desk is another consultant's.", name)
}

// NextChanged returns the error of a call whose next visitor is not the expected one.
func NextChanged(next line.Waiting) error {
	token := visit.Token(next.Series, next.Token)
	return fault.New(fault.Conflict, codeNextChanged, fmt.Sprintf("%s is next now.", token)).With("token", token)
}

// ofConsultant returns err with another sentence, and with the consultant's name in the params unless name is "".
func ofConsultant(err *fault.Fault, sentence, name string) *fault.Fault {
	worded := *err
	worded.Sentence = sentence
	if name == "" {
		return &worded
	}
	return worded.With("consultant", name)
}

// WouldBypass returns the error of a move that passes a visitor who must be next.
func WouldBypass(passed line.Waiting) error {
	token := visit.Token(passed.Series, passed.Token)
	sentence := fmt.Sprintf("%s has been passed %d times and must be next.", token, passed.Bypassed)
	return fault.New(fault.Conflict, codeWouldBypass, sentence).With("token", token).With("times", passed.Bypassed)
}

// APIError maps an error of the rules to an error of the API.
func APIError(err error) error {
	var decided *visit.DecidedError
	var illegal *visit.TransitionError
	var action *visit.ActionError
	var soon *visit.TooSoonError
	var open *visit.CallOpenError
	var busy *visit.SessionActiveError
	var long *visit.NotesLongError
	switch {
	case errors.Is(err, ErrNoVisit), errors.Is(err, ErrNoDesk):
		return fault.ErrNotFound
	case errors.Is(err, visit.ErrForbidden):
		return fault.ErrForbidden
	case errors.Is(err, visit.ErrNotAssigned):
		return ErrNotAssigned
	case errors.Is(err, visit.ErrStale):
		return fault.ErrStale
	case errors.Is(err, visit.ErrOver):
		return ErrVisitOver
	case errors.As(err, &busy):
		return ofConsultant(errSessionActive, busy.Error(), busy.Consultant)
	case errors.Is(err, visit.ErrSessionActive):
		return errSessionActive
	case errors.Is(err, visit.ErrUndoGone):
		return errUndoGone
	case errors.As(err, &action):
		return fault.New(fault.Conflict, codeAction, action.Error()).With("stage", action.Stage)
	case errors.As(err, &soon):
		return errTooSoon.After(soon.Wait).With("seconds", int(math.Ceil(soon.Wait.Seconds())))
	case errors.As(err, &open):
		return ofConsultant(errCallOpen, open.Error(), open.Consultant).With("token", open.Token)
	case errors.As(err, &long):
		field := "notes"
		if long.Action == visit.Transfer || long.Action == visit.Reopen {
			field = "note"
		}
		return fault.Field(field, notesFull.With("max", long.Left))
	case errors.As(err, &decided):
		return fault.New(fault.Conflict, codeDecided, decided.Error()).With("status", decided.Status)
	case errors.As(err, &illegal):
		return fault.New(fault.Conflict, codeIllegal, illegal.Error()).With("from", illegal.From).With("to", illegal.To)
	}
	return fmt.Errorf("change a visit: %w", err)
}
