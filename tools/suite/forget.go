package suite

import (
	"context"
	"fmt"
	"net/http"
	"slices"

	"baari.dev/services/operate/subject"
	"baari.dev/tools/proof/canary"
	"baari.dev/tools/sample/staff"
	"baari.dev/tools/stack"
)

// The personal data of the visitor who is erased.
const (
	forgottenPhone = "9811122233"
	forgottenName  = "Asha Parvati Deshpande-Canary"
	forgottenNotes = "canary-reception-notes"
	forgottenMail  = "asha.canary@example.org"
	forgottenText  = "canary-appointment-message"
)

var forgotten = []string{forgottenPhone, forgottenName, forgottenNotes, forgottenMail, forgottenText}

// forget creates personal data in every service, erases the visitor by phone number, and returns an error if a
// table of any database still holds one of the values.
func forget(ctx context.Context, system *stack.Stack, places canary.Places) error {
	if err := leaveTraces(ctx, system); err != nil {
		return fmt.Errorf("create the visitor to erase: %w", err)
	}
	before, err := places.Stored(ctx, forgotten...)
	if err != nil {
		return err
	}
	for _, expected := range []string{
		"visits.visits", "visits.outbox", "directory.appointments", "directory.outbox", "realtime.notifications",
		"realtime.outbox",
	} {
		if !slices.Contains(before, expected) {
			return fmt.Errorf("%s holds nothing of the visitor before the erasure, so the check proves nothing", expected)
		}
	}
	report, err := subject.Erase(ctx, system.Office(), forgottenPhone)
	if err != nil {
		return err
	}
	after, err := places.Stored(ctx, forgotten...)
	if err != nil {
		return err
	}
	if len(after) > 0 || report != (subject.Report{Visits: 1, Appointments: 1, Notifications: 1}) {
		return fmt.Errorf("erased %+v; the visitor's data is still in %v", report, after)
	}
	return nil
}

// leaveTraces registers the visitor, sends a notification that contains the name, and requests an appointment.
func leaveTraces(ctx context.Context, system *stack.Stack) error {
	people, err := staff.SignIn(ctx, system.URL(), system.Accounts(), nil)
	if err != nil {
		return err
	}
	var offered struct{ Services []struct{ ID, Name string } }
	var office struct{ AppointmentSlots []string }
	desk := people.Users["reception"]
	for path, into := range map[string]any{"/api/services": &offered, "/api/office": &office} {
		if err := desk.Call(ctx, http.MethodGet, path, nil, into); err != nil {
			return err
		}
	}
	for path, body := range map[string]map[string]any{
		"/api/visits": {
			"name": forgottenName, "phone": forgottenPhone, "service_id": offered.Services[0].ID, "notes": forgottenNotes,
		},
		"/api/stream/notify": {"message": forgottenName + " is waiting"},
		"/api/appointments": {
			"name": forgottenName, "phone": forgottenPhone, "email": forgottenMail, "message": forgottenText,
			"service":       offered.Services[0].Name,
			"preferredDate": "2099-11-23",
			"preferredTime": office.AppointmentSlots[0],
		},
	} {
		if err := desk.Call(ctx, http.MethodPost, path, body, nil); err != nil {
			return err
		}
	}
	return nil
}
