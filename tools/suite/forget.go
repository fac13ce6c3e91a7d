package suite

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"time"

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
		"visits.visits", "visits.outbox", "visits.privacy_requests", "directory.appointments", "directory.outbox",
		"realtime.notifications", "realtime.outbox",
	} {
		if !slices.Contains(before, expected) {
			return fmt.Errorf("%s holds nothing of the visitor before the erasure, so the check proves nothing", expected)
		}
	}
	erased, err := eraseOnScreen(ctx, system)
	if err != nil {
		return err
	}
	after, err := places.Stored(ctx, forgotten...)
	if err != nil {
		return err
	}
	if len(after) > 0 || erased != (counts{Visits: 1, Appointments: 1, Notifications: 1}) {
		return fmt.Errorf("erased %+v; the visitor's data is still in %v", erased, after)
	}
	trail, err := system.Office().VerifyTrail(ctx)
	if err != nil {
		return err
	}
	if !trail.Whole {
		return fmt.Errorf("after the erasure: %s", trail)
	}
	return nil
}

// counts are the erased rows by what they are.
type counts struct{ Visits, Appointments, Notifications int }

// eraseOnScreen erases the visitor by the calls of the admin's screen and waits for the end.
func eraseOnScreen(ctx context.Context, system *stack.Stack) (erased counts, err error) {
	people, err := staff.SignIn(ctx, system.URL(), system.Accounts(), nil)
	if err != nil {
		return erased, err
	}
	admin := people.Users["admin"]
	var answer struct {
		Erasure struct {
			ID, State string
			Services  []struct {
				Name   string
				Done   bool
				Erased int
			}
		}
	}
	body := map[string]any{"action": "erase", "phone": forgottenPhone, "reason": "request"}
	if err := admin.Call(ctx, http.MethodPost, "/api/privacy/subject", body, &answer); err != nil {
		return erased, err
	}
	for answer.Erasure.State == "running" {
		select {
		case <-ctx.Done():
			return erased, ctx.Err()
		case <-time.After(200 * time.Millisecond):
		}
		path := "/api/privacy/subject/" + answer.Erasure.ID
		if err := admin.Call(ctx, http.MethodGet, path, nil, &answer); err != nil {
			return erased, err
		}
	}
	if answer.Erasure.State != "done" {
		return erased, fmt.Errorf("the erasure ended as %+v", answer.Erasure)
	}
	for _, service := range answer.Erasure.Services {
		switch service.Name {
		case "visits":
			erased.Visits = service.Erased
		case "directory":
			erased.Appointments = service.Erased
		case "realtime":
			erased.Notifications = service.Erased
		}
	}
	return erased, nil
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
			"told_by": "aloud", "messages": true,
		},
		"/api/privacy/requests": {"kind": "erasure", "phone": forgottenPhone, "text": "For " + forgottenName},
		"/api/stream/notify":    {"message": forgottenName + " is waiting"},
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
