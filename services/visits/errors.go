package visits

import (
	"errors"
	"fmt"

	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/idempotency"
	"baari.dev/services/visits/visit"
)

// The errors of the API.
var (
	errNotAssigned = fault.New(
		fault.Forbidden, "not_assigned", "This visitor is assigned to another consultant.",
	)
	errSessionActive  = fault.New(fault.Conflict, "session_active", "You already have an active session")
	errVisitOver      = fault.New(fault.Conflict, "visit_over", "This visit is over.")
	errServiceUnknown = fault.New(
		fault.Unprocessable, "service_unknown", "Please choose a service from the list.",
	)
	errConsultantUnavailable = fault.New(
		fault.Unprocessable, "consultant_unavailable", "This consultant is not available.",
	)
)

// Conflicts are the codes of 409 and 412 that visits answers.
var Conflicts = []string{
	errSessionActive.Code, errVisitOver.Code, codeDecided, codeIllegal,
	fault.ErrStale.Code, idempotency.ErrBusyKey.Code,
}

// errNoVisit is returned when there is no visit of the id.
var errNoVisit = errors.New("no such visit")

const (
	codeDecided = "visit_already_decided"
	codeIllegal = "illegal_transition"
)

// apiError maps an error of the rules to an error of the API.
func apiError(err error) error {
	var decided *visit.DecidedError
	var illegal *visit.IllegalError
	switch {
	case errors.Is(err, errNoVisit):
		return fault.ErrNotFound
	case errors.Is(err, visit.ErrForbidden):
		return fault.ErrForbidden
	case errors.Is(err, visit.ErrNotAssigned):
		return errNotAssigned
	case errors.Is(err, visit.ErrStale):
		return fault.ErrStale
	case errors.Is(err, visit.ErrOver):
		return errVisitOver
	case errors.Is(err, errBusyConsultant):
		return errSessionActive
	case errors.As(err, &decided):
		return fault.New(fault.Conflict, codeDecided, decided.Error()).With("status", decided.Status)
	case errors.As(err, &illegal):
		return fault.New(fault.Conflict, codeIllegal, illegal.Error()).With("from", illegal.From).With("to", illegal.To)
	}
	return fmt.Errorf("change a visit: %w", err)
}
