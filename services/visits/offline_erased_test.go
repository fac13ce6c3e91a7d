package visits_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"baari.dev/services/contract"
)

// A person may be erased after a paired desk has noted their visit and before the desk sends it.

func (d *desk) erasePhone(t *testing.T, phone string) {
	t.Helper()
	status, _, text := d.asService(contract.CallerOperator, http.MethodPost, "/internal/subject/erase",
		`{"phone":"`+phone+`"}`)
	if status != http.StatusOK {
		t.Fatalf("the erasure answered %d %s", status, text)
	}
}

// A visit that was noted before the erasure is registered without the person's data. A later visit with the same phone
// is not affected.
func TestAnErasedPersonDoesNotComeBackFromADesk(t *testing.T) {
	d := newDesk(t)
	pairDesks(d)
	today := d.lease(t, "A", 0).Days[0].Day
	before := noteOf("A", 1)
	before.name = "Meera Nair"
	before.more = `,"class":"priority","told_by":"aloud","messages":true,"left_at":"` +
		time.Now().UTC().Format(time.RFC3339Nano) + `","documents":[{"label":"Meera's deed","state":"left"}]`
	d.erasePhone(t, "9876543210")
	after := noteOf("A", 2)
	done, _ := d.send(t, "reception", "A", today, before, after)
	wantStates(t, done, "A-001 created, A-002 created")
	sent, next := done[0].Visit, done[1].Visit
	if sent.Name != "Erased" || sent.Phone != "" || sent.Token != "A-001" || next.Name != after.name {
		t.Errorf("registered as %+v and %+v", sent, next)
	}
	if found := d.db.Find(t, "Meera"); len(found) > 0 {
		t.Errorf("the person is in %v", found)
	}
	if n := count(t, d, `SELECT count(*) FROM visits WHERE erased_at IS NOT NULL AND phone IS NULL AND language = ''
		AND class = 'normal' AND token_no = 1 AND stage = 'left'`); n != 1 {
		t.Errorf("%d erased visits of A-001", n)
	}
	if n := count(t, d, `SELECT count(DISTINCT type) FROM outbox WHERE entity_id = '`+sent.ID+`'
		AND type IN ('visit_created', 'visit_erased', 'visit_left') AND after->>'name' = 'Erased'`); n != 3 {
		t.Errorf("%d kinds of events", n)
	}
	again, _ := d.send(t, "reception", "A", today, before)
	wantStates(t, again, "A-001 known")
	if got := d.lease(t, "A", 0).Erased; again[0].Visit.Name != "Erased" || !slices.Equal(got, []string{sent.ID}) {
		t.Errorf("repeated it is %+v; the desk receives %v", again[0].Visit, got)
	}
}

// A mark does not contain the phone and matches no other phone. It is deleted when no paired desk can send a visit from
// before the erasure any more.
func TestAMarkOfAnErasedPhoneIsKeptForAMonth(t *testing.T) {
	d := newDesk(t)
	marks := `SELECT count(*) FROM erased_phones`
	pairDesks(d)
	today := d.lease(t, "A", 0).Days[0].Day
	note := noteOf("A", 1)
	d.erasePhone(t, "9811111111")
	if done, _ := d.send(t, "reception", "A", today, note); done[0].Visit.Name != note.name {
		t.Errorf("the person of another phone is %+v", done[0].Visit)
	}
	if found := d.db.Find(t, "9811111111"); len(found) > 0 || count(t, d, marks) != 1 {
		t.Errorf("the erased phone is in %v", found)
	}
	for _, age := range []string{"30 days", "2 days"} {
		exec(t, d.owner, `UPDATE erased_phones SET erased_at = erased_at - interval '`+age+`'`)
		for _, task := range d.service.Retention() {
			if task.Name != "erased_phones" {
				continue
			}
			if _, err := task.Erase(t.Context(), time.Now()); err != nil {
				t.Fatal(err)
			}
		}
		if n := count(t, d, marks); (n == 1) != strings.HasPrefix(age, "30") {
			t.Errorf("%s later there are %d marks", age, n)
		}
	}
}
