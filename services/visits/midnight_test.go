package visits_test

import (
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"baari.dev/services/contract"
	"baari.dev/services/platform/identity"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/postgres"
	"baari.dev/services/platform/testkit"
	"baari.dev/services/visits"
)

// A visit is registered every createsEvery, from beforeMidnight before the office's midnight to afterMidnight after it.
const (
	beforeMidnight = 4 * time.Second
	afterMidnight  = 2 * time.Second
	createsEvery   = 10 * time.Millisecond
)

// T26: three replicas register a hundred visits a second across the office's midnight. The tokens of both days begin
// with 1 and have no gaps, and the day of each visit is that of PostgreSQL's clock.
func TestTokensAreDenseThroughMidnight(t *testing.T) {
	d := newDesk(t)
	d.unchecked = true
	// The replicas open their connections first, because that may take longer than the time before midnight.
	replicas := []*desk{d.replica(zone), d.replica(zone), d.replica(zone)}
	zone := d.zoneWhereMidnightIsIn(beforeMidnight)
	for _, replica := range replicas {
		replica.with(func(deps *visits.Deps) { deps.Zone = zone })
	}

	var calls sync.WaitGroup
	var mu sync.Mutex
	made := map[string]int{} // counts by day
	ticks := time.NewTicker(createsEvery)
	defer ticks.Stop()
	for n := range int((beforeMidnight + afterMidnight) / createsEvery) {
		<-ticks.C
		calls.Go(func() {
			a := replicas[n%len(replicas)].as(
				"reception",
				http.MethodPost,
				"/api/visits",
				d.visitor(fmt.Sprintf("Visitor %d", n)),
			)
			mu.Lock()
			defer mu.Unlock()
			switch a.status {
			case http.StatusCreated:
				made[a.Visit.Day]++
			case http.StatusServiceUnavailable: // overload; no token was assigned
			default:
				t.Errorf("a create answered %d %s", a.status, a.text)
			}
		})
	}
	calls.Wait()
	if len(made) != 2 {
		t.Fatalf("visits were made on %v, want on two days", made)
	}
	for day, visits := range made {
		dense := count(
			t,
			d,
			`SELECT count(DISTINCT token_no) FROM visits WHERE office_day = $1::date AND token_no BETWEEN 1 AND $2`,
			day,
			visits,
		)
		all := count(t, d, `SELECT count(*) FROM visits WHERE office_day = $1::date`, day)
		if all != visits || dense != visits {
			t.Errorf("on %s %d visits were answered, %d are stored, %d of the numbers from 1", day, visits, all, dense)
		}
	}
	if wrong := count(
		t, d, `SELECT count(*) FROM visits WHERE office_day <> (created_at AT TIME ZONE $1)::date`, zone,
	); wrong != 0 {
		t.Errorf("%d visits are on another day than the one of their time", wrong)
	}
	t.Logf("%v around midnight in %s", made, zone)
}

// zoneWhereMidnightIsIn returns a POSIX time zone in which the time now + wait is midnight. Its offset has seconds.
func (d *desk) zoneWhereMidnightIsIn(wait time.Duration) (zone string) {
	d.t.Helper()
	const whereItIs = `
SELECT '<office>' || CASE WHEN west THEN '' ELSE '-' END
  || to_char(make_interval(secs => CASE WHEN west THEN since ELSE 86400 - since END), 'HH24:MI:SS')
FROM (SELECT since, since < 43200 AS west FROM (
  SELECT floor(extract(epoch FROM midnight - date_trunc('day', midnight, 'UTC'))) AS since
  FROM (SELECT now() + $1::interval AS midnight) m
) utc) s`
	if err := d.db.Pool.QueryRow(d.t.Context(), whereItIs, wait).Scan(&zone); err != nil {
		d.t.Fatal(err)
	}
	return zone
}

// replica returns a desk with another replica of the service, which has the given zone and its own connections.
func (d *desk) replica(zone string) *desk {
	d.t.Helper()
	pool, err := postgres.Open(context.Background(), d.db.URL, d.db.Settings)
	if err != nil {
		d.t.Fatal(err)
	}
	d.t.Cleanup(pool.Close)
	other := *d
	other.with(func(deps *visits.Deps) {
		deps.Pool, deps.Background, deps.Outbox = pool, pool, outbox.New(contract.SourceVisits, pool)
		deps.Directory, deps.Zone = identity.NewClient("http://127.0.0.1:1", testkit.Keys("visits"), "directory"), zone
	})
	return &other
}

// T26: no stored value depends on a replica's clock, because the code that creates, numbers and publishes visits does
// not read the clock. A Go program's clock cannot be changed from outside, so the test checks the sources.
func TestStoredTimesDoNotComeFromAReplicasClock(t *testing.T) {
	for _, sources := range []string{
		"*.go", "*/*.go", "../platform/idempotency/*.go", "../platform/outbox/outbox.go",
	} {
		files, err := filepath.Glob(sources)
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %v", sources, err)
		}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			source, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			ast.Inspect(source, func(node ast.Node) bool {
				if call, ok := node.(*ast.SelectorExpr); ok {
					if of, ok := call.X.(*ast.Ident); ok && of.Name == "time" && call.Sel.Name == "Now" {
						t.Errorf("%s calls time.Now", file)
					}
				}
				return true
			})
		}
	}
}
