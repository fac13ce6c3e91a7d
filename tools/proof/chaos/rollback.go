package chaos

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"baari.dev/tools/proof/checker"
)

// The phases in this file disturb transactions between their last statement and the answer to their commit.

// endSessions terminates the backends that have executed a certain last statement and not yet committed.
const endSessions = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
WHERE datname = current_database() AND state = 'idle in transaction' AND query LIKE $1`

// The last statements of two kinds of transactions, as pg_stat_activity shows them.
const (
	relayMoved   = "UPDATE stream_head SET head%"
	appendsEvent = "%INSERT INTO outbox%"
)

// loseChanges terminates most of the sessions that change something, for the duration of a few hundred requests.
func loseChanges(ctx context.Context, r *run, _ *crew) error {
	return r.delayed(ctx, func(connection *pgx.Conn) error {
		enough, least := r.history.answered()+mutantServed/3, time.Now().Add(2*slowTime)
		var err error
		poll(ctx, mutantLimit, 150*time.Millisecond, func() bool {
			if time.Now().After(least) && r.history.answered() >= enough {
				return true
			}
			_, err = connection.Exec(ctx, endSessions, appendsEvent)
			return err != nil
		})
		return err
	})
}

const (
	lostCreates = 3  // creates whose commit has an unknown outcome
	loseRounds  = 24 // largest number of rounds
)

// loseCommits drops PostgreSQL's answers to commits in flight, until some creates have an unknown outcome.
func loseCommits(ctx context.Context, r *run, _ *crew) error {
	const onItsWay = `SELECT EXISTS (SELECT FROM pg_stat_activity
WHERE datname = current_database() AND state = 'idle in transaction' AND (query LIKE $1 OR query LIKE '%idempotency%'))`
	return r.delayed(ctx, func(connection *pgx.Conn) error {
		for range loseRounds {
			if r.history.lost(checker.Create) >= lostCreates || ctx.Err() != nil {
				break
			}
			if err := awaitTrue(ctx, connection, inFlight("no commit is in flight"), onItsWay, appendsEvent); err != nil {
				return err
			}
			if err := loseAnswers(ctx, r, 250*time.Millisecond); err != nil {
				return err
			}
			sleep(ctx, time.Second)
		}
		return ctx.Err()
	})
}

// delayed slows the requests of visits to PostgreSQL, so that transactions overlap and commits take a while.
func (r *run) delayed(ctx context.Context, happen func(*pgx.Conn) error) error {
	if err := r.links.Delay(visitsToPostgres, slowness); err != nil {
		return err
	}
	err := r.system.WithDatabase(ctx, "visits", happen)
	return errors.Join(err, r.links.EndDelay(context.WithoutCancel(ctx), visitsToPostgres))
}

const (
	overtakings = 2
	heldFor     = 1200 * time.Millisecond // shorter than the time for which a change waits for a lock
	relayRound  = time.Second             // long enough for the relay to number rows once more
	lookEvery   = 5 * time.Millisecond    // shorter than the time for which a commit is in flight
)

// overtake terminates relays that have numbered changes and not committed, and then makes an older change visible. This
// change gets the number of a newer change. Subscribers that had received the newer change take the older change for a
// repetition. The feed, which would correct this, is unavailable meanwhile.
func overtake(ctx context.Context, r *run, c *crew) error {
	r.links.Cut(realtimeToVisits)
	err := r.delayed(ctx, func(connection *pgx.Conn) error {
		for range overtakings {
			if err := r.overtakeOnce(ctx, c, connection); err != nil {
				return err
			}
		}
		return nil
	})
	return errors.Join(err, r.links.Mend(realtimeToVisits))
}

func (r *run) overtakeOnce(ctx context.Context, c *crew, killer *pgx.Conn) error {
	const waits = `SELECT EXISTS (SELECT FROM pg_stat_activity
WHERE datname = current_database() AND wait_event_type = 'Lock' AND wait_event = 'transactionid' AND query LIKE $1)`
	reception, pa := r.twin(c.firstOf("reception"), "reception-late"), r.twin(c.firstOf("pa"), "pa-late")
	late := reception.create(ctx, c).Visit
	if late == "" {
		return errors.New("no visit could be registered for the delayed change")
	}
	held, err := r.hold(ctx, late)
	if err != nil {
		return err
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		pa.deny(ctx, checker.Op{Visit: late})
	}()
	defer func() { <-done }()
	blocked := inFlight("no change waits for the lock of the held one")
	if err = awaitTrue(ctx, killer, blocked, waits, appendsEvent); err == nil {
		err = killRelays(ctx, killer, heldFor)
	}
	if err = errors.Join(err, held()); err != nil {
		return err
	}
	// A relay that selected its rows before the change became visible would give the change a later number, so that
	// relay is terminated, too. The next relay gives the change the number of a newer one.
	if err := killRelays(ctx, killer, relayRound); err != nil {
		return err
	}
	sleep(ctx, relayRound)
	return nil
}

// hold makes the next change of a visit wait in the insert of its outbox row, because another transaction has inserted
// a row of the same version. release rolls that transaction back.
func (r *run) hold(ctx context.Context, visit string) (release func() error, err error) {
	const sameVersion = `INSERT INTO outbox (type, entity, entity_id, version) VALUES ('held', 'visit', $1, 2)`
	connection, err := pgx.Connect(ctx, r.system.Database("visits"))
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

// wait determines how long and how often a query is repeated, and the message after the time limit.
type wait struct {
	limit, every time.Duration
	never        string
}

// inFlight returns a wait for a state that ends with a delayed commit. never is the message after the time limit.
func inFlight(never string) wait { return wait{slowTime, lookEvery, never} }

func awaitTrue(ctx context.Context, connection *pgx.Conn, w wait, query string, args ...any) (err error) {
	var is bool
	if !poll(ctx, w.limit, w.every, func() bool {
		err = connection.QueryRow(ctx, query, args...).Scan(&is)
		return is || err != nil
	}) {
		return errors.Join(errors.New(w.never), ctx.Err())
	}
	return err
}

// killRelays terminates, for the given time, every relay that has given its rows numbers. In pg_stat_activity a session
// that has only prepared its last statement looks like one that has executed it. If state_change differs between two
// samples, the session has executed the statement.
func killRelays(ctx context.Context, connection *pgx.Conn, lasting time.Duration) error {
	const standing = `SELECT pid, state_change FROM pg_stat_activity
WHERE datname = current_database() AND state = 'idle in transaction' AND query LIKE $1`
	type session struct {
		PID   int32
		Since time.Time
	}
	first := map[int32]time.Time{}
	for until := time.Now().Add(lasting); ctx.Err() == nil && time.Now().Before(until); sleep(ctx, lookEvery) {
		rows, _ := connection.Query(ctx, standing, relayMoved) // CollectRows returns the error
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
