package canary

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"baari.dev/services/platform/testkit"
	"baari.dev/tools/sample/client"
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
	forgottenPaper = "canary-deed of the visitor"
	forgottenNote  = "canary-note of a paper"
)

var forgotten = []string{
	forgottenPhone, forgottenName, forgottenNotes, forgottenMail, forgottenText, forgottenPaper, forgottenNote,
}

// forget creates personal data in visits, directory and realtime, erases the visitor by phone number, and returns an
// error if a table of any database still holds one of the values.
func forget(t *testing.T, at system) error {
	t.Helper()
	ctx := t.Context()
	page, err := leaveTraces(t, at)
	if err != nil {
		return fmt.Errorf("create the visitor to erase: %w", err)
	}
	before, err := at.Places.stored(ctx, forgotten...)
	if err != nil {
		return err
	}
	for _, expected := range []string{
		"visits.visits", "visits.outbox", "visits.privacy_requests",
		"visits.visit_documents", "visits.acknowledgements", "directory.appointments", "directory.outbox",
		"realtime.notifications", "realtime.outbox",
	} {
		if !slices.Contains(before, expected) {
			return fmt.Errorf("%s holds nothing of the visitor before the erasure, so the check proves nothing", expected)
		}
	}
	erased, err := eraseOnScreen(ctx, at)
	if err != nil {
		return err
	}
	after, err := at.Places.stored(ctx, forgotten...)
	if err != nil {
		return err
	}
	if len(after) > 0 || erased != (counts{Visits: 1, Appointments: 1, Notifications: 1}) {
		return fmt.Errorf("erased %+v; the visitor's data is still in %v", erased, after)
	}
	return isGone(ctx, page)
}

type counts struct{ Visits, Appointments, Notifications int }

// eraseOnScreen erases the visitor through the calls of the admin's screen, and waits for the end.
func eraseOnScreen(ctx context.Context, at system) (erased counts, err error) {
	people, err := staff.SignIn(ctx, at.URL, at.Accounts, nil)
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
		if err := stack.Pause(ctx, 200*time.Millisecond); err != nil {
			return erased, err
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

func isGone(ctx context.Context, page string) error {
	status, _, err := open(ctx, page)
	if err == nil && status != http.StatusGone {
		err = fmt.Errorf("the page of the erased visitor answers %d", status)
	}
	return err
}

// withdraw withdraws the consent to messages, as a desk does, and waits until lobby, which sends the messages, knows
// this. In a nightly run this may take at most a second.
func withdraw(t *testing.T, desk *client.Client, visit, page string) error {
	t.Helper()
	const offer = "You agreed to messages"
	ctx := t.Context()
	// Lobby applies the event of the withdrawal later, so the page is read until it shows the withdrawal.
	shows := func(agreed bool) error {
		for began := time.Now(); ; _ = stack.Pause(ctx, 50*time.Millisecond) {
			_, text, err := open(ctx, strings.ToLower(page)+"/data?lang=en")
			if err != nil || strings.Contains(text, offer) == agreed {
				return err
			}
			if time.Since(began) > time.Minute {
				return fmt.Errorf("the visitor's page does not show that the consent is %v", agreed)
			}
		}
	}
	if err := shows(true); err != nil {
		return err
	}
	body := map[string]any{"purpose": "messages", "means": "aloud", "given": false}
	if err := desk.Call(ctx, http.MethodPost, "/api/visits/"+visit+"/consents", body, nil); err != nil {
		return err
	}
	withdrawn := time.Now()
	err := shows(false)
	testkit.AtMost(t, "the withdrawal", time.Since(withdrawn), time.Second)
	return err
}

func open(ctx context.Context, address string) (status int, text string, err error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, http.NoBody)
	if err != nil {
		return 0, "", err
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return 0, "", err
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	return answer.StatusCode, string(body), err
}

// leaveTraces stores personal data of the visitor: a visit with a paper, a privacy request, a notification with the
// name, and an appointment request. It returns the address of the visitor's page.
func leaveTraces(t *testing.T, at system) (page string, err error) {
	t.Helper()
	ctx := t.Context()
	people, err := staff.SignIn(ctx, at.URL, at.Accounts, nil)
	if err != nil {
		return "", err
	}
	var offered struct{ Services []struct{ ID, Name string } }
	var office struct{ AppointmentSlots []string }
	desk := people.Users["reception"]
	for path, into := range map[string]any{"/api/services": &offered, "/api/office": &office} {
		if err := desk.Call(ctx, http.MethodGet, path, nil, into); err != nil {
			return "", err
		}
	}
	for path, body := range map[string]map[string]any{
		"/api/privacy/requests": {"kind": "erasure", "phone": forgottenPhone, "text": "For " + forgottenName},
		"/api/stream/notify":    {"message": forgottenName + " is waiting"},
		"/api/appointments": {
			"name": forgottenName, "phone": forgottenPhone, "email": forgottenMail, "message": forgottenText,
			"service":       offered.Services[0].Name,
			"preferredDate": mondayAhead(time.Now()),
			"preferredTime": office.AppointmentSlots[0],
		},
	} {
		if err := desk.Call(ctx, http.MethodPost, path, body, nil); err != nil {
			return "", err
		}
	}
	return visitWithPaper(t, desk, offered.Services[0].ID)
}

// visitWithPaper registers the visitor, who leaves a paper, gets a receipt and withdraws the consent to messages. It
// returns the address of the visitor's page.
func visitWithPaper(t *testing.T, desk *client.Client, service string) (page string, err error) {
	t.Helper()
	ctx := t.Context()
	var made struct{ Visit struct{ ID string } }
	var answer struct{ Link struct{ URL string } }
	paper := map[string]any{"label": forgottenPaper, "state": "left", "note": forgottenNote}
	err = desk.Call(ctx, http.MethodPost, "/api/visits", map[string]any{
		"name": forgottenName, "phone": forgottenPhone, "service_id": service, "notes": forgottenNotes,
		"told_by": "aloud", "messages": true, "documents": []any{paper},
	}, &made)
	if err == nil {
		err = desk.Call(ctx, http.MethodPost, "/api/visits/"+made.Visit.ID+"/acknowledgement", map[string]any{}, nil)
	}
	if err == nil {
		err = desk.Call(ctx, http.MethodGet, "/api/lobby/visits/"+made.Visit.ID+"/link", nil, &answer)
	}
	if err == nil {
		err = withdraw(t, desk, made.Visit.ID, answer.Link.URL)
	}
	return answer.Link.URL, err
}

// mondayAhead returns a Monday one to two weeks after now: the office is open then, and takes requests for that day.
func mondayAhead(now time.Time) string {
	days := 14 - (int(now.Weekday())+6)%7
	return now.AddDate(0, 0, days).Format(time.DateOnly)
}
