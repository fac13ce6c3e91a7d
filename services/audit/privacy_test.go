package audit

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"baari.dev/services/contract"
	"baari.dev/services/platform/identity"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/testkit"
)

func erasure(v contract.Visit) outbox.Change {
	v.Name, v.Phone, v.ReceptionNotes, v.PANotes, v.SessionNotes = "Erased", "", "", "", ""
	v.HeldNote, v.MovedReason, v.Class = "", "", "normal"
	v.Version++
	return outbox.Change{Type: contract.VisitErased, Entity: contract.EntityVisit, EntityID: v.ID, Version: v.Version,
		After: v}
}

// An erasure removes the person's data from the trail and the export. All records remain, and the chain verifies.
func TestErasureRemovesThePersonFromTrailAndExport(t *testing.T) {
	o := newOffice(t)
	visits, directory := o.source(t, contract.SourceVisits), o.source(t, contract.SourceDirectory)
	o.follow(t, visits)
	o.follow(t, directory)
	arrival, other := newDay(t, 1).Arrive(), newDay(t, 2).Arrive()
	asha := arrival.After.(contract.Visit)
	asha.Name, asha.Phone, asha.ReceptionNotes = "Asha Parvati Deshpande", "9811122233", "canary-reception"
	asha.HeldNote, asha.MovedReason = "canary-held", "canary-moved"
	arrival.After = asha
	visits.Publish(t, arrival, other)
	requested := contract.Appointment{ID: "0198f3a0-0000-7000-8000-0000000000a1", Name: asha.Name, Phone: asha.Phone,
		Email: "asha.canary@example.com", Message: "canary-message", Status: "pending"}
	directory.Publish(t, outbox.Change{Type: contract.AppointmentRequested, Entity: contract.EntityAppointment,
		EntityID: requested.ID, After: requested, Actor: &outbox.Actor{IP: "198.51.100.77"}})
	o.caughtUp(t, visits)
	o.caughtUp(t, directory)
	before, err := o.verify(t)
	if err != nil || before.Head.N != 3 {
		t.Fatalf("%+v, %v", before, err)
	}

	erased := requested
	erased.Name, erased.Phone, erased.Email, erased.Message = "Erased", "", "", ""
	visits.Publish(t, erasure(asha))
	directory.Publish(t, outbox.Change{Type: contract.AppointmentErased, Entity: contract.EntityAppointment,
		EntityID: requested.ID, After: erased})
	o.caughtUp(t, visits)
	o.caughtUp(t, directory)
	if found := o.db.Find(t, asha.Name, asha.Phone, "98******33", "canary-reception", "canary-held", "canary-moved",
		requested.Email, "canary-message", "198.51.100.77"); len(found) > 0 {
		t.Errorf("not erased: %v", found)
	}
	if len(o.db.Find(t, other.After.(contract.Visit).Name)) == 0 {
		t.Error("another person was erased, too")
	}
	report, err := o.verify(t, before.Head)
	if err != nil || report.Head.N != 5 || report.Redacted != 2 {
		t.Errorf("the chain: %+v, %v", report, err)
	}
	if n := sql[int](t, o.db, `SELECT count(*) FROM visits`); n != 2 {
		t.Errorf("%d visits are exported", n)
	}
	if got := o.read(t, "?entity=visit&entity_id="+asha.ID).Records; len(got) != 2 || got[0].Action != "erased" ||
		string(got[1].NewValues) != redacted {
		t.Errorf("the trail shows %+v", got)
	}
}

// Only the role audit_retention can remove values, with a function that requires the record of an erasure.
func TestOnlyAnErasureRemovesValues(t *testing.T) {
	o := newOffice(t)
	visits := o.source(t, contract.SourceVisits)
	o.follow(t, visits)
	arrival := newDay(t, 1).Arrive()
	visits.Publish(t, arrival)
	o.caughtUp(t, visits)
	testkit.Exec(t, o.db.Pool, redactSubject, contract.EntityVisit, arrival.EntityID)
	if n := sql[int](t, o.db, `SELECT count(*) FROM audit_records WHERE new_values::text = $1`, redacted); n != 0 {
		t.Error("values were removed without an erasure")
	}
	const selectOwner = `
SELECT rolname FROM pg_proc JOIN pg_roles r ON r.oid = proowner WHERE proname = 'redact_erased'`
	if owner := sql[string](t, o.db, selectOwner); owner != "audit_retention" {
		t.Errorf("the function belongs to %s", owner)
	}
	const grants = `
SELECT string_agg(privilege_type || ' ' || column_name, ', ' ORDER BY column_name)
FROM information_schema.column_privileges
WHERE grantee = 'audit_retention' AND table_name = 'audit_records' AND privilege_type <> 'SELECT'`
	if got := sql[string](t, o.db, grants); got != "UPDATE new_values, UPDATE old_values" {
		t.Errorf("the role has %s", got)
	}
	const logsInOrCreates = `
SELECT has_schema_privilege('audit_retention', 'public', 'CREATE') OR rolcanlogin
FROM pg_roles WHERE rolname = 'audit_retention'`
	if sql[bool](t, o.db, logsInOrCreates) {
		t.Error("the role can log in, or create tables")
	}
}

// The records of a subject are found by the ids of the rows about the subject in other services.
func TestSubjectExportListsRecordsWithValues(t *testing.T) {
	o := newOffice(t)
	visits := o.source(t, contract.SourceVisits)
	o.follow(t, visits)
	arrival, other := newDay(t, 1).Arrive(), newDay(t, 2).Arrive()
	visits.Publish(t, arrival, other)
	o.caughtUp(t, visits)
	url := o.internal(t)
	ask := func(ids ...string) (status int, records []map[string]any) {
		var answer struct {
			Records []map[string]any `json:"records"`
		}
		status, err := identity.NewClient(url, testkit.Keys("operator"), contract.SourceAudit).
			Call(t.Context(), http.MethodPost, "/internal/subject/export", map[string]any{"ids": ids}, &answer)
		if err != nil {
			t.Fatal(err)
		}
		return status, answer.Records
	}
	if _, records := ask(arrival.EntityID); len(records) != 1 || records[0]["entityId"] != arrival.EntityID {
		t.Errorf("exported %v", records)
	}
	visits.Publish(t, erasure(arrival.After.(contract.Visit)))
	o.caughtUp(t, visits)
	if _, records := ask(arrival.EntityID); len(records) != 0 {
		t.Errorf("after the erasure, exported %v", records)
	}
	if status, _ := ask(strings.Split(strings.Repeat("x ", 1001), " ")...); status != http.StatusBadRequest {
		t.Errorf("too many ids answered %d", status)
	}
}

// Records about a visit's papers are exported with the visit, and the trail names their visit.
func TestRecordsOfPapersAreTheVisitors(t *testing.T) {
	o := newOffice(t)
	visits := o.source(t, contract.SourceVisits)
	o.follow(t, visits)
	arrival := newDay(t, 1).Arrive()
	visit := arrival.After.(contract.Visit)
	visits.Publish(t, arrival, outbox.Change{Type: contract.VisitDocumentsChanged, Entity: contract.EntityVisitDocuments,
		EntityID: visit.ID, After: contract.VisitDocuments{VisitID: visit.ID, Token: visit.Token}})
	o.caughtUp(t, visits)
	entries, err := o.store.recordsOf(t.Context(), subjects{IDs: []string{visit.ID}})
	if err != nil || len(entries) != 2 {
		t.Errorf("exported %+v: %v", entries, err)
	}
	record := o.read(t, "?entity=visit_documents").Records[0]
	if record.Visit == nil || *record.Visit != (visitBody{visit.Token, visit.Name}) {
		t.Errorf("the record is %+v", record)
	}
}

// A subject's export also has the visit's consents, requests, link and messages. Their records do not name the person,
// so an erasure is complete although they keep their values.
func TestAnExportHasTheConsentsLinksAndMessagesOfAVisit(t *testing.T) {
	o := newOffice(t)
	visits, lobby := o.source(t, contract.SourceVisits), o.source(t, contract.SourceLobby)
	o.follow(t, visits)
	o.follow(t, lobby)
	arrival := newDay(t, 1).Arrive()
	visit := arrival.After.(contract.Visit)
	const asked, joined = "0198f3a0-0000-7000-8000-0000000000b1", "0198f3a0-0000-7000-8000-0000000000b2"
	visits.Publish(t, arrival,
		outbox.Change{Type: contract.ConsentGiven, Entity: contract.EntityConsent, EntityID: visit.ID,
			After: contract.Consent{ID: visit.ID, VisitID: visit.ID, Purpose: contract.PurposeMessages}},
		outbox.Change{Type: contract.PrivacyRequestReceived, Entity: contract.EntityPrivacy, EntityID: asked,
			After: contract.PrivacyRequest{ID: asked, Kind: "access", State: "open"}})
	lobby.Publish(t,
		outbox.Change{Type: contract.LinkOpened, Entity: contract.EntityLink, EntityID: visit.ID,
			After: contract.Link{VisitID: visit.ID}},
		outbox.Change{Type: contract.MessageSent, Entity: contract.EntityMessage, EntityID: visit.ID,
			After: contract.Message{VisitID: visit.ID, Channel: "sms"}},
		outbox.Change{Type: contract.ArrivalRequested, Entity: contract.EntityArrival, EntityID: joined,
			After: contract.Arrival{ID: joined}})
	o.caughtUp(t, visits)
	o.caughtUp(t, lobby)
	entities := func(all bool) (found []string) {
		t.Helper()
		entries, err := o.store.recordsOf(t.Context(), subjects{IDs: []string{visit.ID, asked, joined}, All: all})
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			found = append(found, e.Entity)
		}
		slices.Sort(found)
		return found
	}
	if got := entities(true); !slices.Equal(got, []string{"arrival", "consent", "link", "message", "privacy", "visit"}) {
		t.Errorf("exported %v", got)
	}
	if got := entities(false); !slices.Equal(got, []string{"visit"}) {
		t.Errorf("an erasure waits for %v", got)
	}
	visits.Publish(t, erasure(visit))
	o.caughtUp(t, visits)
	if got := entities(false); len(got) != 0 {
		t.Errorf("after the erasure: %v", got)
	}
}

// Records after an erasure do not concern the person. They keep their values, and the chain verifies.
func TestARecordAfterTheErasureKeepsItsValues(t *testing.T) {
	o := newOffice(t)
	visits := o.source(t, contract.SourceVisits)
	o.follow(t, visits)
	arrival := newDay(t, 1).Arrive()
	erased := erasure(arrival.After.(contract.Visit))
	after := erased.After.(contract.Visit)
	after.Version++
	visits.Publish(t, arrival, erased, outbox.Change{Type: contract.VisitCompleted, Entity: contract.EntityVisit,
		EntityID: after.ID, Version: after.Version, After: after})
	o.caughtUp(t, visits)
	if report, err := o.verify(t); err != nil || report.Redacted != 1 {
		t.Errorf("%+v: %v", report, err)
	}
}
