package lobby

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"testing"
	"time"

	"baari.dev/services/contract"
	"baari.dev/services/platform/testkit"
	"baari.dev/services/platform/wire"
)

// Times are stored and compared by the clock of the database, whatever the replica's clock is.

// ahead moves the clock of the database forward, for the service's queries from now on.
func (p *porch) ahead(by string) {
	p.t.Helper()
	owner := p.db.Owner(p.t)
	testkit.Exec(p.t, owner, `CREATE OR REPLACE FUNCTION public.now() RETURNS timestamptz LANGUAGE sql STABLE
		AS 'SELECT pg_catalog.now() + interval ''`+by+`'''`)
	testkit.Exec(p.t, owner, `DO $$ BEGIN
		EXECUTE format('ALTER DATABASE %I SET search_path = public, pg_catalog', current_database()); END $$`)
	p.db.Pool.Reset()
}

// The header X-Checked also has the time of the database's clock.
func TestALinkEndsByTheClockOfTheDatabase(t *testing.T) {
	p := newPorch(t)
	halfHourAgo := wire.Time(time.Now().Add(-30 * time.Minute))
	ended := p.arrive(func(v *contract.Visit) { v.Stage, v.CompletedAt = contract.StageCompleted, &halfHourAgo })
	waits := p.arrive()
	p.shows(ended, "done")
	p.ahead("40 minutes")
	for id, want := range map[string]int{ended: http.StatusGone, waits: http.StatusOK} {
		if w := p.get("/q/" + codeOf(id)); w.Code != want {
			t.Errorf("the page is answered %d, want %d", w.Code, want)
		}
	}
	url := fmt.Sprintf("/api/lobby/visits/%s/link", ended)
	if w := p.contract.Call(t, p.table, "token-reception", http.MethodGet, url, ""); w.Code != http.StatusNotFound {
		t.Errorf("reception is answered %d %s", w.Code, w.Body)
	}
	checked := p.get("/q/" + codeOf(waits) + "/state").Header().Get("X-Checked")
	at, err := time.ParseInLocation("15:04", checked, kolkata)
	late := time.Now().In(kolkata).Add(40 * time.Minute)
	minutes := (late.Hour()*60 + late.Minute() - at.Hour()*60 - at.Minute() + 1440) % 1440
	if err != nil || minutes > 5 {
		t.Errorf("it was checked at %s, now it is %s: %v", checked, late.Format("15:04"), err)
	}
}

func TestLatenessIsByTheClockOfTheDatabase(t *testing.T) {
	p := newPorch(t)
	atNoon(p)
	id := p.arrive()
	p.agrees(id, contract.ConsentGiven)
	p.calls(id, "3")
	p.ahead("4 minutes")
	testkit.Background(t, func(ctx context.Context) error { return p.Deliver(ctx, slog.New(slog.DiscardHandler)) })
	var state string
	testkit.Eventually(t, "the message ends", func() bool {
		row := p.db.Pool.QueryRow(t.Context(), `SELECT state || ' ' || error_code FROM deliveries WHERE channel = 'sms'`)
		return row.Scan(&state) == nil && state != "queued " && state != "sending "
	})
	if state != "dropped late" {
		t.Errorf("a call of four minutes ago is %s", state)
	}
}
