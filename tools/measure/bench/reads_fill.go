package bench

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"golang.org/x/sync/errgroup"

	"baari.dev/tools/stack"
)

// perDay is how many visits a past day has.
const perDay = 2500

// fillStep is how many visits one transaction puts in.
const fillStep = 500_000

// filler puts past visits into a system's databases as the services would have stored them: into visits, into audit's
// copy with its counts and the trail, and into directory's. It goes past the events, which would take hours.
type filler struct {
	connections map[string]*pgx.Conn // by service
	values      pgx.NamedArgs
}

// fillSQL are the statements that put in visits @from to @to, by service, in their order. Ids grow with time, as the
// services' own do. The day of visit g is the same in each: the newest first, before @today. The trail's digests are
// made up: an anchor behind them keeps the service from checking them.
var fillSQL = map[string][]string{
	"visits": {`
INSERT INTO visits (id, office_day, token_no, name, phone, service_id, service_name, status, consultant_id, consultant_name, reception_notes, pa_notes, session_notes,
  created_at, updated_at, decided_at, started_at, completed_at, created_by, created_by_name, decided_by, decided_by_name, started_by, completed_by, notice_version, version)
SELECT p.id, p.day, p.token_no, 'Asha Patil', p.phone, @service::uuid, 'ITR Filing', p.status, p.consultant, CASE WHEN p.consultant IS NOT NULL THEN 'Kavita Rao' END,
  'has Form 16', '', '', p.at, p.at + interval '40 minutes', p.at + interval '5 minutes', p.began, p.ended, 'bench', 'Meera Joshi', 'bench', 'Arjun Menon',
  p.consultant, p.consultant, '1', CASE WHEN p.status = 'denied' THEN 2 ELSE 4 END
FROM (` + pastVisits + `) p`, `
INSERT INTO day_counter SELECT office_day, max(token_no) FROM visits WHERE office_day BETWEEN @first::date AND @last::date GROUP BY office_day
ON CONFLICT (day) DO UPDATE SET last = EXCLUDED.last`},
	"directory": {`
INSERT INTO assigned_visits SELECT p.id, p.consultant, p.status, p.ended FROM (` + pastVisits + `) p WHERE p.consultant IS NOT NULL`},
	"audit": {`
INSERT INTO visits (id, day, token_no, token, name, phone, service_name, status, consultant_name, reception_notes, pa_notes, session_notes, created_at, decided_at,
  started_at, completed_at, wait_minutes, duration_minutes, created_by_name, decided_by_name, service_id, consultant_id)
SELECT p.id, p.day, p.token_no, 'T-' || lpad(p.token_no::text, greatest(3, length(p.token_no::text)), '0'), 'Asha Patil', p.phone, 'ITR Filing', p.status,
  CASE WHEN p.consultant IS NOT NULL THEN 'Kavita Rao' END, 'has Form 16', '', '', p.at, p.at + interval '5 minutes', p.began, p.ended, 10, 30,
  'Meera Joshi', 'Arjun Menon', @service, p.consultant
FROM (` + pastVisits + `) p`, `
INSERT INTO daily_statistics
SELECT day, 0, 0, 0, count(*) FILTER (WHERE status = 'completed'), count(*) FILTER (WHERE status = 'denied'), count(started_at), 600 * count(started_at)
FROM visits WHERE day BETWEEN @first::date AND @last::date GROUP BY day ON CONFLICT (day) DO UPDATE SET completed_visits = EXCLUDED.completed_visits, denied_visits = EXCLUDED.denied_visits`, `
INSERT INTO daily_arrivals SELECT day, extract(hour FROM created_at AT TIME ZONE 'Asia/Kolkata')::integer, count(*) FROM visits
WHERE day BETWEEN @first::date AND @last::date GROUP BY 1, 2 ON CONFLICT (day, hour) DO UPDATE SET visits = EXCLUDED.visits`, `
INSERT INTO audit_records (n, source, epoch, seq, event_id, entity, entity_id, action, actor_id, actor_name, actor_email, actor_role, ip, request_id, version, created_at,
  old_values, new_values, old_digest, new_digest, prev, digest)
SELECT h.n + p.g - @from + 1, 'visits', '00000000-0000-7000-8000-000000000001', p.g, p.id, 'visit', p.id::text, 'created', 'bench', 'Meera Joshi', 'reception@baari.example',
  'reception', '127.0.0.1', p.id::text, 1, p.at, NULL,
  json_build_object('day', p.day, 'name', 'Asha Patil', 'phone', '98******10', 'status', 'new', 'serviceName', 'ITR Filing', 'tokenNo', p.token_no),
  decode(repeat('00', 32), 'hex'), sha256(p.id::text::bytea), sha256('prev'), sha256('digest')
FROM (` + pastVisits + `) p, (SELECT n FROM chain_head FOR UPDATE) h`, `
UPDATE chain_head SET n = n + @to - @from + 1, digest = sha256('digest')`, `
INSERT INTO chain_anchors (n, digest) SELECT n, digest FROM chain_head`},
}

// pastVisits are visits @from to @to; one in ten was denied.
const pastVisits = `
SELECT g, id, day, token_no, phone, status, at,
  CASE WHEN status = 'completed' THEN @consultant END AS consultant,
  CASE WHEN status = 'completed' THEN at + interval '10 minutes' END AS began,
  CASE WHEN status = 'completed' THEN at + interval '40 minutes' END AS ended
FROM (
  SELECT g, ('01900000-0000-7000-8000-' || lpad(to_hex(g), 12, '0'))::uuid AS id, day, token_no, '98' || lpad((g * 7919 % 100000000)::text, 8, '0') AS phone,
    CASE WHEN g % 10 = 0 THEN 'denied' ELSE 'completed' END AS status,
    (day + time '09:00' + token_no * interval '10 seconds') AT TIME ZONE 'Asia/Kolkata' AS at
  FROM (
    SELECT g, @today::date - 1 - ((g - 1) / @day)::integer AS day, ((g - 1) % @day)::integer + 1 AS token_no FROM generate_series(@from::bigint, @to::bigint) g
  ) numbered
) placed`

// newFiller opens the databases.
func newFiller(ctx context.Context, system *stack.Stack, values pgx.NamedArgs) (*filler, error) {
	f := &filler{connections: map[string]*pgx.Conn{}, values: values}
	for service := range fillSQL {
		at, err := system.Database(service)
		if err != nil {
			return nil, err
		}
		connection, err := pgx.Connect(ctx, at)
		if err != nil {
			return nil, fmt.Errorf("the database of %s: %w", service, err)
		}
		f.connections[service] = connection
	}
	return f, nil
}

// fill inserts this many visits and calls report with the progress.
func (f *filler) fill(ctx context.Context, to int, report func(done int)) error {
	if err := f.hurry(ctx, true); err != nil {
		return err
	}
	for begin := 1; begin <= to; begin += fillStep {
		end := min(begin+fillStep-1, to)
		group, stepCtx := errgroup.WithContext(ctx)
		group.SetLimit(2)
		for service, connection := range f.connections {
			group.Go(func() error { return f.step(stepCtx, service, connection, begin, end) })
		}
		if err := group.Wait(); err != nil {
			return err
		}
		report(end)
	}
	for service, connection := range f.connections {
		if _, err := connection.Exec(ctx, "VACUUM (ANALYZE)"); err != nil {
			return fmt.Errorf("%s: %w", service, err)
		}
	}
	return f.hurry(ctx, false)
}

// step is one transaction of one service.
func (f *filler) step(ctx context.Context, service string, connection *pgx.Conn, from, to int) error {
	today, _ := time.Parse(time.DateOnly, f.values["today"].(string)) // PostgreSQL wrote it
	values := pgx.NamedArgs{
		"from": from, "to": to, "day": perDay,
		"first": today.AddDate(0, 0, -1-(to-1)/perDay).Format(time.DateOnly), "last": today.AddDate(0, 0, -1-(from-1)/perDay).Format(time.DateOnly),
	}
	for name, value := range f.values {
		values[name] = value
	}
	err := pgx.BeginFunc(ctx, connection, func(tx pgx.Tx) error {
		for _, statement := range fillSQL[service] {
			if _, err := tx.Exec(ctx, statement, values); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("visits %d to %d of %s: %w", from, to, service, err)
	}
	return nil
}

// hurry lets PostgreSQL skip what protects against a power cut while the past is made, and puts it back: what is
// measured has it.
func (f *filler) hurry(ctx context.Context, on bool) error {
	connection := f.connections["visits"]
	for setting, fast := range map[string]string{"fsync": "off", "full_page_writes": "off", "max_wal_size": "'4GB'"} {
		statement := "ALTER SYSTEM RESET " + setting
		if on {
			statement = "ALTER SYSTEM SET " + setting + " = " + fast
		}
		if _, err := connection.Exec(ctx, statement); err != nil {
			return err
		}
	}
	_, err := connection.Exec(ctx, "SELECT pg_reload_conf()")
	if err == nil && !on {
		_, err = connection.Exec(ctx, "CHECKPOINT")
	}
	return err
}

// size is how much all databases take, in bytes.
func (f *filler) size(ctx context.Context) (bytes int64, err error) {
	err = f.connections["visits"].QueryRow(ctx, `SELECT sum(pg_database_size(datname))::bigint FROM pg_database`).Scan(&bytes)
	return bytes, err
}

func (f *filler) close(ctx context.Context) {
	for _, connection := range f.connections {
		_ = connection.Close(ctx)
	}
}
