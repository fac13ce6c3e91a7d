package visits_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-json-experiment/json"

	"baari.dev/services/contract"
)

type receipt struct {
	Acknowledgement struct {
		No, VisitID, At, By string
		Documents           []contract.VisitDocument
	}
	Duplicate bool
}

func (d *desk) acknowledge(person, id string, headers ...string) (receipt, answer) {
	d.t.Helper()
	a := d.as(person, http.MethodPost, "/api/visits/"+id+"/acknowledgement", `{}`, headers...)
	var got receipt
	if err := json.Unmarshal([]byte(a.text), &got, json.MatchCaseInsensitiveNames(true)); err != nil {
		d.t.Fatal(err)
	}
	return got, a
}

// left returns a paper that was left at the office. The argument no is 0 for a new paper.
func left(no int, label string) string {
	if no == 0 {
		return fmt.Sprintf(`{"label":%q,"state":"left","form":"original","pages":2}`, label)
	}
	return fmt.Sprintf(`{"no":%d,"label":%q,"state":"left","form":"original","pages":2}`, no, label)
}

// A visitor gets one receipt for the papers left at the office. The second request returns a duplicate, and papers that
// are left later get another receipt.
func TestAReceiptIsGivenOnceForEachPaper(t *testing.T) {
	d := newDesk(t)
	id := d.arriveWith(`[` + panMissing + `]`).Visit.ID
	d.rejects("a receipt for nothing", second(d.acknowledge("reception", id)), http.StatusUnprocessableEntity,
		"nothing_left")
	pan := strings.Replace(panMissing, `"key"`, `"no":1,"key"`, 1)
	d.papers("reception", id, `[`+pan+`,`+left(0, "Deed")+`]`)
	first, a := d.acknowledge("reception", id)
	year := time.Now().In(time.FixedZone("IST", 19800)).Year()
	if a.status != http.StatusCreated || first.Duplicate || first.Acknowledgement.By != "The reception" ||
		first.Acknowledgement.No != fmt.Sprintf("ACK-%d-000001", year) {
		t.Fatalf("the receipt answered %d %s", a.status, a.text)
	}
	if list := first.Acknowledgement.Documents; len(list) != 1 || list[0].Label != "Deed" || *list[0].Pages != 2 {
		t.Errorf("the receipt lists %+v", list)
	}
	again, a := d.acknowledge("pa", id)
	if a.status != http.StatusOK || !again.Duplicate || again.Acknowledgement.No != first.Acknowledgement.No ||
		again.Acknowledgement.By != "The reception" || len(again.Acknowledgement.Documents) != 1 {
		t.Errorf("the second print answered %d %s", a.status, a.text)
	}
	d.papers("reception", id, `[`+pan+`,`+left(2, "Deed")+`,`+left(0, "Seal")+`]`)
	next, _ := d.acknowledge("reception", id)
	if next.Duplicate || next.Acknowledgement.Documents[0].Label != "Seal" || len(next.Acknowledgement.Documents) != 1 {
		t.Errorf("the next receipt is %+v", next)
	}
	got, _ := d.papers("reception", id)
	if got.Documents[0].Acknowledgement != nil || *got.Documents[1].Acknowledgement != first.Acknowledgement.No {
		t.Errorf("the papers are %+v", got.Documents)
	}
	if n := count(t, d, `SELECT count(*) FROM outbox WHERE type = 'visit_documents_acknowledged'`); n != 2 {
		t.Errorf("%d events of receipts", n)
	}
}

// A paper with a receipt can be returned, but not removed, and its state cannot be set back. If it is left again, it
// needs another receipt.
func TestAPaperWithAReceiptIsOnlyReturned(t *testing.T) {
	d := newDesk(t)
	id := d.arriveWith(`[` + left(0, "Deed") + `]`).Visit.ID
	first, _ := d.acknowledge("reception", id)
	returned := strings.Replace(left(1, "Deed"), `"left"`, `"returned"`, 1)
	for _, documents := range []string{`[]`, `[` + left(1, "Will") + `]`,
		`[` + strings.Replace(left(1, "Deed"), `"left"`, `"brought"`, 1) + `]`} {
		d.rejects(documents, second(d.papers("reception", id, documents)), http.StatusBadRequest, "validation")
	}
	if got, a := d.papers("reception", id, `[`+returned+`]`); a.status != http.StatusOK ||
		*got.Documents[0].Acknowledgement != first.Acknowledgement.No {
		t.Errorf("the return answered %d %s", a.status, a.text)
	}
	if again, _ := d.acknowledge("reception", id); !again.Duplicate {
		t.Errorf("after the return the receipt is %+v", again)
	}
	d.papers("reception", id, `[`+left(1, "Deed")+`]`)
	another, _ := d.acknowledge("reception", id)
	if another.Duplicate || another.Acknowledgement.No == first.Acknowledgement.No {
		t.Errorf("left again, the receipt is %+v", another)
	}
}

func TestARepeatedRequestForAReceiptIsReplayed(t *testing.T) {
	d := newDesk(t)
	id := d.arriveWith(`[` + left(0, "Deed") + `]`).Visit.ID
	first, _ := d.acknowledge("reception", id, "Idempotency-Key", "a-receipt-once")
	again, a := d.acknowledge("reception", id, "Idempotency-Key", "a-receipt-once")
	if a.status != http.StatusCreated || again.Duplicate || again.Acknowledgement.No != first.Acknowledgement.No ||
		a.header.Get("Idempotency-Replayed") != "true" {
		t.Errorf("the repetition answered %d %s", a.status, a.text)
	}
}

// matrix.csv: reception, PAs, admins and the assigned consultant can issue receipts.
func TestReceiptsAreForTheDeskAndTheAssignedConsultant(t *testing.T) {
	d := newDesk(t)
	v := d.inSession("Asha")
	d.papers("pa", v.ID, `[`+left(0, "Deed")+`]`)
	for person, status := range map[string]int{"": 401, "consultant2": 403} {
		if _, a := d.acknowledge(person, v.ID); a.status != status {
			t.Errorf("%s: %d, want %d", person, a.status, status)
		}
	}
	for _, person := range []string{"reception", "pa", "consultant", "admin"} {
		if _, a := d.acknowledge(person, v.ID); a.status != http.StatusCreated && a.status != http.StatusOK {
			t.Errorf("%s: %d", person, a.status)
		}
	}
	if _, a := d.acknowledge("pa", "01890000-0000-7000-8000-00000000ffff"); a.status != http.StatusNotFound {
		t.Errorf("a receipt of an unknown visit answered %d", a.status)
	}
}

// No two receipts get the same number, and the numbers have no gaps, even if requests are concurrent, some visits have
// no papers for a receipt, a visit is requested twice, or transactions fail after the number was assigned.
func TestReceiptNumbersAreDense(t *testing.T) {
	d := newDesk(t)
	d.unchecked = true
	const visits, presses = 60, 200
	ids := make([]string, visits)
	for i := range ids {
		documents := `[` + left(0, "Deed") + `]`
		if i%5 == 0 {
			documents = `[` + photoMissing + `]`
		}
		ids[i] = d.arriveWith(documents).Visit.ID
	}
	exec(t, d.owner, `
CREATE FUNCTION now_and_then() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN IF random() < 0.3 THEN RAISE EXCEPTION 'no'; END IF; RETURN NEW; END $$;
CREATE TRIGGER now_and_then BEFORE UPDATE ON visit_documents FOR EACH ROW EXECUTE FUNCTION now_and_then()`)
	var mutex sync.Mutex
	given := map[string]string{} // visit by number
	var desks sync.WaitGroup
	for _, person := range []string{"reception", "reception2", "pa", "admin"} {
		desks.Go(func() {
			for range presses / 4 {
				got, a := d.acknowledge(person, ids[rand.IntN(visits)])
				if a.status != http.StatusCreated {
					continue
				}
				mutex.Lock()
				if other, taken := given[got.Acknowledgement.No]; taken {
					t.Errorf("%s was given to %s and to %s", got.Acknowledgement.No, other, got.Acknowledgement.VisitID)
				}
				given[got.Acknowledgement.No] = got.Acknowledgement.VisitID
				mutex.Unlock()
			}
		})
	}
	desks.Wait()
	if len(given) < visits/4 || len(slices.Compact(slices.Sorted(maps.Values(given)))) != len(given) {
		t.Errorf("%d receipts were given: %v", len(given), given)
	}
	if n := count(t, d, `SELECT count(*) FROM acknowledgements`); n != len(given) {
		t.Errorf("%d receipts are stored, %d were given", n, len(given))
	}
	if gaps := count(t, d, `SELECT max(no) - count(*) FROM acknowledgements`); gaps != 0 {
		t.Errorf("%d numbers were left out", gaps)
	}
	if last := count(t, d, `SELECT last FROM acknowledgement_counter`); last != len(given) {
		t.Errorf("the counter stands at %d of %d", last, len(given))
	}
}

func TestTwoDesksThatPressAtOnceGiveOneReceipt(t *testing.T) {
	d := newDesk(t)
	d.unchecked = true
	const presses = 200
	desks := []string{"reception", "reception2"}
	for i := range presses {
		id := d.arriveWith(`[` + left(0, "Deed") + `]`).Visit.ID
		got := make([]receipt, len(desks))
		statuses := make([]int, len(desks))
		start := make(chan struct{})
		var pressing sync.WaitGroup
		for desk, person := range desks {
			pressing.Go(func() {
				<-start
				statuses[desk] = retried(func() (a answer) {
					got[desk], a = d.acknowledge(person, id)
					return a
				}).status
			})
		}
		close(start)
		pressing.Wait()
		slices.Sort(statuses)
		if !slices.Equal(statuses, []int{http.StatusOK, http.StatusCreated}) {
			t.Fatalf("press %d answered %v", i, statuses)
		}
		want := fmt.Sprintf("-%06d", i+1)
		if no := got[0].Acknowledgement.No; no != got[1].Acknowledgement.No || !strings.HasSuffix(no, want) {
			t.Fatalf("press %d gave %s and %s, want %s", i, no, got[1].Acknowledgement.No, want)
		}
		if got[0].Duplicate == got[1].Duplicate || got[0].Acknowledgement.By != got[1].Acknowledgement.By {
			t.Fatalf("press %d gave %+v and %+v", i, got[0], got[1])
		}
	}
}

// The numbers of receipts begin with 1 in each calendar year, in the office's time zone.
func TestReceiptNumbersAreOfTheYear(t *testing.T) {
	d := newDesk(t)
	exec(t, d.owner, `INSERT INTO acknowledgement_counter VALUES (2025, 41)`)
	id := d.arriveWith(`[` + left(0, "Deed") + `]`).Visit.ID
	if got, _ := d.acknowledge("reception", id); !strings.HasSuffix(got.Acknowledgement.No, "-000001") {
		t.Errorf("the first receipt of the year is %s", got.Acknowledgement.No)
	}
}

// The erasure of a visitor includes receipts and stored responses. The receipt's number stays.
func TestTheErasureOfAVisitorReachesReceipts(t *testing.T) {
	d := newDesk(t)
	id := d.aDayOfAsha()
	const canary = "Deed of canary-receipts"
	d.papers("reception", id, `[`+left(0, canary)+`]`)
	d.acknowledge("reception", id, "Idempotency-Key", "a-receipt-for-asha")
	if exported := d.ask(t, "export"); len(exported.Receipts) != 1 || exported.Receipts[0].Documents[0].Label != canary {
		t.Errorf("exported %+v", exported.Receipts)
	}
	d.ask(t, "erase")
	if found := d.db.Find(t, canary); len(found) > 0 {
		t.Errorf("left of the receipt: %v", found)
	}
	if n := count(t, d, `SELECT count(*) FROM acknowledgements WHERE visit_id = $1 AND documents = '[]'`, id); n != 1 {
		t.Errorf("%d receipts are left", n)
	}
}

func TestAnErasedVisitorGetsNoReceipt(t *testing.T) {
	d := newDesk(t)
	id := d.aDayOfAsha()
	d.papers("reception", id, `[`+left(0, "Deed")+`]`)
	d.acknowledge("reception", id)
	d.ask(t, "erase")
	d.rejects("a receipt", second(d.acknowledge("reception", id)), http.StatusConflict, "visit_over")
}
