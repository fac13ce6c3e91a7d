package appointment_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"baari.dev/services/contract"
	"baari.dev/services/directory/appointment"
)

const (
	reception  = contract.RoleReception
	consultant = contract.RoleConsultant
)

// The statuses, events and roles have the names of package contract.
func TestTheNamesAreThoseOfTheContract(t *testing.T) {
	statuses := []appointment.Status{
		contract.AppointmentStatusPending, contract.AppointmentStatusConfirmed, contract.AppointmentStatusArrived,
		contract.AppointmentStatusNoShow, contract.AppointmentStatusCancelled, contract.AppointmentStatusDeclined,
		contract.AppointmentStatusDone,
	}
	if !slices.Equal(appointment.Statuses, statuses) {
		t.Errorf("the statuses are %v", appointment.Statuses)
	}
	events := []string{
		contract.AppointmentRequested, contract.AppointmentBooked, contract.AppointmentConfirmed,
		contract.AppointmentDeclined, contract.AppointmentUpdated, contract.AppointmentMoved,
		contract.AppointmentCancelled, contract.AppointmentArrived, contract.AppointmentReturned,
		contract.AppointmentNoShow, contract.AppointmentDone,
	}
	for i, rule := range appointment.Rules {
		if rule.Event != events[i] {
			t.Errorf("%s has the event %s, want %s", rule.Action, rule.Event, events[i])
		}
	}
	desk := appointment.RuleOf(appointment.Confirm).By
	if !slices.Equal(desk, []string{contract.RoleReception, contract.RolePA, contract.RoleAdmin}) {
		t.Errorf("appointments are confirmed by %v", desk)
	}
}

// The state machine typed a second time: per action, who does it, the event, and the status after it for each status in
// the order of appointment.Statuses: pending, confirmed, arrived, no-show, cancelled, declined, done. "=" is a change
// that changes nothing, "x" one that is not allowed.
var machine = []struct {
	action   appointment.Action
	by       string // roles of staff: "desk"; or one who is not of the desk
	event    string
	after    [7]string
	undoable bool
	numbered bool
}{
	{"confirm", "desk", "appointment_confirmed", [7]string{"confirmed", "=", "x", "x", "x", "x", "x"}, true, false},
	{"decline", "desk", "appointment_declined", [7]string{"declined", "declined", "x", "x", "x", "=", "x"}, true, false},
	{"update", "desk", "appointment_updated", [7]string{"pending", "confirmed", "x", "x", "x", "x", "x"}, false, false},
	{"move", "desk visitor", "appointment_moved", [7]string{"pending", "confirmed", "x", "x", "x", "x", "x"}, true, true},
	{"cancel", "desk visitor", "appointment_cancelled", [7]string{"cancelled", "cancelled", "x", "x", "=", "x", "x"},
		true, true},
	{"arrive", "system", "appointment_arrived", [7]string{"x", "arrived", "=", "arrived", "x", "x", "arrived"},
		false, false},
	{"return", "system", "appointment_returned", [7]string{"x", "=", "confirmed", "x", "x", "x", "x"}, false, false},
	{"no-show", "desk system", "appointment_no_show", [7]string{"x", "no-show", "x", "=", "x", "x", "x"}, true, false},
	{"done", "desk", "appointment_done", [7]string{"done", "done", "=", "x", "x", "x", "="}, true, false},
}

// callers has who does the actions of a line, and who does not.
func callers(line string) (may, mayNot []string) {
	members := map[string][]string{
		"desk": {"reception", "pa", "admin"}, "visitor": {"visitor"}, "system": {"system"},
	}
	for name, who := range members {
		if containsWord(line, name) {
			may = append(may, who...)
		} else {
			mayNot = append(mayNot, who...)
		}
	}
	return may, append(mayNot, consultant, "display", "")
}

func containsWord(line, word string) bool {
	var first, second string
	_, _ = fmt.Sscan(line, &first, &second)
	return first == word || second == word
}

func TestEachActionChangesTheStatusesOfItsRule(t *testing.T) {
	for _, row := range machine {
		rule := appointment.RuleOf(row.action)
		if rule.Event != row.event || rule.Undoable != row.undoable || rule.Numbered != row.numbered {
			t.Errorf("%s has the rule %+v", row.action, rule)
		}
		may, mayNot := callers(row.by)
		for i, from := range appointment.Statuses {
			for _, by := range may {
				check(t, rule, from, by, row.after[i])
			}
			for _, by := range mayNot {
				if to, changed, _ := rule.Apply(from, by); changed {
					t.Errorf("%s of %s by %q makes it %s", row.action, from, by, to)
				}
			}
		}
	}
	if len(appointment.Rules) != len(machine)+2 { // request and book, which make an appointment
		t.Errorf("%d rules", len(appointment.Rules))
	}
}

func check(t *testing.T, rule appointment.Rule, from appointment.Status, by, want string) {
	t.Helper()
	to, changed, err := rule.Apply(from, by)
	var illegal *appointment.IllegalError
	switch want {
	case "x":
		if !errors.As(err, &illegal) || illegal.From != from || changed {
			t.Errorf("%s of %s by %s: %s, %v, %v", rule.Action, from, by, to, changed, err)
		}
	case "=":
		if err != nil || changed || to != from {
			t.Errorf("%s of %s by %s: %s, %v, %v", rule.Action, from, by, to, changed, err)
		}
	default:
		if err != nil || !changed || string(to) != want {
			t.Errorf("%s of %s by %s: %s, %v, %v", rule.Action, from, by, to, changed, err)
		}
	}
}

func TestANewAppointmentIsPendingOrConfirmed(t *testing.T) {
	request, book := appointment.RuleOf(appointment.Request), appointment.RuleOf(appointment.Book)
	if request.To != "pending" || request.Event != "appointment_requested" || request.Undoable ||
		book.To != "confirmed" || book.Event != "appointment_booked" || !book.Undoable {
		t.Errorf("%+v, %+v", request, book)
	}
}

func TestPendingConfirmedAndArrivedHoldAPlace(t *testing.T) {
	for status, holds := range map[appointment.Status]bool{"pending": true, "confirmed": true, "arrived": true,
		"no-show": false, "cancelled": false, "declined": false, "done": false} {
		if status.Holds() != holds {
			t.Errorf("%s holds a place: %v", status, !holds)
		}
	}
}

func TestAUserSetsFiveOfTheStatuses(t *testing.T) {
	for status, action := range map[appointment.Status]appointment.Action{"confirmed": "confirm", "declined": "decline",
		"cancelled": "cancel", "no-show": "no-show", "done": "done", "pending": "", "arrived": "", "new": ""} {
		if appointment.Setting(status) != action || status.Chosen() != (action != "") {
			t.Errorf("%s is set by %q", status, appointment.Setting(status))
		}
	}
}

func TestAnIllegalChangeIsWorded(t *testing.T) {
	_, _, err := appointment.RuleOf(appointment.Decline).Apply("done", reception)
	if err == nil || err.Error() != "Cannot change status from done to declined" {
		t.Error(err)
	}
	_, _, err = appointment.RuleOf(appointment.Move).Apply("done", reception)
	if err == nil || err.Error() != "This is not possible any more: the appointment is done." {
		t.Error(err)
	}
}
