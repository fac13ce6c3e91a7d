package visits

import (
	"bufio"
	"context"
	"net/http"
	"regexp"
	"slices"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/jackc/pgx/v5"

	"baari.dev/services/platform/endpoint"
	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/postgres"
	"baari.dev/services/platform/wire"
)

// breachRoute answers, after personal data has got out, who has seen whom (reliability.md P4).
func (s *Service) breachRoute() endpoint.Route {
	return endpoint.Route{Method: http.MethodPost, Pattern: "/internal/breach", Access: endpoint.Service(), Handler: endpoint.Stream(s.reportBreach)}
}

// breachRequest asks for the office's days From to To, inclusive. Exported are the days that exports of that time held,
// as the audit trail knows. A Phone narrows everything to one visitor.
type breachRequest struct {
	From     string `json:"from"`
	To       string `json:"to"`
	Phone    string `json:"phone"`
	Exported []days `json:"exported"`
}

type days struct {
	Start string `json:"start"`
	End   string `json:"end"`
}

// breachLine is one line of the answer: a reader, or a visitor.
type breachLine struct {
	Reader  *breachReader  `json:"reader,omitempty"`
	Visitor *breachVisitor `json:"visitor,omitempty"`
}

// breachReader is what one person did in one way: a call of the access log, or registered, decided, attended.
type breachReader struct {
	UserID string    `json:"userId"`
	Call   string    `json:"call"`
	Visits int       `json:"visits"`
	First  wire.Time `json:"first"`
	Last   wire.Time `json:"last"`
}

// breachVisitor is a person whose data somebody had before them. Erased ones are one line without name and phone.
type breachVisitor struct {
	Name     string   `json:"name"`
	Phone    string   `json:"phone"`
	Visits   int      `json:"visits"`
	Readers  []string `json:"readers"`
	Exported bool     `json:"exported"`
}

var isDay = regexp.MustCompile(`^\d{4}-\d{2}-\d{2}$`)

func readBreach(r *http.Request) (req breachRequest, err error) {
	if err := wire.Read(r, &req); err != nil {
		return req, err
	}
	for _, day := range []string{req.From, req.To} {
		if _, err := time.Parse(time.DateOnly, day); err != nil || !isDay.MatchString(day) {
			return req, fault.Field("from", "Please enter the days as YYYY-MM-DD")
		}
	}
	if req.Phone != "" && !tenDigits.MatchString(req.Phone) {
		return req, fault.Field("phone", phoneWrong)
	}
	return req, nil
}

// What both questions begin with: the time, and what the access log says of it.
const bounds = `
WITH bounds AS (
  SELECT @from::date::timestamp AT TIME ZONE @zone AS begins, (@to::date + 1)::timestamp AT TIME ZONE @zone AS ends
), seen AS (
  SELECT u.id, l.user_id, l.call, l.at
  FROM bounds, access_log l CROSS JOIN LATERAL unnest(l.visit_ids) u(id) WHERE l.at >= begins AND l.at < ends
)`

// Who has handled a visit is not in the access log, but has seen it all the same: who registered or decided it, its
// consultant from the decision on, and who started or completed it in their place.
const selectReaders = bounds + `, handled AS (
  SELECT created_by AS user_id, 'registered' AS call, created_at AS at, phone FROM visits
  UNION ALL
  SELECT decided_by, 'decided', decided_at, phone FROM visits WHERE decided_by IS NOT NULL
  UNION ALL
  SELECT consultant_id, 'attended', decided_at, phone FROM visits WHERE consultant_id IS NOT NULL
  UNION ALL
  SELECT started_by, 'attended', started_at, phone FROM visits WHERE started_by <> consultant_id
  UNION ALL
  SELECT completed_by, 'attended', completed_at, phone FROM visits WHERE completed_by <> consultant_id AND completed_by <> started_by
)
SELECT user_id, call, count(DISTINCT id), min(at), max(at) FROM seen
WHERE @phone = '' OR id IN (SELECT id FROM visits WHERE phone = @phone) GROUP BY user_id, call
UNION ALL
SELECT user_id, call, count(*), min(at), max(at) FROM bounds, handled
WHERE at >= begins AND at < ends AND (@phone = '' OR phone = @phone) GROUP BY user_id, call
ORDER BY user_id, call`

// A row for each visit: those of one person follow each other and are put together as they come.
const selectAffected = bounds + `, readers AS (
  SELECT id, array_agg(user_id) AS users FROM seen GROUP BY id
), sights AS (
  SELECT v.phone, v.name, array_remove(readers.users || ARRAY[
      CASE WHEN v.created_at >= begins AND v.created_at < ends THEN v.created_by END,
      CASE WHEN v.decided_at >= begins AND v.decided_at < ends THEN v.decided_by END,
      CASE WHEN v.decided_at >= begins AND v.decided_at < ends THEN v.consultant_id END,
      CASE WHEN v.started_at >= begins AND v.started_at < ends THEN v.started_by END,
      CASE WHEN v.completed_at >= begins AND v.completed_at < ends THEN v.completed_by END], NULL) AS users,
    EXISTS (SELECT FROM unnest(@starts::date[], @ends::date[]) AS d(first, last) WHERE v.office_day BETWEEN d.first AND d.last) AS exported
  FROM bounds, visits v LEFT JOIN readers ON readers.id = v.id
  WHERE @phone = '' OR v.phone = @phone
)
SELECT coalesce(phone, ''), name, users, exported FROM sights WHERE exported OR cardinality(users) > 0 ORDER BY phone`

// insertBreach comes before the first line leaves. It names no visit: the report may be about all of them.
const insertBreach = `INSERT INTO access_log (user_id, role, call, visit_ids) VALUES ($1, $1, 'breach_report', '{}')`

// A report reads everything there is, so it has more time and memory than a call of the product.
const unhurried = `SET LOCAL statement_timeout = '10min'; SET LOCAL work_mem = '64MB'`

// reportBreach writes a line of JSON for each reader, then for each visitor, as they come from the database.
func (s *Service) reportBreach(w http.ResponseWriter, r *http.Request) error {
	req, err := readBreach(r)
	if err != nil {
		return err
	}
	ctx := r.Context()
	if _, err := s.store.pool.Exec(ctx, insertBreach, operator); err != nil {
		return postgres.Classify(err)
	}
	begun, out := false, bufio.NewWriter(w)
	write := func(line breachLine) error {
		if !begun {
			w.Header().Set("Content-Type", "application/x-ndjson")
			begun = true
		}
		data, err := json.Marshal(line)
		if err == nil {
			_, err = out.Write(append(data, '\n'))
		}
		return err
	}
	err = pgx.BeginTxFunc(ctx, s.store.pool, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, unhurried); err != nil {
			return err
		}
		if err := eachReader(ctx, tx, s.breachArgs(req), write); err != nil {
			return err
		}
		return eachAffected(ctx, tx, s.breachArgs(req), write)
	})
	if err == nil {
		err = out.Flush()
	}
	if err != nil && begun {
		panic(http.ErrAbortHandler) // or half a report would look like a whole one
	}
	return postgres.Classify(err)
}

func (s *Service) breachArgs(req breachRequest) pgx.NamedArgs {
	starts, ends := make([]string, len(req.Exported)), make([]string, len(req.Exported))
	for i, d := range req.Exported {
		starts[i], ends[i] = d.Start, d.End
	}
	return pgx.NamedArgs{"from": req.From, "to": req.To, "zone": s.store.zone, "phone": req.Phone, "starts": starts, "ends": ends}
}

func eachReader(ctx context.Context, tx pgx.Tx, args pgx.NamedArgs, write func(breachLine) error) error {
	rows, err := tx.Query(ctx, selectReaders, args)
	if err != nil {
		return err
	}
	var reader breachReader
	_, err = pgx.ForEachRow(rows, []any{&reader.UserID, &reader.Call, &reader.Visits, (*time.Time)(&reader.First), (*time.Time)(&reader.Last)}, func() error {
		return write(breachLine{Reader: &reader})
	})
	return err
}

func eachAffected(ctx context.Context, tx pgx.Tx, args pgx.NamedArgs, write func(breachLine) error) error {
	rows, err := tx.Query(ctx, selectAffected, args)
	if err != nil {
		return err
	}
	var person *breachVisitor
	end := func() error {
		if person == nil {
			return nil
		}
		slices.Sort(person.Readers)
		person.Readers = slices.Compact(person.Readers)
		return write(breachLine{Visitor: person})
	}
	var phone, name string
	var readers []string
	var exported bool
	_, err = pgx.ForEachRow(rows, []any{&phone, &name, &readers, &exported}, func() error {
		if person == nil || person.Phone != phone {
			if err := end(); err != nil {
				return err
			}
			person = &breachVisitor{Name: name, Phone: phone, Readers: []string{}}
		}
		person.Visits++
		person.Readers = append(person.Readers, readers...)
		person.Exported = person.Exported || exported
		return nil
	})
	if err != nil {
		return err
	}
	return end()
}
