package system

import (
	"context"
	"net/http"
	"testing"

	"github.com/jackc/pgx/v5"

	"baari.dev/services/platform/testkit"
)

// mustMakeRequestIDs sends two requests with one request id that the client chose. Their answers, the outbox and the
// trail must have ids that the gateway or the service made.
func mustMakeRequestIDs(t *testing.T, w way) {
	t.Helper()
	const chosen = "an-id-of-another-request"
	o := newOffice(t, w)
	answered := map[string]bool{}
	for range 2 {
		got := w.send(t, o.admin, ask{
			method: http.MethodPost, path: "/api/visits", body: o.visitor(), header: http.Header{"X-Request-Id": {chosen}},
		})
		if got.status != http.StatusCreated {
			t.Fatalf("%d %s", got.status, got.body)
		}
		answered[got.header.Get("X-Request-Id")] = true
	}
	if len(answered) != 2 || answered[chosen] || answered[""] {
		t.Errorf("the requests have the ids %v", answered)
	}
	counted := func(service, query, id string) (n int) {
		into(t, w.system.Roles(service).Owner, func(connection *pgx.Conn) error {
			return connection.QueryRow(context.Background(), query, id).Scan(&n)
		})
		return n
	}
	const (
		events  = `SELECT count(*) FROM outbox WHERE request_id = $1 AND type = 'visit_created'`
		records = `SELECT count(*) FROM audit_records WHERE request_id = $1 AND action = 'created'`
	)
	for id := range answered {
		if n := counted("visits", events, id); n != 1 {
			t.Errorf("visits has %d events of request %s", n, id)
		}
		testkit.Eventually(t, "the trail has the record of request "+id, func() bool {
			return counted("audit", records, id) == 1
		})
	}
	if n := counted("audit", `SELECT count(*) FROM audit_records WHERE request_id = $1`, chosen); n > 0 {
		t.Errorf("the trail has %d records under the client's id", n)
	}
}
