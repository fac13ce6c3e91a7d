package audit

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/prometheus/client_golang/prometheus/testutil"

	"baari.dev/services/audit/chain"
	"baari.dev/services/contract"
	"baari.dev/services/platform/endpoint"
	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/identity"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/postgres"
	"baari.dev/services/platform/testkit"
)

func withRecords(t *testing.T, count int) *office {
	t.Helper()
	o := newOffice(t)
	visits := o.source(t, contract.SourceVisits)
	stop := o.follow(t, visits)
	visits.Publish(t, newDay(t, 31).Events(count)...)
	o.caughtUp(t, visits)
	stop()
	return o
}

// I14: verify returns the first record that shows a change made by the owner of the table.
func TestVerifyDetectsEveryManipulation(t *testing.T) {
	o := withRecords(t, 60)
	if report, err := o.verify(t); err != nil || report.Head.N != 60 || report.Redacted != 0 {
		t.Fatalf("the untouched trail: %+v, %v", report, err)
	}
	owner := o.db.Owner(t)
	for what, c := range map[string]struct {
		statement string
		bad       int64
	}{
		"a value changed": {`
UPDATE audit_records SET new_values = replace(new_values::text, 'visit', 'Visit')::json, action = 'x' WHERE n = 7`, 7},
		"values changed": {`UPDATE audit_records SET new_values = '{"status":"denied"}' WHERE n = 8`, 8},
		"values removed": {`UPDATE audit_records SET new_values = NULL WHERE n = 9`, 9},
		"values given":   {`UPDATE audit_records SET old_values = '{}' WHERE n = 1`, 1},
		"values and their digest": {`
UPDATE audit_records SET new_values = NULL, new_digest = (
  SELECT new_digest FROM audit_records WHERE new_values IS NULL UNION ALL SELECT sha256('') LIMIT 1)
WHERE n = 9`, 9},
		"redacted without reason": {`UPDATE audit_records SET new_values = '{"redacted":true}' WHERE n IN (12, 11)`, 11},
		"another actor":           {`UPDATE audit_records SET actor_name = 'Another name' WHERE n = 20`, 20},
		"another time": {`
UPDATE audit_records SET created_at = created_at + interval '1 microsecond' WHERE n = 21`, 21},
		"another address":   {`UPDATE audit_records SET ip = '192.0.2.8' WHERE n = 22`, 22},
		"an invalid digest": {`UPDATE audit_records SET digest = '' WHERE n = 23`, 23},
		"removed":           {`DELETE FROM audit_records WHERE n = 30`, 30},
		"removed and closed": {`DELETE FROM audit_records WHERE n = 31; UPDATE audit_records SET n = n - 1 WHERE n > 31`,
			31},
		"the first removed": {`DELETE FROM audit_records WHERE n = 1`, 1},
		"two swapped": {`
UPDATE audit_records SET n = CASE n WHEN 40 THEN -41 ELSE -40 END WHERE n IN (40, 41);
UPDATE audit_records SET n = -n WHERE n < 0`, 40},
		"the tail cut off":   {`DELETE FROM audit_records WHERE n > 50`, 51},
		"everything removed": {`TRUNCATE audit_records`, 1},
		"the head moved back": {`
DELETE FROM audit_records WHERE n > 50;
UPDATE chain_head SET n = 50, digest = (SELECT digest FROM audit_records WHERE n = 50);
INSERT INTO chain_anchors VALUES (55, sha256(''))`, 51},
		"the head moved": {`UPDATE chain_head SET n = 59`, 59},
		"one put in at the end": {`
INSERT INTO audit_records
SELECT 61, source, epoch, seq + 100, gen_random_uuid(), entity, entity_id, action,
  actor_id, actor_name, actor_email, actor_role, ip, request_id, version, created_at,
  old_values, new_values, old_digest, new_digest, digest, digest
FROM audit_records WHERE n = 60`, 61},
	} {
		t.Run(what, func(t *testing.T) {
			tx, err := owner.Begin(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = tx.Rollback(t.Context()) }()
			testkit.Exec(t, owner, `ALTER TABLE audit_records DROP CONSTRAINT audit_records_n_check; `+c.statement)
			// verifyIn runs in the transaction of the change, which is rolled back afterwards.
			_, err = verifyIn(t.Context(), tx, testKey)
			var bad *chain.BadError
			// ASVS 16.4.2
			if !errors.As(err, &bad) || bad.N != c.bad || bad.Reason == "" {
				t.Errorf("answered %v, want record %d", err, c.bad)
			}
		})
	}
}

// A chain that was rebuilt with the key does not match the anchors that are stored elsewhere.
func TestAnchorDetectsARebuiltOrShortenedChain(t *testing.T) {
	o := withRecords(t, 40)
	before, err := o.verify(t)
	if err != nil {
		t.Fatal(err)
	}
	visits := o.source(t, contract.SourceVisits)
	o.emptyTrail(t)
	o.follow(t, visits)
	visits.Publish(t, newDay(t, 32).Events(45)...)
	o.caughtUp(t, visits)
	if _, err := o.verify(t); err != nil {
		t.Fatalf("without anchors it does not verify: %v", err)
	}
	var bad *chain.BadError
	if _, err := o.verify(t, before.Head); !errors.As(err, &bad) || bad.N != 40 {
		t.Errorf("with the anchor: %v", err)
	}
	if _, err := o.verify(t, chain.Head{N: 50}); !errors.As(err, &bad) || bad.N != 46 {
		t.Errorf("with an anchor beyond its end: %v", err)
	}
}

func TestTrailDoesNotVerifyWithAnotherKey(t *testing.T) {
	o := withRecords(t, 3)
	var bad *chain.BadError
	_, err := Verify(t.Context(), o.db.Owner(t), chain.Key("another key of more than 32 characters"))
	if !errors.As(err, &bad) || bad.N != 1 {
		t.Errorf("answered %v", err)
	}
}

// The values of an erased visit can be removed, because the chain covers their digest; the record of the erasure is
// required.
func TestChainVerifiesAfterAnErasure(t *testing.T) {
	o := newOffice(t)
	visits := o.source(t, contract.SourceVisits)
	o.follow(t, visits)
	arrival, other := newDay(t, 1).Arrive(), newDay(t, 2).Arrive()
	erased := arrival.After.(contract.Visit)
	erased.Name, erased.Phone, erased.Version = "Erased", "", 2
	visits.Publish(t, arrival, other,
		outbox.Change{Type: contract.VisitErased, Entity: contract.EntityVisit, EntityID: erased.ID, Version: 2,
			After: erased})
	o.caughtUp(t, visits)
	redact := func(n int) {
		testkit.Exec(t, o.db.Owner(t), `UPDATE audit_records SET new_values = $2 WHERE n = $1`, n, redacted)
	}
	redact(1)
	if report, err := o.verify(t); err != nil || report.Redacted != 1 {
		t.Errorf("%+v, %v", report, err)
	}
	redact(2)
	var bad *chain.BadError
	if _, err := o.verify(t); !errors.As(err, &bad) || bad.N != 2 {
		t.Errorf("values removed without an erasure: %v", err)
	}
}

func TestServiceRoleCanOnlyAddRecords(t *testing.T) {
	o := withRecords(t, 2)
	for _, statement := range []string{
		`UPDATE audit_records SET action = 'x'`, `DELETE FROM audit_records`, `TRUNCATE audit_records`,
		`UPDATE chain_anchors SET n = 1`, `DELETE FROM chain_anchors`,
		`DELETE FROM chain_head`, `INSERT INTO chain_head VALUES (false, 1, '')`,
		`ALTER TABLE audit_records DISABLE TRIGGER ALL`, `DROP TABLE audit_records`,
	} {
		// ASVS 13.2.2, 16.4.2
		if _, err := o.db.Pool.Exec(t.Context(), statement); postgres.Code(err) != "42501" {
			t.Errorf("%s answered %v", statement, err)
		}
	}
}

// The head is anchored in the log and in a table. A broken trail is reported and no longer anchored.
func TestHeadIsAnchored(t *testing.T) {
	o := newOffice(t)
	var log bytes.Buffer
	o.log = slog.New(slog.NewTextHandler(&log, nil))
	anchor := func(want error) {
		t.Helper()
		if err := o.Anchor(t.Context()); (err == nil) != (want == nil) {
			t.Fatalf("answered %v", err)
		}
	}
	anchor(nil)
	if n := sql[int](t, o.db, `SELECT count(*) FROM chain_anchors`); n != 0 {
		t.Errorf("an empty trail has %d anchors", n)
	}
	visits := o.source(t, contract.SourceVisits)
	o.follow(t, visits)
	day := newDay(t, 1)
	for range 3 {
		visits.Publish(t, day.Events(20)...)
		o.caughtUp(t, visits)
		anchor(nil)
		anchor(nil) // nothing new
	}
	report, err := o.verify(t)
	if err != nil || sql[int](t, o.db, `SELECT count(*) FROM chain_anchors`) != 3 {
		t.Fatalf("%+v, %v", report, err)
	}
	if !strings.Contains(log.String(), "n=60 digest="+report.Head.Digest.String()) {
		t.Errorf("the log is %s", log.String())
	}

	visits.Publish(t, day.Events(5)...)
	o.caughtUp(t, visits)
	testkit.Exec(t, o.db.Owner(t), `DELETE FROM audit_records WHERE n = 62`)
	anchor(&chain.BadError{})
	if testutil.ToFloat64(o.metrics.chainOK) != 0 || sql[int](t, o.db, `SELECT count(*) FROM chain_anchors`) != 3 {
		t.Error("a broken trail was anchored")
	}
}

// If an anchored record is deleted at the end of the trail, the check before the next anchor detects it.
func TestNextAnchorDetectsACutTrail(t *testing.T) {
	o := withRecords(t, 30)
	if err := o.Anchor(t.Context()); err != nil {
		t.Fatal(err)
	}
	testkit.Exec(t, o.db.Owner(t), `DELETE FROM audit_records WHERE n > 20`)
	var bad *chain.BadError
	if err := o.Anchor(t.Context()); !errors.As(err, &bad) || bad.N != 30 {
		t.Errorf("answered %v", err)
	}
}

func TestUnavailableDatabaseIsNotABrokenTrail(t *testing.T) {
	o := newOffice(t)
	unavailable, err := pgxpool.New(t.Context(), "postgres://nobody@127.0.0.1:1/none?connect_timeout=1")
	if err != nil {
		t.Fatal(err)
	}
	defer unavailable.Close()
	o.store.feeds = unavailable
	if err := o.Anchor(t.Context()); err == nil || testutil.ToFloat64(o.metrics.chainOK) != 1 {
		t.Errorf("answered %v, the metric is %v", err, testutil.ToFloat64(o.metrics.chainOK))
	}
}

func TestKeepAnchorsAnchorsTheHead(t *testing.T) {
	o := withRecords(t, 5)
	testkit.Background(t, o.KeepAnchors)
	testkit.Eventually(t, "the head is anchored", func() bool {
		var n int
		err := o.db.Pool.QueryRow(t.Context(), `SELECT coalesce(max(n), 0) FROM chain_anchors`).Scan(&n)
		return err == nil && n == 5
	})
}

// I14: the head is also stored in another service. The next call of Anchor repeats a failed request.
func TestHeadIsKeptElsewhere(t *testing.T) {
	o := withRecords(t, 5)
	var kept []chain.Head
	unavailable := errors.New("unavailable")
	o.options.Keep = func(_ context.Context, head chain.Head) error {
		if unavailable != nil {
			return unavailable
		}
		kept = append(kept, head)
		return nil
	}
	if err := o.Anchor(t.Context()); !errors.Is(err, unavailable) {
		t.Errorf("answered %v", err)
	}
	unavailable = nil
	for range 2 {
		if err := o.Anchor(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	report, err := o.verify(t)
	// ASVS 16.4.3
	if err != nil || len(kept) != 1 || kept[0] != report.Head {
		t.Errorf("kept %v of %v, %v", kept, report.Head, err)
	}
}

// If the service directory rejects an anchor, an error is returned. The head of an empty trail is not sent.
func TestARefusedAnchorIsAnError(t *testing.T) {
	url := testkit.ServeInternal(t, contract.SourceDirectory, endpoint.Route{
		Method: http.MethodPost, Pattern: "/internal/audit-anchors", Access: endpoint.Service(),
		Handler: endpoint.JSON(endpoint.Nothing, func(context.Context, struct{}) (struct{}, error) {
			return struct{}{}, fault.ErrBusy
		}),
	})
	keep := KeepIn(identity.NewClient(url, testkit.Keys(contract.SourceAudit), contract.SourceDirectory))
	if err := keep(t.Context(), chain.Head{N: 1}); err == nil {
		t.Error("a refused anchor is kept")
	}
	o := newOffice(t)
	o.options.Keep = keep
	if err := o.Anchor(t.Context()); err != nil {
		t.Errorf("an empty trail: %v", err)
	}
}

// The metric shows the result of the last check, so it is 1 again after a trail is restored.
func TestARestoredTrailFitsAgain(t *testing.T) {
	o := withRecords(t, 5)
	for _, step := range []struct {
		statement string
		fits      float64
	}{
		{`UPDATE audit_records SET actor_name = actor_name || 'x' WHERE n = 3`, 0},
		{`UPDATE audit_records SET actor_name = left(actor_name, -1) WHERE n = 3`, 1},
	} {
		testkit.Exec(t, o.db.Owner(t), step.statement)
		if err := o.Anchor(t.Context()); (err == nil) != (step.fits == 1) ||
			testutil.ToFloat64(o.metrics.chainOK) != step.fits {
			t.Errorf("after %s the metric is %v: %v", step.statement, testutil.ToFloat64(o.metrics.chainOK), err)
		}
	}
}
