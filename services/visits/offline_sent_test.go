package visits_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"pgregory.net/rapid"

	"baari.dev/services/contract"
	"baari.dev/services/platform/testkit"
)

// These tests send noted visits. Their paired desks are in offline_test.go.

func TestAServiceThatIsGoneKeepsItsName(t *testing.T) {
	d := newDesk(t)
	pairDesks(d)
	today := d.lease(t, "A", 0).Days[0].Day
	exec(t, d.owner, `UPDATE services SET is_active = false, name = 'Renamed'`)
	done, _ := d.send(t, "reception", "A", today, noteOf("A", 1))
	wantStates(t, done, "A-001 created")
	if v := done[0].Visit; v.Service.Name != "ITR Filing" || !v.Offline.ServiceGone {
		t.Errorf("registered for %+v %+v", v.Service, v.Offline)
	}
}

// If the user who registered the visitors has left, the next user of the desk sends the noted visits.
func TestVisitsAreMadeByWhoUsedTheDeskAndSentByAPerson(t *testing.T) {
	d := newDesk(t)
	pairDesks(d)
	today := d.lease(t, "A", 0).Days[0].Day
	n := noteOf("A", 1)
	n.madeBy = "gone"
	d.people.SignIn("gone", contract.RoleReception)
	d.meets(t, "gone", "A")
	d.people.SignOut("gone")
	d.send(t, "reception2", "A", today, n)
	if made := count(t, d, `SELECT count(*) FROM visits WHERE created_by = $1 AND created_by_name = 'The gone'`,
		testkit.ID("gone")); made != 1 {
		t.Error("the visit is not of the person who used the desk")
	}
	if made := count(t, d, `SELECT count(*) FROM outbox WHERE actor->>'name' = 'The reception2'
		AND after->>'createdByName' = 'The gone' AND after->>'sentBy' = 'The reception2'`); made != 1 {
		t.Error("the event does not say who has sent it")
	}
}

func TestAVisitorWhoLeftIsSentAsLeft(t *testing.T) {
	d := newDesk(t)
	pairDesks(d)
	today := d.lease(t, "A", 0).Days[0].Day
	n := noteOf("A", 1)
	n.more = fmt.Sprintf(`,"left_at":%q`, time.Now().UTC().Format(time.RFC3339))
	for _, want := range []string{"A-001 created", "A-001 known"} {
		done, _ := d.send(t, "reception", "A", today, n)
		wantStates(t, done, want)
		if stage := done[0].Visit.Queue.Stage; stage != "left" {
			t.Errorf("the stage is %s", stage)
		}
	}
}

// The papers, the notice and the consent of a noted visit are recorded.
func TestPapersAndConsentsAreSentAlong(t *testing.T) {
	d := newDesk(t)
	pairDesks(d)
	today := d.lease(t, "A", 0).Days[0].Day
	exec(t, d.owner, `INSERT INTO notice_versions VALUES ('2026-01')`)
	n := noteOf("A", 1)
	n.more = `,"class":"priority","told_by":"aloud","messages":true,"notice_version":"2026-01",
		"documents":[{"key":"pan","label":"PAN card","required":true,"state":"missing"}]`
	done, _ := d.send(t, "reception", "A", today, n)
	wantStates(t, done, "A-001 created")
	if n := count(t, d, `SELECT count(*) FROM consents WHERE notice_version = '2026-01' AND means = 'aloud'`); n != 2 {
		t.Errorf("%d consents", n)
	}
	if n := count(t, d, `SELECT count(*) FROM visits v JOIN visit_documents d ON d.visit_id = v.id
		WHERE v.class = 'priority' AND d.summary->'missing'->0->>'label' = 'PAN card'`); n != 1 {
		t.Errorf("%d visits with papers", n)
	}
}

// If a field that a user typed is invalid, only its visit is refused. If a value that the paired desk itself sets is
// invalid, the request is rejected.
func TestOneWrongVisitConcernsNoOther(t *testing.T) {
	d := newDesk(t)
	pairDesks(d)
	today := d.lease(t, "A", 0).Days[0].Day
	wrong := noteOf("A", 1)
	wrong.name = " "
	done, _ := d.send(t, "reception", "A", today, wrong, noteOf("A", 2))
	wantStates(t, done, "- refused validation, A-002 created")

	bad := noteOf("A", 3)
	bad.key = "short"
	if _, a := d.send(t, "reception", "A", today, bad); a.status != http.StatusBadRequest {
		t.Errorf("a short key got %d", a.status)
	}
	if _, a := d.send(t, "reception", "A", today, noteOf("A", 4), noteOf("A", 3)); a.status != http.StatusBadRequest {
		t.Errorf("numbers out of order got %d", a.status)
	}
	many := make([]noted, 21)
	for i := range many {
		many[i] = noteOf("A", i+10)
	}
	if _, a := d.send(t, "reception", "A", today, many...); a.status != http.StatusBadRequest {
		t.Errorf("21 visits got %d", a.status)
	}
	a := d.as("reception", http.MethodPost, "/api/visits/offline",
		fmt.Sprintf(`{"series":"B","day":%q,"visits":[%s]}`, today, noteOf("B", 1).body(d)), "Baari-Device", "device-A")
	if a.status != http.StatusBadRequest {
		t.Errorf("another desk's series got %d %s", a.status, a.text)
	}
}

// Requests fail, responses are lost, and two windows send at the same time. In the end the series of each paired desk
// has no gaps, each visitor has one visit, and each visit has one event visit_created.
func TestWhateverIsInterruptedEachVisitIsRegisteredOnce(t *testing.T) {
	d := newDesk(t)
	pairDesks(d)
	d.unchecked = true
	today := d.lease(t, "A", 0).Days[0].Day
	d.lease(t, "B", 0)
	exec(t, d.owner, `
CREATE TABLE failing (name text);
GRANT SELECT ON failing TO PUBLIC;
CREATE FUNCTION fail_some() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF EXISTS (SELECT FROM failing f WHERE f.name = NEW.name) THEN RAISE EXCEPTION 'no'; END IF; RETURN NEW;
END $$;
CREATE TRIGGER fail_some BEFORE INSERT ON visits FOR EACH ROW EXECUTE FUNCTION fail_some()`)
	rapid.Check(t, func(r *rapid.T) {
		exec(r, d.owner, `TRUNCATE visits, day_counter, idempotency, failing CASCADE`)
		exec(r, d.owner, `DELETE FROM outbox`)
		unsent := map[string][]noted{}
		for _, series := range []string{"A", "B"} {
			for n := range rapid.IntRange(1, 8).Draw(r, "visits") {
				unsent[series] = append(unsent[series], noteOf(series, n+1))
			}
		}
		total := len(unsent["A"]) + len(unsent["B"])
		merged := 0
		for range rapid.IntRange(0, 2).Draw(r, "answered online") {
			n := unsent["A"][merged]
			a := d.as("reception", http.MethodPost, "/api/visits", d.visitor(n.name), "Idempotency-Key", n.key)
			if a.status == 201 {
				merged = 1
			}
			if len(unsent["A"]) == 1 {
				break
			}
		}
		for step := 0; len(unsent["A"])+len(unsent["B"]) > 0; step++ {
			series := rapid.SampledFrom([]string{"A", "B"}).Draw(r, "series")
			rest := unsent[series]
			if len(rest) == 0 {
				continue
			}
			exec(r, d.owner, `DELETE FROM failing`)
			if step < 12 && rapid.Bool().Draw(r, "fails") {
				exec(r, d.owner, `INSERT INTO failing VALUES ($1)`, rapid.SampledFrom(rest).Draw(r, "at").name)
			}
			windows := rapid.IntRange(1, 2).Draw(r, "windows")
			batch := rest[:rapid.IntRange(1, len(rest)).Draw(r, "batch")]
			done := make([][]sent, windows)
			together(windows, func(i int) answer {
				var a answer
				done[i], a = d.send(t, "reception", series, today, batch...)
				return a
			})
			if step < 12 && rapid.Bool().Draw(r, "answer lost") {
				continue
			}
			unsent[series] = rest[len(done[0]):]
			for _, s := range done[0] {
				if s.State == "refused" {
					r.Fatalf("refused: %+v", s)
				}
			}
		}
		if n := count(r, d, `SELECT count(*) FROM visits`); n != total {
			r.Fatalf("%d visits of %d", n, total)
		}
		if n := count(r, d, `SELECT count(*) FROM outbox WHERE type = 'visit_created'`); n != total {
			r.Fatalf("%d events of %d visits", n, total)
		}
		if n := count(r, d, `
WITH given AS (
  SELECT token_series AS series, token_no AS number FROM visits WHERE token_series <> 'T'
  UNION ALL SELECT left(token_also, 1), substr(token_also, 3)::int FROM visits WHERE token_also <> '')
SELECT count(*) FROM (SELECT series FROM given GROUP BY series
  HAVING count(*) <> max(number) OR count(DISTINCT number) <> count(*)) broken`); n != 0 {
			r.Fatalf("%d series are not dense", n)
		}
	})
}
