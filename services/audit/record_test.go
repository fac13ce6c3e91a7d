package audit

import (
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"baari.dev/services/contract"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/testkit"
)

func event(kind, entity string, actor *outbox.Actor, before, after string) outbox.Event {
	return outbox.Event{Type: kind, Subject: outbox.Subject{Entity: entity, ID: "1"}, Actor: actor,
		Before: jsontext.Value(before), After: jsontext.Value(after)}
}

// S3.audit.04: a record has the changed fields, with the phones of visitors masked.
func TestRecordHasTheChangedFields(t *testing.T) {
	for _, c := range []struct {
		what     string
		event    outbox.Event
		old, new string
	}{
		{"a creation", event("visit_created", "visit", nil, `null`,
			`{"id":"1","phone":"9876543210","status":"new","consultantId":null}`),
			``, `{"consultantId":null,"id":"1","phone":"98******10","status":"new"}`},
		{"a change", event("visit_approved", "visit", nil, `{"id":"1","phone":"9876543210","status":"new","tags":[1,2]}`,
			`{"id":"1","phone":"9876543210","status":"approved","tags":[1,2]}`),
			`{"status":"new"}`, `{"status":"approved"}`},
		{"a changed phone", event("appointment_confirmed", "appointment", nil, `{"phone":"9876543210"}`,
			`{"phone":"9123456789"}`),
			`{"phone":"98******10"}`, `{"phone":"91******89"}`},
		{"a correction", event("visit_corrected", "visit", nil, `{"name":"Asha","phone":"9876543210"}`,
			`{"name":"Asha K","phone":"9123456789"}`),
			`{"name":"Asha","phone":"98******10"}`, `{"name":"Asha K","phone":"91******89"}`},
		{"a desk", event("desk_changed", "desk", nil, `{"state":"open","counter":"3"}`, `{"state":"break","counter":"3"}`),
			`{"state":"open"}`, `{"state":"break"}`},
		{"an erased phone", event("visit_erased", "visit", nil, `null`, `{"name":"Erased","phone":""}`), ``,
			`{"name":"Erased","phone":""}`},
		{"a deletion", event("user_deleted", "user", nil, `{"id":"1","name":"Asha"}`, `null`), `{"id":"1","name":"Asha"}`,
			``},
		{"no changed field", event("user_password_changed", "user", nil, `{"id":"1"}`, `{"id":"1"}`), ``, ``},
		{"the office's own phone", event("office_loaded", "office", nil, `null`, `{"phone":"080 0000 0142"}`), ``,
			`{"phone":"080 0000 0142"}`},
	} {
		r, err := recordOf(c.event)
		if err != nil || string(r.old) != c.old || string(r.new) != c.new {
			t.Errorf("%s: old %s, new %s, %v", c.what, r.old, r.new, err)
		}
	}
}

func TestPhonesAreMasked(t *testing.T) {
	for phone, want := range map[string]string{"9876543210": "98******10", "123456": "12**56", "12345": "*****", "": ""} {
		// ASVS 8.2.3
		if got := mask(phone); got != want {
			t.Errorf("%s is masked as %s", phone, got)
		}
	}
}

func TestActionsMatchTheAPIDocument(t *testing.T) {
	documented := testkit.LoadContract(t, "api.yaml").Document.Components.Schemas["AuditAction"].Value
	for _, c := range []struct{ kind, entity, action string }{
		{contract.VisitCreated, "visit", "created"}, {contract.VisitApproved, "visit", "approved"},
		{contract.VisitDenied, "visit", "denied"},
		{contract.VisitInSession, "visit", "started"}, {contract.VisitCompleted, "visit", "completed"},
		{contract.VisitErased, "visit", "erased"}, {contract.VisitMerged, "visit", "merged"},
		{contract.UserRegistered, "user", "registered"}, {contract.UserRoleSet, "user", "role_set"},
		{contract.UserRoleChanged, "user", "role_changed"},
		{contract.UserActivated, "user", "activated"}, {contract.UserDeactivated, "user", "deactivated"},
		{contract.UserUpdated, "user", "updated"},
		{contract.UserEmailChangeRequested, "user", "email_change_requested"},
		{contract.UserEmailChangeStopped, "user", "email_change_stopped"},
		{contract.UserEmailChanged, "user", "email_changed"}, {contract.UserPasswordChanged, "user", "password_changed"},
		{contract.UserInvited, "user", "invited"},
		{contract.UserDeleted, "user", "deleted"}, {contract.SessionSignedIn, "session", "signed_in"},
		{contract.SessionSignInFailed, "session", "sign_in_failed"},
		{contract.SessionSignedOut, "session", "signed_out"}, {contract.SessionRevoked, "session", "revoked"},
		{contract.ServiceCreated, "service", "created"},
		{contract.ServiceUpdated, "service", "updated"}, {contract.ConsultantCreated, "consultant", "created"},
		{contract.ConsultantUpdated, "consultant", "updated"},
		{contract.AppointmentRequested, "appointment", "requested"},
		{contract.AppointmentConfirmed, "appointment", "confirmed"},
		{contract.AppointmentBooked, "appointment", "booked"}, {contract.AppointmentUpdated, "appointment", "updated"},
		{contract.AppointmentMoved, "appointment", "moved"}, {contract.AppointmentCancelled, "appointment", "cancelled"},
		{contract.AppointmentArrived, "appointment", "arrived"},
		{contract.AppointmentReturned, "appointment", "returned"},
		{contract.AppointmentNoShow, "appointment", "no_show"}, {contract.AppointmentUndone, "appointment", "undone"},
		{contract.AppointmentErased, "appointment", "erased"},
		{contract.AppointmentDeclined, "appointment", "declined"}, {contract.AppointmentDone, "appointment", "done"},
		{contract.OfficeLoaded, "office", "loaded"}, {contract.OfficeChanged, "office", "changed"},
		{contract.OfficeRestored, "office", "restored"},
		{contract.NotificationSent, "notification", "sent"}, {contract.AccessDenied, "access", "denied"},
		{contract.AuditRead, "audit", "read"}, {contract.VisitCalled, "visit", "called"},
		{contract.VisitReleased, "visit", "released"},
		{contract.VisitRecalled, "visit", "recalled"}, {contract.VisitMissed, "visit", "missed"},
		{contract.VisitReturned, "visit", "returned"}, {contract.VisitHeld, "visit", "held"},
		{contract.VisitResumed, "visit", "resumed"}, {contract.VisitTransferred, "visit", "transferred"},
		{contract.VisitPinned, "visit", "pinned"}, {contract.VisitMoved, "visit", "moved"},
		{contract.VisitPrioritised, "visit", "prioritised"}, {contract.VisitLeft, "visit", "left"},
		{contract.VisitCancelled, "visit", "cancelled"}, {contract.VisitReopened, "visit", "reopened"},
		{contract.VisitNoShow, "visit", "no_show"}, {contract.VisitCorrected, "visit", "corrected"},
		{contract.VisitUndone, "visit", "undone"}, {contract.DeskChanged, "desk", "changed"},
		{contract.VisitDocumentsChanged, "visit_documents", "changed"},
		{contract.VisitDocumentsAcknowledged, "visit_documents", "acknowledged"},
		{contract.VisitDocumentsErased, "visit_documents", "erased"},
		{contract.ConsentGiven, "consent", "given"}, {contract.ConsentWithdrawn, "consent", "withdrawn"},
		{contract.PrivacyRequestReceived, "privacy", "request_received"},
		{contract.PrivacyRequestAnswered, "privacy", "request_answered"},
		{contract.PrivacyRequestRefused, "privacy", "request_refused"},
		{contract.PrivacyRequestReopened, "privacy", "request_reopened"},
		{contract.PrivacyFound, "privacy", "found"}, {contract.PrivacyExported, "privacy", "exported"},
		{contract.PrivacyErasureStarted, "privacy", "erasure_started"},
		{contract.PrivacyErasureFinished, "privacy", "erasure_finished"},
		{contract.PrivacyErasureFailed, "privacy", "erasure_failed"},
		{contract.PrivacyBreachReported, "privacy", "breach_reported"},
		{contract.ExportExported, "export", "exported"},
	} {
		if got := action(event(c.kind, c.entity, nil, "", "")); got != c.action {
			t.Errorf("the action of %s is %s", c.kind, got)
		}
		if !slices.Contains(documented.Enum, any(c.action)) {
			t.Errorf("the API document lacks the action %s", c.action)
		}
	}
}

// A change of consultantsOwn that an admin makes for another consultant's visitor is marked as an override.
func TestOverrideIsMarked(t *testing.T) {
	admin, consultant := &outbox.Actor{ID: "a", Role: "admin"}, &outbox.Actor{ID: "c", Role: "consultant"}
	for _, c := range []struct {
		what   string
		event  outbox.Event
		marked bool
	}{
		{"a start by an admin", event(contract.VisitInSession, "visit", admin, `{"status":"approved"}`,
			`{"status":"in-session","consultantId":"c"}`), true},
		{"a completion by an admin", event(contract.VisitCompleted, "visit", admin, `{"status":"in-session"}`,
			`{"status":"completed","consultantId":"c"}`), true},
		{"a start by the consultant", event(contract.VisitInSession, "visit", consultant, `{}`, `{"consultantId":"c"}`),
			false},
		{"an admin's own session", event(contract.VisitInSession, "visit", admin, `{}`, `{"consultantId":"a"}`), false},
		{"an approval by an admin", event(contract.VisitApproved, "visit", admin, `{}`, `{"consultantId":"c"}`), false},
		{"a call by an admin", event(contract.VisitCalled, "visit", admin, `{}`, `{"consultantId":"c"}`), true},
		{"a miss by an admin", event(contract.VisitMissed, "visit", admin, `{}`, `{"consultantId":"c"}`), true},
		{"a hold by an admin", event(contract.VisitHeld, "visit", admin, `{}`, `{"consultantId":"c"}`), true},
		{"a hold of a visitor of the line", event(contract.VisitHeld, "visit", admin, `{}`, `{"consultantId":null}`), false},
		{"a transfer by an admin", event(contract.VisitTransferred, "visit", admin, `{"consultantId":"c"}`,
			`{"consultantId":null}`), true},
		{"a transfer of an admin's own", event(contract.VisitTransferred, "visit", admin, `{"consultantId":"a"}`,
			`{"consultantId":"c"}`), false},
		{"a transfer out of the line", event(contract.VisitTransferred, "visit", admin, `{"consultantId":null}`,
			`{"consultantId":"c"}`), false},
		{"a pin by an admin", event(contract.VisitPinned, "visit", admin, `{}`, `{"consultantId":"c"}`), false},
		{"a call by the consultant", event(contract.VisitCalled, "visit", consultant, `{}`, `{"consultantId":"c"}`), false},
		{"no actor", event(contract.VisitInSession, "visit", nil, `{}`, `{"consultantId":"c"}`), false},
	} {
		r, err := recordOf(c.event)
		if err != nil || strings.Contains(string(r.new), `"override":true`) != c.marked {
			t.Errorf("%s: %s, %v", c.what, r.new, err)
		}
		if r.new != nil && json.Unmarshal(r.new, new(object)) != nil {
			t.Errorf("%s: %s is no object", c.what, r.new)
		}
	}
}

func TestTheAddressOfStaffIsKept(t *testing.T) {
	for id, want := range map[string]string{"": "", "a": "192.0.2.7"} {
		e := event(contract.AppointmentConfirmed, "appointment", &outbox.Actor{ID: id, IP: "192.0.2.7"}, `{}`, `{}`)
		if got := actorOf(e).IP; got != want {
			t.Errorf("of %q the address is %q", id, got)
		}
	}
}
