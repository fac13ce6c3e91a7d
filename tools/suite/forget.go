package suite

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"

	"baari.dev/tools/canary"
	"baari.dev/tools/client"
	"baari.dev/tools/stack"
	"baari.dev/tools/subject"
)

// What a visitor leaves behind who wants to be forgotten.
const (
	forgottenPhone = "9811122233"
	forgottenName  = "Asha Parvati Deshpande-Canary"
	forgottenNotes = "canary-reception-notes"
	forgottenMail  = "asha.canary@example.org"
	forgottenText  = "canary-appointment-message"
)

var forgotten = []string{forgottenPhone, forgottenName, forgottenNotes, forgottenMail, forgottenText}

// forget lets a visitor leave traces in every service, has them erased as a person asks for it, and fails unless no table
// of any database holds one of them.
func forget(ctx context.Context, system *stack.Stack, places canary.Places) error {
	if err := leaveTraces(ctx, system); err != nil {
		return fmt.Errorf("a visitor to forget: %w", err)
	}
	before, err := places.Stored(ctx, forgotten...)
	if err != nil {
		return err
	}
	for _, expected := range []string{"visits.visits", "visits.outbox", "directory.appointments", "directory.outbox", "realtime.notifications", "realtime.outbox"} {
		if !slices.Contains(before, expected) {
			return fmt.Errorf("the visitor left nothing in %s, so its erasure proves nothing", expected)
		}
	}
	addresses := map[string]string{}
	for _, service := range stack.Services {
		addresses[service] = system.Internal(service)
	}
	report, err := subject.New(addresses, system.ServiceSecret()).Erase(ctx, forgottenPhone)
	if err != nil {
		return err
	}
	after, err := places.Stored(ctx, forgotten...)
	if err != nil {
		return err
	}
	if len(after) > 0 || report != (subject.Report{Visits: 1, Appointments: 1, Notifications: 1}) {
		return fmt.Errorf("erased %+v; the visitor still stands in %v", report, after)
	}
	return nil
}

// leaveTraces registers the visitor, sends a message that names them, and asks for an appointment.
func leaveTraces(ctx context.Context, system *stack.Stack) error {
	accounts := system.Accounts()
	at := slices.IndexFunc(accounts, func(a stack.Account) bool { return a.Role == "reception" })
	if at < 0 {
		return errors.New("there is no account of reception")
	}
	desk := client.Client{Base: system.URL()}
	if err := desk.SignIn(ctx, accounts[at].Email, accounts[at].Password); err != nil {
		return err
	}
	var offered struct{ Services []struct{ ID, Name string } }
	var office struct{ AppointmentSlots []string }
	for path, into := range map[string]any{"/api/services": &offered, "/api/office": &office} {
		if err := desk.Call(ctx, http.MethodGet, path, nil, into); err != nil {
			return err
		}
	}
	if len(offered.Services) == 0 || len(office.AppointmentSlots) == 0 {
		return errors.New("the office offers nothing")
	}
	for path, body := range map[string]map[string]any{
		"/api/visits":        {"name": forgottenName, "phone": forgottenPhone, "service_id": offered.Services[0].ID, "notes": forgottenNotes},
		"/api/stream/notify": {"message": forgottenName + " is waiting"},
		"/api/appointments": {"name": forgottenName, "phone": forgottenPhone, "email": forgottenMail, "service": offered.Services[0].Name, "message": forgottenText,
			"preferredDate": time.Now().AddDate(0, 0, 3).Format(time.DateOnly), "preferredTime": office.AppointmentSlots[0]},
	} {
		if err := desk.Call(ctx, http.MethodPost, path, body, nil); err != nil {
			return err
		}
	}
	return nil
}
