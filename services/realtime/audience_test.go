package realtime

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"baari.dev/services/contract"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/testkit"
	"baari.dev/services/platform/wire"
)

// visitorPhone and aNote are data that no frame may contain; only some roles receive visitorName.
const (
	visitorPhone = "9876543210"
	visitorName  = "Asha Menon"
	aNote        = "brings form sixteen"
)

var consultantID, otherConsultantID = testkit.ID("rao"), testkit.ID("iyer")

// visitEvent returns an event of one visit in the form in which visits publishes it.
func visitEvent(kind string, seq int64) outbox.Event {
	name, minutes, at := "CA Rao", 12, wire.Time(time.Now())
	visit := contract.Visit{
		ID: "01890a5d-ac96-774b-bcce-b302099a8057", TokenNo: 7, Token: "T-007", Day: "2026-11-20", CallCount: 1,
		CalledAt: &at, Name: visitorName, Phone: visitorPhone, HeldNote: aNote, MovedReason: aNote,
		ServiceName: "ITR Filing", ReceptionNotes: aNote, PANotes: aNote, SessionNotes: aNote, CreatedAt: at, UpdatedAt: at,
		Version: seq,
	}
	if kind != contract.VisitCreated && kind != contract.VisitDenied {
		visit.ConsultantID, visit.ConsultantName = &consultantID, &name
	}
	if kind == contract.VisitCompleted {
		visit.DurationMinutes = &minutes
	}
	return eventOf(contract.SourceVisits, kind, contract.EntityVisit, visit.ID, seq, visit)
}

// eventOf returns an event in the form in which the feed of the source returns it.
func eventOf(source, kind, entity, id string, seq int64, after any) outbox.Event {
	data, err := json.Marshal(after)
	if err != nil {
		panic(err)
	}
	return outbox.Event{
		Source: source, Epoch: epoch, Seq: seq, Type: kind, Time: wire.Time(time.Now()), Version: seq,
		Subject: outbox.Subject{Entity: entity, ID: id}, Before: jsontext.Value("null"), After: data,
	}
}

// documentsEvent returns an event about the papers of a visit that is in the given stage.
func documentsEvent(kind, stage string) outbox.Event {
	id := "01890a5d-ac96-774b-bcce-b302099a8057"
	return eventOf(contract.SourceVisits, kind, contract.EntityVisitDocuments, id, 1, contract.VisitDocuments{
		VisitID: id, Token: "T-007", Day: "2026-11-20", Stage: stage, Pinned: stage != contract.StageWaiting,
		ConsultantID: &consultantID, Documents: []contract.VisitDocument{{No: 1, Label: aNote, State: "missing"}}, Version: 1,
	})
}

// record returns an event of the given kind for an entity other than a visit.
func record(kind string) outbox.Event {
	entity, _, _ := strings.Cut(kind, "_")
	if strings.HasPrefix(kind, contract.EntityDueDate) {
		entity = contract.EntityDueDate
	}
	return eventOf("any", kind, entity, consultantID, 1, map[string]string{"id": consultantID, "email": "rao@example.com"})
}

// booking returns an event of an appointment that was moved away from the assigned consultant.
func booking(kind string) outbox.Event {
	event := eventOf(contract.SourceDirectory, kind, contract.EntityAppointment, "a1", 1, contract.Appointment{ID: "a1"})
	event.Before = jsontext.Value(`{"id":"a1","phone":"9876543210","consultantId":"` + consultantID + `"}`)
	return event
}

func notice(targets ...string) outbox.Event {
	return eventOf(contract.SourceRealtime, contract.NotificationSent, contract.EntityNotification, "n1", 1,
		contract.Notification{
			ID: "01890a5d-ac96-774b-bcce-b302099a8058", Message: "Tea", Type: "info", TargetRoles: targets, Sender: "Meera",
			SenderRole: contract.RolePA, CreatedAt: wire.Time(time.Now()),
		})
}

// subscribers has reception, PA, admin and two consultants: the one whom the events concern, and another.
var subscribers = []struct {
	name   string
	topics []topic
}{
	{"reception", subscriptions(contract.RoleReception, testkit.ID("reception"))},
	{"pa", subscriptions(contract.RolePA, testkit.ID("pa"))},
	{"assigned consultant", subscriptions(contract.RoleConsultant, consultantID)},
	{"other consultant", subscriptions(contract.RoleConsultant, otherConsultantID)},
	{"admin", subscriptions(contract.RoleAdmin, testkit.ID("admin"))},
}

// S6.notify.01-10 S7.stream.05 S7.event.02-08: the frame that each role receives for an event.
func TestEachEventReachesExactlyItsAudience(t *testing.T) {
	const quiet, nothing = typeStatusUpdate, ""
	for _, row := range []struct {
		event                                            outbox.Event
		reception, pa, assigned, otherConsultants, admin string
	}{
		{visitEvent(contract.VisitCreated, 1), quiet, "visit_created", nothing, nothing, "visit_created"},
		{visitEvent(contract.VisitApproved, 2), "visit_approved", quiet, "visit_approved", "visit_approved", quiet},
		{visitEvent(contract.VisitDenied, 2), "visit_denied", quiet, nothing, nothing, quiet},
		{visitEvent(contract.VisitInSession, 3), "visit_in_session", "visit_in_session", quiet, nothing, "visit_in_session"},
		{visitEvent(contract.VisitCompleted, 4), "visit_completed", "visit_completed", quiet, nothing, "visit_completed"},
		{visitEvent(contract.VisitErased, 5), quiet, quiet, quiet, nothing, quiet},
		{visitEvent(contract.VisitMerged, 5), quiet, quiet, quiet, nothing, quiet},
		{documentsEvent(contract.VisitDocumentsChanged, contract.StageHeld), quiet, quiet, quiet, nothing, quiet},
		{documentsEvent(contract.VisitDocumentsChanged, contract.StageWaiting), quiet, quiet, quiet, quiet, quiet},
		{documentsEvent(contract.VisitDocumentsAcknowledged, contract.StageHeld), quiet, quiet, quiet, nothing, quiet},
		{documentsEvent(contract.VisitDocumentsErased, contract.StageHeld), quiet, quiet, quiet, nothing, quiet},
		{record(contract.ConsentGiven), quiet, quiet, nothing, nothing, quiet},
		{record(contract.ConsentWithdrawn), quiet, quiet, nothing, nothing, quiet},
		{record(contract.PrivacyRequestReceived), nothing, nothing, nothing, nothing, quiet},
		{record(contract.PrivacyRequestAnswered), nothing, nothing, nothing, nothing, quiet},
		{record(contract.PrivacyRequestRefused), nothing, nothing, nothing, nothing, quiet},
		{record(contract.PrivacyRequestReopened), nothing, nothing, nothing, nothing, quiet},
		{record(contract.ServiceCreated), quiet, quiet, quiet, quiet, quiet},
		{record(contract.ServiceUpdated), quiet, quiet, quiet, quiet, quiet},
		{record(contract.DueDateCreated), quiet, quiet, nothing, nothing, quiet},
		{record(contract.DueDateUpdated), quiet, quiet, nothing, nothing, quiet},
		{record(contract.ConsultantCreated), nothing, quiet, quiet, quiet, quiet},
		{record(contract.ConsultantUpdated), nothing, quiet, quiet, quiet, quiet},
		{record(contract.DeskChanged), quiet, quiet, quiet, quiet, quiet},
		{booking(contract.AppointmentRequested), quiet, quiet, quiet, nothing, quiet},
		{booking(contract.AppointmentBooked), quiet, quiet, quiet, nothing, quiet},
		{booking(contract.AppointmentConfirmed), quiet, quiet, quiet, nothing, quiet},
		{booking(contract.AppointmentDeclined), quiet, quiet, quiet, nothing, quiet},
		{booking(contract.AppointmentUpdated), quiet, quiet, quiet, nothing, quiet},
		{booking(contract.AppointmentMoved), quiet, quiet, quiet, nothing, quiet},
		{booking(contract.AppointmentCancelled), quiet, quiet, quiet, nothing, quiet},
		{booking(contract.AppointmentArrived), quiet, quiet, quiet, nothing, quiet},
		{booking(contract.AppointmentReturned), quiet, quiet, quiet, nothing, quiet},
		{booking(contract.AppointmentNoShow), quiet, quiet, quiet, nothing, quiet},
		{booking(contract.AppointmentDone), quiet, quiet, quiet, nothing, quiet},
		{booking(contract.AppointmentUndone), quiet, quiet, quiet, nothing, quiet},
		{booking(contract.AppointmentErased), quiet, quiet, quiet, nothing, quiet},
		{record(contract.AppointmentMoved), quiet, quiet, nothing, nothing, quiet},
		{record(contract.ArrivalRequested), quiet, nothing, nothing, nothing, quiet},
		{record(contract.ArrivalAnswered), quiet, nothing, nothing, nothing, quiet},
		{record(contract.LinkBackRequested), quiet, nothing, nothing, nothing, quiet},
		{record(contract.LinkOpened), nothing, nothing, nothing, nothing, nothing},
		{record(contract.UserRegistered), nothing, nothing, nothing, nothing, quiet},
		{record(contract.UserRoleSet), nothing, nothing, nothing, nothing, quiet},
		{record(contract.UserRoleChanged), nothing, nothing, nothing, nothing, quiet},
		{record(contract.UserActivated), nothing, nothing, nothing, nothing, quiet},
		{record(contract.UserDeactivated), nothing, nothing, nothing, nothing, quiet},
		{record(contract.UserUpdated), nothing, nothing, nothing, nothing, quiet},
		{record(contract.UserEmailChangeRequested), nothing, nothing, nothing, nothing, quiet},
		{record(contract.UserEmailChangeStopped), nothing, nothing, nothing, nothing, quiet},
		{record(contract.UserEmailChanged), nothing, nothing, nothing, nothing, quiet},
		{record(contract.UserPasswordChanged), nothing, nothing, nothing, nothing, quiet},
		{record(contract.UserInvited), nothing, nothing, nothing, nothing, quiet},
		{record(contract.UserDeleted), nothing, nothing, nothing, nothing, quiet},
		{notice(contract.RolePA, contract.RoleConsultant), nothing, "notification", "notification", "notification", nothing},
		{notice(roleNames[:]...), "notification", "notification", "notification", "notification", "notification"},
		{record(contract.SessionSignedIn), nothing, nothing, nothing, nothing, nothing},
		{record(contract.SessionSignedOut), nothing, nothing, nothing, nothing, nothing},
		{record(contract.AccessDenied), nothing, nothing, nothing, nothing, nothing},
		{record(contract.OfficeLoaded), quiet, quiet, quiet, quiet, quiet},
		{record(contract.OfficeChanged), quiet, quiet, quiet, quiet, quiet},
		{record(contract.OfficeRestored), quiet, quiet, quiet, quiet, quiet},
	} {
		want := []string{row.reception, row.pa, row.assigned, row.otherConsultants, row.admin}
		for i, subscriber := range subscribers {
			var got []string
			for _, f := range framesFor(t, row.event, subscriber.topics) {
				got = append(got, f["type"].(string))
			}
			if want[i] == nothing && len(got) > 0 || want[i] != nothing && !slices.Equal(got, []string{want[i]}) {
				t.Errorf("%s: %s receives %q, want exactly %q", row.event.Type, subscriber.name, got, want[i])
			}
		}
	}
}

// framesFor returns the decoded frames of an event that a subscriber of the given topics receives.
func framesFor(t *testing.T, event outbox.Event, topics []topic) (data []map[string]any) {
	t.Helper()
	frames, err := framesOf(event)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range frames {
		if !f.reaches(topics) {
			continue
		}
		var decoded map[string]any
		if err := json.Unmarshal(f.data, &decoded); err != nil {
			t.Fatal(err)
		}
		data = append(data, decoded)
	}
	return data
}

// S3.event.01 S3.event.03: a frame has exactly the fields of its kind.
func TestFrameHasExactlyTheFieldsOfItsKind(t *testing.T) {
	for _, row := range []struct {
		event  outbox.Event
		role   topic
		fields string
	}{
		{visitEvent(contract.VisitCreated, 1), pa, "name service token version visitId"},
		{visitEvent(contract.VisitApproved, 2), consultant, "assignedConsultant service token version visitId"},
		{visitEvent(contract.VisitDenied, 2), reception, "name service token version visitId"},
		{visitEvent(contract.VisitInSession, 3), admin, "assignedConsultant name service token version visitId"},
		{visitEvent(contract.VisitCompleted, 4), admin, "assignedConsultant duration name service token version visitId"},
		{visitEvent(contract.VisitDenied, 2), admin, "token version visitId"},
		{record(contract.ServiceUpdated), consultant, "entity entityId"},
		{visitEvent(contract.VisitCalled, 3), reception, "assignedConsultant callCount service token version visitId"},
		{visitEvent(contract.VisitHeld, 3), reception, "token version visitId"},
		{record(contract.DeskChanged), reception, "entity entityId"},
		{documentsEvent(contract.VisitDocumentsChanged, contract.StageHeld), pa, "entity entityId"},
		{notice(contract.RoleAdmin), admin, "createdAt message notificationId sender senderRole type"},
	} {
		frames := framesFor(t, row.event, to(row.role))
		if len(frames) != 1 {
			t.Fatalf("%s: %d frames, want 1", row.event.Type, len(frames))
		}
		data, fields := frames[0]["data"].(map[string]any), ""
		if fields = strings.Join(slices.Sorted(maps.Keys(data)), " "); fields != row.fields || len(frames[0]) != 2 {
			t.Errorf("%s has the fields %q in %v, want %q", row.event.Type, fields, frames[0], row.fields)
		}
	}
}

func TestNoFrameHasAPhoneOrNote(t *testing.T) {
	for _, row := range audience {
		event := record(row.kind)
		switch {
		case strings.HasPrefix(row.kind, contract.EntityVisitDocuments):
			event = documentsEvent(row.kind, contract.StageWaiting)
		case strings.HasPrefix(row.kind, "visit_"):
			event = visitEvent(row.kind, 1)
		case row.kind == contract.NotificationSent:
			event = notice(roleNames[:]...)
		}
		frames, err := framesOf(event)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range frames {
			text := string(f.data)
			// ASVS 8.2.3
			if strings.Contains(text, visitorPhone) || strings.Contains(text, aNote) || strings.Contains(text, "@") {
				t.Errorf("%s publishes %s", row.kind, text)
			}
			if strings.Contains(text, visitorName) && slices.Contains(f.topics, consultant) {
				t.Errorf("%s publishes the visitor's name to every consultant", row.kind)
			}
		}
	}
}

func TestFramesMatchTheAPIDocument(t *testing.T) {
	document := testkit.LoadContract(t, "api.yaml").Document
	schema := document.Components.Schemas["LiveEvent"].Value
	check := func(data []byte) error {
		var value any
		if err := json.Unmarshal(data, &value); err != nil {
			t.Fatal(err)
		}
		return schema.VisitJSON(value)
	}
	for _, row := range audience {
		event := record(row.kind)
		switch {
		case strings.HasPrefix(row.kind, contract.EntityVisitDocuments):
			event = documentsEvent(row.kind, contract.StageWaiting)
		case strings.HasPrefix(row.kind, "visit_"):
			event = visitEvent(row.kind, 1)
		case row.kind == contract.NotificationSent:
			event = notice(contract.RolePA)
		}
		frames, err := framesOf(event)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range frames {
			if err := check(f.data); err != nil {
				t.Errorf("%s: %s: %v", row.kind, f.data, err)
			}
		}
	}
	for _, data := range [][]byte{
		encode(typeConnection, connection{ConnectionID: "c", ActiveConnections: 1, HeartbeatSeconds: 5}),
		encode(typeHeartbeat, struct{}{}),
		resetFrame().data,
	} {
		if err := check(data); err != nil {
			t.Errorf("%s: %v", data, err)
		}
	}
	for _, wrong := range []string{
		`{"type":"heartbeat","data":{},"extra":1}`, `{"type":"visit_created","data":{"visitId":"x"}}`,
		`{"type":"status_update","data":{"reset":true,"phone":"9876543210"}}`,
	} {
		if check([]byte(wrong)) == nil {
			t.Errorf("the document allows %s", wrong)
		}
	}
}

func TestIncompleteEventIsRejected(t *testing.T) {
	for name, event := range map[string]outbox.Event{
		"an approval without a consultant": eventOf(contract.SourceVisits, contract.VisitApproved, "visit", "v", 1,
			contract.Visit{ID: "v", Token: "T-001"}),
		"a visit that is not an object": eventOf(contract.SourceVisits, contract.VisitCreated, "visit", "v", 1,
			"visit"),
		"a notification without a known role": notice("gardener"),
		"a record without an id": eventOf(contract.SourceDirectory, contract.ServiceUpdated, "service", "", 1,
			nil),
	} {
		if frames, err := framesOf(event); err == nil {
			t.Errorf("%s was published as %s", name, fmt.Sprint(frames))
		}
	}
}
