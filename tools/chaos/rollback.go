package chaos

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"baari.dev/tools/checker"
)

// Phases that strike between the last statement of a transaction and the answer to its commit.

// endSessions ends those whose last statement, of a kind, was done and whose commit is on its way.
const endSessions = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
WHERE datname = current_database() AND state = 'idle in transaction' AND query LIKE $1`

// The last statements of two kinds of transactions, as PostgreSQL shows them.
const (
	relayMoved = "UPDATE stream_head SET head%"
	changeTold = "%INSERT INTO outbox%"
)

// loseChanges ends most of the sessions that change something, for as long as a few hundred calls take, and lets some of them go through.
func loseChanges(ctx context.Context, r *run, _ *office) error {
	return r.delayed(ctx, func(connection *pgx.Conn) error {
		enough, least, most := r.history.answered()+mutantServed/3, time.Now().Add(2*slowTime), time.Now().Add(mutantLimit)
		for now := time.Now(); ctx.Err() == nil && now.Before(most) && (now.Before(least) || r.history.answered() < enough); now = time.Now() {
			if _, err := connection.Exec(ctx, endSessions, changeTold); err != nil {
				return err
			}
			sleep(ctx, 150*time.Millisecond)
		}
		return nil
	})
}

const (
	lostCreates = 3  // whose commit happened or not, and nobody knows
	loseRounds  = 24 // at most
)

// loseCommits lets no answer of PostgreSQL through once a commit is on its way, again and again, until some creates do not know what became of theirs.
func loseCommits(ctx context.Context, r *run, _ *office) error {
	const onItsWay = `SELECT EXISTS (SELECT FROM pg_stat_activity
WHERE datname = current_database() AND state = 'idle in transaction' AND (query LIKE $1 OR query LIKE '%idempotency%'))`
	return r.delayed(ctx, func(connection *pgx.Conn) error {
		for round := 0; round < loseRounds && r.history.lost(checker.Create) < lostCreates && ctx.Err() == nil; round++ {
			if err := awaitTrue(ctx, connection, "no commit is on its way", onItsWay, changeTold); err != nil {
				return err
			}
			if err := loseAnswers(ctx, r, 250*time.Millisecond); err != nil {
				return err
			}
			sleep(ctx, time.Second)
		}
		return nil
	})
}

// delayed holds up what visits asks of PostgreSQL, so that transactions overlap and a commit is on its way for a while.
func (r *run) delayed(ctx context.Context, happen func(*pgx.Conn) error) error {
	if err := r.links.Delay(visitsToPostgres, slowness); err != nil {
		return err
	}
	err := r.database(ctx, "visits", happen)
	return errors.Join(err, r.links.Speed(context.WithoutCancel(ctx), visitsToPostgres))
}

const (
	overtakings = 2
	heldFor     = 1200 * time.Millisecond // less than a change waits for a lock
	relayRound  = time.Second             // in which the relay has surely numbered once more
	lookEvery   = 5 * time.Millisecond    // less than any commit is on its way
)

// overtake has a change become visible after younger ones were numbered, whose relay does not come to its commit: it takes their number. Who has
// heard of them by then takes it for what they have seen. The feed, which would tell them better, cannot be read meanwhile.
func overtake(ctx context.Context, r *run, o *office) error {
	r.links.Cut(realtimeToVisits)
	err := r.delayed(ctx, func(connection *pgx.Conn) error {
		for range overtakings {
			if err := r.overtakeOnce(ctx, o, connection); err != nil {
				return err
			}
		}
		return nil
	})
	return errors.Join(err, r.links.Mend(realtimeToVisits))
}

func (r *run) overtakeOnce(ctx context.Context, o *office, killer *pgx.Conn) error {
	const waits = `SELECT EXISTS (SELECT FROM pg_stat_activity
WHERE datname = current_database() AND wait_event_type = 'Lock' AND wait_event = 'transactionid' AND query LIKE $1)`
	reception, pa := r.twin(o.firstOf("reception"), "reception-late"), r.twin(o.firstOf("pa"), "pa-late")
	late := reception.create(ctx, o).Visit
	if late == "" {
		return errors.New("nobody could be registered whose change is to come late")
	}
	held, err := r.hold(ctx, late)
	if err != nil {
		return err
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		pa.transit(ctx, checker.Op{Kind: checker.Deny, Visit: late}, map[string]any{"status": "denied"})
	}()
	defer func() { <-done }()
	if err = awaitTrue(ctx, killer, "no change waits for the one that holds it", waits, changeTold); err == nil {
		err = killRelays(ctx, killer, heldFor)
	}
	if err = errors.Join(err, held()); err != nil {
		return err
	}
	// A relay that looked before it was let go would give it a later number; the next one gives it that of the younger ones.
	if err := killRelays(ctx, killer, relayRound); err != nil {
		return err
	}
	sleep(ctx, relayRound)
	return nil
}

// hold has the next change of a visit wait after it got its place in the outbox: another transaction has written the same version, and is
// rolled back by the function that it answers.
func (r *run) hold(ctx context.Context, visit string) (release func() error, err error) {
	const sameVersion = `INSERT INTO outbox (type, entity, entity_id, version) VALUES ('held', 'visit', $1, 2)`
	at, err := r.system.Database("visits")
	if err != nil {
		return nil, err
	}
	connection, err := pgx.Connect(ctx, at)
	if err != nil {
		return nil, err
	}
	release = func() error { return connection.Close(context.WithoutCancel(ctx)) }
	if _, err = connection.Exec(ctx, `BEGIN`); err == nil {
		_, err = connection.Exec(ctx, sameVersion, visit)
	}
	if err != nil {
		return nil, errors.Join(err, release())
	}
	return release, nil
}

// awaitTrue asks a question until it is answered yes.
func awaitTrue(ctx context.Context, connection *pgx.Conn, never, question string, args ...any) error {
	for until := time.Now().Add(slowTime); ctx.Err() == nil && time.Now().Before(until); sleep(ctx, lookEvery) {
		var is bool
		if err := connection.QueryRow(ctx, question, args...).Scan(&is); is || err != nil {
			return err
		}
	}
	return errors.Join(errors.New(never), ctx.Err())
}

// killRelays ends every relay that has numbered, for a while. A session that prepares the last statement stands there as one that has run it
// does: only one that stands there for the second time has surely done so.
func killRelays(ctx context.Context, connection *pgx.Conn, lasting time.Duration) error {
	const standing = `SELECT pid, state_change FROM pg_stat_activity
WHERE datname = current_database() AND state = 'idle in transaction' AND query LIKE $1`
	type session struct {
		PID   int32
		Since time.Time
	}
	first := map[int32]time.Time{}
	for until := time.Now().Add(lasting); ctx.Err() == nil && time.Now().Before(until); sleep(ctx, lookEvery) {
		rows, err := connection.Query(ctx, standing, relayMoved)
		if err != nil {
			return err
		}
		relays, err := pgx.CollectRows(rows, pgx.RowToStructByPos[session])
		if err != nil {
			return err
		}
		for _, relay := range relays {
			if seen, known := first[relay.PID]; !known {
				first[relay.PID] = relay.Since
			} else if !seen.Equal(relay.Since) {
				if _, err := connection.Exec(ctx, `SELECT pg_terminate_backend($1)`, relay.PID); err != nil {
					return err
				}
			}
		}
	}
	return nil
}
