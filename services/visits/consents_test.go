package visits_test

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
)

type consentReceipt struct {
	ID, Purpose, Means, NoticeVersion, Language, GivenBy string
	WithdrawnAt, WithdrawnBy                             *string
}

// consents reads the consents of a visit or, if a body is given, changes one of them.
func (d *desk) consents(person, id string, body ...string) ([]consentReceipt, answer) {
	d.t.Helper()
	method, text := http.MethodGet, ""
	if len(body) > 0 {
		method, text = http.MethodPost, body[0]
	}
	a := d.as(person, method, "/api/visits/"+id+"/consents", text)
	var got struct{ Consents []consentReceipt }
	if err := json.Unmarshal([]byte(a.text), &got, json.MatchCaseInsensitiveNames(true)); err != nil {
		d.t.Fatal(err)
	}
	return got.Consents, a
}

// registered registers a visitor with additional members of the body.
func (d *desk) registered(more string) string {
	d.t.Helper()
	a := d.as("reception", http.MethodPost, "/api/visits", strings.TrimSuffix(d.visitor("Asha"), "}")+more+`}`)
	if a.status != http.StatusCreated {
		d.t.Fatalf("the registration answered %d %s", a.status, a.text)
	}
	return a.Visit.ID
}

const agrees = `{"purpose":"messages","means":"aloud","given":true}`

// With told_by, a registration records that the visitor was given the notice. It records a consent to messages only if
// the visitor agrees.
func TestARegistrationKeepsWhatTheVisitorWasTold(t *testing.T) {
	d := newDesk(t)
	exec(t, d.owner, `INSERT INTO office (notice_version) VALUES ('2026-11')`)
	told := d.registered(`,"language":"kn","told_by":"aloud"`)
	got, _ := d.consents("pa", told)
	if len(got) != 1 || got[0].Purpose != "serve" || got[0].Means != "aloud" || got[0].NoticeVersion != "2026-11" ||
		got[0].Language != "kn" || got[0].GivenBy != "The reception" || got[0].WithdrawnAt != nil {
		t.Errorf("told: %+v", got)
	}
	agreed := d.registered(`,"told_by":"slip","messages":true`)
	if got, _ := d.consents("reception", agreed); len(got) != 2 || got[1].Purpose != "messages" || got[1].Means != "slip" {
		t.Errorf("agreed: %+v", got)
	}
	if got, _ := d.consents("admin", d.registered(`,"messages":false`)); len(got) != 0 {
		t.Errorf("neither: %+v", got)
	}
	if n := count(t, d, `SELECT count(*) FROM outbox o JOIN outbox v
		ON v.entity_id = o.entity_id AND v.type = 'visit_created'
		WHERE o.type = 'consent_given' AND o.entity = 'consent' AND o.before IS NULL AND o.id > v.id
		AND o.after->>'visitId' = o.entity_id AND o.after->>'withdrawnAt' IS NULL`); n != 3 {
		t.Errorf("%d events", n)
	}
}

func TestARepeatedRegistrationGivesOneReceipt(t *testing.T) {
	d := newDesk(t)
	body := strings.TrimSuffix(d.visitor("Asha"), "}") + `,"told_by":"slip","messages":true}`
	for range 2 {
		if a := d.as("reception", http.MethodPost, "/api/visits", body,
			"Idempotency-Key", "asha-came-once"); a.status != 201 {
			t.Fatalf("answered %d %s", a.status, a.text)
		}
	}
	if n := count(t, d, `SELECT count(*) FROM consents`); n != 2 {
		t.Errorf("%d receipts", n)
	}
}

// A consent is given after the registration, withdrawn, and given again. Each consent creates a record. Repetitions
// change nothing.
func TestAConsentIsWithdrawnAndKept(t *testing.T) {
	d := newDesk(t)
	id := d.registered(`,"told_by":"slip"`)
	const withdraws = `{"purpose":"messages","given":false}`
	for _, step := range []struct {
		body     string
		receipts int
		open     bool
	}{
		{withdraws, 1, false}, {agrees, 2, true}, {agrees, 2, true}, {withdraws, 2, false}, {withdraws, 2, false},
		{agrees, 3, true},
	} {
		got, a := d.consents("reception", id, step.body)
		open := slices.ContainsFunc(got, func(r consentReceipt) bool {
			return r.Purpose == "messages" && r.WithdrawnAt == nil
		})
		if a.status != http.StatusOK || len(got) != step.receipts || open != step.open {
			t.Fatalf("%s answered %d %s", step.body, a.status, a.text)
		}
	}
	stored, _ := d.consents("pa", id)
	if stored[1].WithdrawnBy == nil || *stored[1].WithdrawnBy != "The reception" || stored[2].WithdrawnBy != nil {
		t.Errorf("stored are %+v", stored)
	}
	if n := count(t, d, `SELECT count(*) FROM outbox WHERE type = 'consent_withdrawn'
		AND before->>'withdrawnAt' IS NULL AND after->>'withdrawnAt' IS NOT NULL AND before->>'id' = after->>'id'`); n != 1 {
		t.Errorf("%d events of the withdrawal", n)
	}
}

// The service's database role cannot change or delete a record, or undo a withdrawal.
func TestReceiptsAreKeptAsTheyWereGiven(t *testing.T) {
	d := newDesk(t)
	id := d.registered(`,"messages":true`)
	d.consents("reception", id, `{"purpose":"messages","given":false}`)
	for _, statement := range []string{
		`UPDATE consents SET purpose = 'later'`, `UPDATE consents SET given_at = now()`, `DELETE FROM consents`,
		`UPDATE consents SET withdrawn_at = NULL, withdrawn_by = NULL, withdrawn_by_name = NULL`,
	} {
		if _, err := d.db.Pool.Exec(context.Background(), statement); err == nil {
			t.Errorf("%s is allowed", statement)
		}
	}
}

func TestInvalidConsentsAreRejected(t *testing.T) {
	d := newDesk(t)
	id := d.registered("")
	for body, field := range map[string]string{
		`{"purpose":"messages","means":"aloud"}`:                               "given",
		`{"purpose":"messages","given":true}`:                                  "means",
		`{"purpose":"messages","means":"sms","given":true}`:                    "means",
		`{"purpose":"adverts","means":"read","given":true}`:                    "purpose",
		`{"purpose":"serve","given":false}`:                                    "purpose",
		`{"purpose":"later","means":"read","given":true,"language":"klingon"}`: "language",
		`{"purpose":"messages","means":"read","given":"yes"}`:                  "given",
	} {
		if a := d.as("reception", http.MethodPost, "/api/visits/"+id+"/consents", body); a.status != http.StatusBadRequest ||
			a.Fields[field] == "" {
			t.Errorf("%s answered %d %s", body, a.status, a.text)
		}
	}
	for _, more := range []string{`,"told_by":"sms"`, `,"messages":"yes"`} {
		body := strings.TrimSuffix(d.visitor("Asha"), "}") + more + `}`
		d.rejects(more, d.as("reception", http.MethodPost, "/api/visits", body), http.StatusBadRequest, "validation")
	}
	d.rejects("a consultant", d.as("consultant", http.MethodGet, "/api/visits/"+id+"/consents", ""),
		http.StatusForbidden, "forbidden")
}

// An erasure keeps the consent records but empties their language. The export of a person's data has the records.
func TestAnErasureReachesConsents(t *testing.T) {
	d := newDesk(t)
	id := d.aDayOfAsha()
	d.consents("reception", id, agrees)
	if got := d.ask(t, "export"); len(got.Consents) != 1 || got.Consents[0].Purpose != "messages" {
		t.Errorf("exported %+v", got.Consents)
	}
	if n := count(t, d, `SELECT count(*) FROM consents WHERE language <> ''`); n != 1 {
		t.Fatalf("%d receipts with a language", n)
	}
	d.ask(t, "erase")
	if got, _ := d.consents("admin", id); len(got) != 1 || got[0].Language != "" {
		t.Errorf("left is %+v", got)
	}
	d.rejects("an erased visit", second(d.consents("reception", id, agrees)), http.StatusConflict, "visit_over")
}

// A consent after the registration is to the notice of its own day, in the language in which the visitor read it.
func TestAConsentIsToTheNoticeOfItsDay(t *testing.T) {
	d := newDesk(t)
	exec(t, d.owner, `INSERT INTO office (notice_version) VALUES ('2026-01')`)
	id := d.registered(`,"language":"kn","told_by":"slip"`)
	exec(t, d.owner, `UPDATE office SET notice_version = '2026-11'`)
	d.consents("reception", id, agrees)
	got, a := d.consents("reception", id, `{"purpose":"later","means":"read","given":true,"language":"hi"}`)
	if len(got) != 3 || got[0].NoticeVersion != "2026-01" || got[1].NoticeVersion != "2026-11" ||
		got[1].Language != "kn" ||
		got[2].Language != "hi" {
		t.Errorf("the receipts are %s", a.text)
	}
	exec(t, d.owner, `DELETE FROM office`) // imitates a projection that is being rebuilt
	withdrawn, _ := d.consents("reception", id, `{"purpose":"messages","given":false}`)
	again, a := d.consents("reception", id, agrees)
	if len(withdrawn) != 3 || len(again) != 4 || again[3].NoticeVersion != "2026-01" {
		t.Errorf("without an office the receipts are %s", a.text)
	}
}

func TestMessagesAloneAreAgreedToByTheSlip(t *testing.T) {
	d := newDesk(t)
	if got, a := d.consents("admin", d.registered(`,"messages":true`)); len(got) != 1 || got[0].Means != "slip" {
		t.Errorf("the receipts are %s", a.text)
	}
}
