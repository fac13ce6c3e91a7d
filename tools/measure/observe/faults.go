package observe

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
	"golang.org/x/sync/errgroup"

	"baari.dev/tools/proof/links"
	"baari.dev/tools/stack"
	"baari.dev/tools/stack/operator"
)

// The links that faults act on.
var (
	visitsToPostgres = links.Link{From: "visits", To: "postgres"}
	realtimeToRedis  = links.Link{From: "realtime", To: "redis"}
	realtimeToVisits = links.Link{From: "realtime", To: "visits"}
	auditToRedis     = links.Link{From: "audit", To: "redis"}
	auditToVisits    = links.Link{From: "audit", To: "visits"}
)

// Links returns the proxies that the faults need. The system must be started with Link set to their method Stand.
func Links() *links.Links {
	return links.New(visitsToPostgres, realtimeToRedis, realtimeToVisits, auditToRedis, auditToVisits)
}

// beginning causes a fault and returns the function that ends it, nil if the fault ends by itself.
type beginning func(context.Context, *Night) (heal func(context.Context) error, err error)

type fault struct {
	name   string
	alerts []string
	within time.Duration // time limit for every alert to fire, counted from the beginning
	begin  beginning     // nil: keep or the previous fault is the cause
	// keep, if it is not nil, is repeated until the alerts fire.
	keep func(context.Context, *Night) error
	// slow: an alert looks back over an hour or more, so the run does not wait until the fault's alerts end.
	slow bool
}

// faults are ordered so that no fault hides the effect of the next.
var faults = []fault{
	{
		name: "sixty wrong passwords", alerts: []string{"BaariSignInsFail"}, within: time.Minute,
		begin: repeated(60, (*Office).WrongPassword),
	}, {
		name:   "a consultant calls a route of reception thirty times",
		alerts: []string{"BaariAccessDenied"}, within: time.Minute, begin: repeated(30, (*Office).Denied),
	}, {
		name:   "sixty users sign in at once, repeatedly",
		alerts: []string{"BaariPasswordsWait"}, within: 3 * time.Minute, keep: crowd,
	}, {
		name:   "the last backup and the last drill are long ago",
		alerts: []string{"BaariBackupOld", "BaariRestoreDrillOld"}, within: time.Minute,
		begin: changed("audit",
			`UPDATE operations SET done_at = done_at - interval '40 days'`,
			`UPDATE operations SET done_at = done_at + interval '40 days'`),
	}, {
		name:   "an audit record is changed",
		alerts: []string{"BaariAuditTrailBroken"}, within: 3 * time.Minute, begin: changeRecord,
	}, {
		name:   "a transaction of visits stays open",
		alerts: []string{"BaariTransactionOpen"}, within: time.Minute, begin: openTransaction,
	}, {
		name:   "a visitor was passed more often than the office allows",
		alerts: []string{"BaariBypassBroken"}, within: time.Minute, begin: passTooOften,
	}, {
		name:   "visits has not applied the last version of the office document",
		alerts: []string{"BaariOfficeBehind"}, within: 4 * time.Minute,
		begin: changed("visits", `UPDATE office SET version = version - 1`, `UPDATE office SET version = version + 1`),
	}, {
		name:   "ranges have not held for the visitors of a week",
		alerts: []string{"BaariForecastWrong"}, within: time.Minute, begin: forecastWrongly,
	}, {
		name:   "the answer to a person's request is overdue",
		alerts: []string{"BaariPrivacyRequestOverdue"}, within: time.Minute,
		begin: changed("visits", `
INSERT INTO privacy_requests (id, kind, phone, text, state, received_at, due_at, received_by, received_by_name)
VALUES ('01890a5d-ac96-774b-bcce-b302099a8057', 'access', '9845012345', '', 'open', now() - interval '31 days',
  now() - interval '1 day', 'reception', 'Meera')`,
			`DELETE FROM privacy_requests WHERE id = '01890a5d-ac96-774b-bcce-b302099a8057'`),
	}, {
		name:   "a person looks up hundreds of phone numbers",
		alerts: []string{"BaariLookupsMany"}, within: time.Minute,
		begin: changed("visits", `
INSERT INTO access_log (user_id, role, call, visit_ids)
SELECT 'curious', 'reception', 'lookup', '{}' FROM generate_series(1, 500)`,
			`DELETE FROM access_log WHERE user_id = 'curious'`),
	}, {
		name:   "notifications of visitors are rejected",
		alerts: []string{"BaariMessagesFail"}, within: 3 * time.Minute, begin: loseMessages,
	}, {
		name:   "a screen of the waiting room has not reported for an hour",
		alerts: []string{"BaariScreenSilent"}, within: 4 * time.Minute, keep: callOne,
		begin: changed("auth", `
INSERT INTO devices (id, kind, name, paired_at, last_seen_at, created_at, created_by)
VALUES ('01890a5d-ac96-774b-bcce-b302099a8058', 'display', 'Hall', now(), now() - interval '1 hour', now(), 'admin')`,
			`DELETE FROM devices WHERE id = '01890a5d-ac96-774b-bcce-b302099a8058'`),
	}, {
		name:   "two desks have the same disk",
		alerts: []string{"BaariDeskCopied"}, within: 2 * time.Minute, slow: true, begin: copyDisk,
	}, {
		name:   "a desk in contact has held back a visit for an hour",
		alerts: []string{"BaariDeskHeldBack"}, within: 2 * time.Minute, slow: true, begin: holdBack,
	}, {
		name: "directory is stopped", alerts: []string{"BaariServiceDown"}, within: 3 * time.Minute,
		begin: func(_ context.Context, n *Night) (func(context.Context) error, error) {
			_, err := n.system.Signal("directory", syscall.SIGSTOP)
			return func(context.Context) error {
				_, err := n.system.Signal("directory", syscall.SIGCONT)
				return err
			}, err
		},
	}, {
		name:   "an admin exports everything repeatedly",
		alerts: []string{"BaariExportsLarge"}, within: 3 * time.Minute, slow: true,
		begin: func(ctx context.Context, n *Night) (func(context.Context) error, error) {
			return nil, operator.AddVisits(ctx, n.system.Folder().Path())
		},
		keep: func(ctx context.Context, n *Night) error { return n.office.Export(ctx) },
	}, {
		name:   "realtime reaches neither Redis nor the feed of visits",
		alerts: []string{"BaariLiveStreamsDegraded", "BaariStreamsBehind"}, within: 4 * time.Minute,
		begin: cut(realtimeToRedis, realtimeToVisits), keep: many,
	}, {
		name:   "the relay of visits cannot number events",
		alerts: []string{"BaariEventsWait"}, within: 4 * time.Minute, begin: holdNumbering, keep: one,
	}, {
		name:   "events that waited for a number are late everywhere",
		alerts: []string{"BaariEventsLate", "BaariScreensSlow", "BaariAuditLate"}, within: 3 * time.Minute, slow: true,
	}, {
		name:   "PostgreSQL is slow for visits",
		alerts: []string{"BaariCreatesSlow"}, within: 5 * time.Minute, slow: true,
		begin: poisoned(visitsToPostgres, "latency", map[string]any{"latency": 400}), keep: anyhow(many),
	}, {
		name:   "PostgreSQL's answers to visits are lost",
		alerts: []string{"BaariUnknownOutcomes"}, within: 4 * time.Minute, keep: loseAnswers,
	}, {
		name:   "visits cannot reach PostgreSQL",
		alerts: []string{"BaariCreatesFail"}, within: 5 * time.Minute, slow: true,
		begin: cut(visitsToPostgres), keep: anyhow(many),
	}, {
		name:   "audit cannot read the events of visits",
		alerts: []string{"BaariAuditBehind"}, within: 9 * time.Minute,
		begin: cut(auditToRedis, auditToVisits), keep: one,
	},
}

func repeated(times int, what func(*Office, context.Context) error) beginning {
	return func(ctx context.Context, n *Night) (func(context.Context) error, error) {
		for range times {
			if err := what(n.office, ctx); err != nil {
				return nil, err
			}
		}
		return nil, nil
	}
}

// execute runs a statement as PostgreSQL's administrator.
func (n *Night) execute(ctx context.Context, service, statement string, values ...any) error {
	return n.system.WithDatabase(ctx, service, func(connection *pgx.Conn) error {
		_, err := connection.Exec(ctx, statement, values...)
		return err
	})
}

// changed returns a fault that runs a statement and, to end, the statement that reverts it.
func changed(service, statement, back string) beginning {
	return func(ctx context.Context, n *Night) (func(context.Context) error, error) {
		return func(ctx context.Context) error { return n.execute(ctx, service, back) }, n.execute(ctx, service, statement)
	}
}

// changeRecord changes the newest record, because the service checks only the records since the last anchor.
func changeRecord(ctx context.Context, n *Night) (func(context.Context) error, error) {
	if err := one(ctx, n); err != nil {
		return nil, err
	}
	_ = stack.Pause(ctx, 2*Every) // The trail has the record by then.
	return changed("audit",
		`UPDATE audit_records SET actor_name = actor_name || '!' WHERE n = (SELECT n FROM chain_head)`,
		`UPDATE audit_records SET actor_name = left(actor_name, -1) WHERE actor_name LIKE '%!'`)(ctx, n)
}

// copyDisk sends the same token of one desk from two computers. It first waits until Prometheus has scraped the counter
// of such conflicts, so that the counter's increase is visible.
func copyDisk(ctx context.Context, n *Night) (func(context.Context) error, error) {
	_ = stack.Pause(ctx, 2*Every)
	return nil, n.office.CopyDisk(ctx)
}

// holdBack makes a desk send a visit that the desk reported as unsent an hour ago. It waits like copyDisk.
func holdBack(ctx context.Context, n *Night) (func(context.Context) error, error) {
	_ = stack.Pause(ctx, 2*Every)
	desk, err := n.office.PairDesk(ctx)
	if err != nil {
		return nil, err
	}
	if err := desk.Contact(ctx, 1); err != nil {
		return nil, err
	}
	if err := n.execute(ctx, "visits", `UPDATE desk_contacts SET first_at = first_at - interval '1 hour'`); err != nil {
		return nil, err
	}
	desk.visit["arrived_at"] = time.Now().Add(-2 * time.Hour).UTC().Format(time.RFC3339)
	return nil, desk.Send(ctx, "held-back")
}

// openTransaction leaves a transaction of the service's role open: the service does not see those of other roles.
func openTransaction(ctx context.Context, n *Night) (func(context.Context) error, error) {
	return held(ctx, n.system.Roles("visits").App,
		`SET idle_in_transaction_session_timeout = 0`, `BEGIN`, `SELECT count(*) FROM visits`)
}

// passTooOften stores that a waiting visitor was passed nine times. The fault ends when the visitor leaves.
func passTooOften(ctx context.Context, n *Night) (func(context.Context) error, error) {
	id, err := n.office.Create(ctx)
	if err != nil {
		return nil, err
	}
	pa := n.office.Users["pa"]
	line := map[string]any{"status": "approved", "line": true}
	if err := pa.Call(ctx, http.MethodPut, "/api/visits/"+id+"/status", line, nil); err != nil {
		return nil, err
	}
	leave := func(ctx context.Context) error {
		return pa.Call(ctx, http.MethodPost, "/api/visits/"+id+"/leave", map[string]any{}, nil)
	}
	return leave, n.execute(ctx, "visits", `UPDATE visits SET bypassed = 9 WHERE id = $1`, id)
}

// forecastWrongly stores promises whose visitors were called after the shown range. Their deletion ends the fault.
var forecastWrongly = changed("visits", `
INSERT INTO promises (visit_id, kind, service_id, owed_at, made_at, q10, q50, q90, shown_from, shown_to, level,
  rival_place, ended_at, outcome, actual_minutes)
SELECT gen_random_uuid(), 'join', gen_random_uuid(), at, at, 5, 10, 20, at, at + interval '20 minutes', 0.2, 1234,
  at + interval '1 hour', 'called', 60
FROM generate_series(1, 400), (SELECT now() - interval '1 day' AS at)`, `DELETE FROM promises WHERE rival_place = 1234`)

// loseMessages stores messages whose sender ended before it knew their outcome. Their deletion ends the fault.
var loseMessages = changed("lobby", `
INSERT INTO deliveries (id, visit_id, channel, kind, call_no, state, next_at, created_at, changed_at)
SELECT gen_random_uuid(), gen_random_uuid(), 'push', 'called', 1234, 'sending', now(), now(), now() - interval '1 hour'
FROM generate_series(1, 20)`, `DELETE FROM deliveries WHERE call_no = 1234`)

// holdNumbering takes the relay's lock: changes commit, but get no sequence number.
func holdNumbering(ctx context.Context, n *Night) (func(context.Context) error, error) {
	return held(ctx, n.system.Database("visits"),
		`SELECT pg_advisory_lock(hashtextextended('outbox:' || current_database() || ':visits', 0))`)
}

// held runs statements in a connection that stays open until the fault ends.
func held(ctx context.Context, at string, statements ...string) (func(context.Context) error, error) {
	connection, err := pgx.Connect(ctx, at)
	if err != nil {
		return nil, err
	}
	for _, statement := range statements {
		if _, err := connection.Exec(ctx, statement); err != nil {
			return nil, errors.Join(err, connection.Close(ctx))
		}
	}
	return connection.Close, nil
}

func cut(all ...links.Link) beginning {
	return func(_ context.Context, n *Night) (func(context.Context) error, error) {
		for _, at := range all {
			n.links.Cut(at)
		}
		return func(context.Context) error {
			var errs []error
			for _, at := range all {
				errs = append(errs, n.links.Mend(at))
			}
			return errors.Join(errs...)
		}, nil
	}
}

func poisoned(at links.Link, kind string, attributes map[string]any) beginning {
	return func(_ context.Context, n *Night) (func(context.Context) error, error) {
		return func(ctx context.Context) error { return n.links.Cure(ctx, at, kind) }, n.links.Poison(at, kind, attributes)
	}
}

func one(ctx context.Context, n *Night) error {
	_, err := n.office.Create(ctx)
	return err
}

// callOne calls a visitor, whose visit then ends.
func callOne(ctx context.Context, n *Night) error {
	id, err := n.office.Create(ctx)
	if err != nil {
		return err
	}
	for _, step := range []struct {
		role, method, path string
		body               map[string]any
	}{
		{"pa", http.MethodPut, "/status", map[string]any{"status": "approved", "line": true}},
		{"consultant", http.MethodPost, "/call", map[string]any{"counter": "1"}},
		{"pa", http.MethodPost, "/leave", map[string]any{}},
	} {
		if err := n.office.Users[step.role].Call(ctx, step.method, "/api/visits/"+id+step.path, step.body, nil); err != nil {
			return err
		}
	}
	return nil
}

func many(ctx context.Context, n *Night) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(4)
	for range 20 {
		group.Go(func() error { return one(ctx, n) })
	}
	return group.Wait()
}

// loseAnswers drops the answers to statements that register visitors, so that some commits have an unknown outcome.
func loseAnswers(ctx context.Context, n *Night) error {
	const kind = "timeout"
	arriving, enough := context.WithCancel(ctx)
	defer enough()
	var desk sync.WaitGroup
	desk.Go(func() {
		for arriving.Err() == nil {
			_ = many(ctx, n) // some fail
		}
	})
	_ = stack.Pause(ctx, 150*time.Millisecond)
	err := n.links.Poison(visitsToPostgres, kind, map[string]any{"timeout": 0})
	_ = stack.Pause(ctx, 300*time.Millisecond)
	n.links.Cut(visitsToPostgres)
	enough()
	cured := n.links.Cure(context.WithoutCancel(ctx), visitsToPostgres, kind)
	err = errors.Join(err, cured, n.links.Mend(visitsToPostgres))
	desk.Wait()
	return err
}

// anyhow ignores the errors of calls that the fault makes fail.
func anyhow(what func(context.Context, *Night) error) func(context.Context, *Night) error {
	return func(ctx context.Context, n *Night) error {
		_ = what(ctx, n)
		return nil
	}
}

// crowd sends sixty sign-ins with a wrong password at once, and ignores the answers.
func crowd(ctx context.Context, n *Night) error {
	var all sync.WaitGroup
	for range 60 {
		all.Go(func() { _ = n.office.WrongPassword(ctx) })
	}
	all.Wait()
	return nil
}
