package visits

import (
	"bufio"
	"context"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"baari.dev/services/platform/endpoint"
	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/postgres"
	"baari.dev/services/platform/wire"
)

// breachRoute reports, after a breach of personal data, which users have seen which visitors (reliability.md P4).
func (s *Service) breachRoute() endpoint.Route {
	return endpoint.Route{Method: http.MethodPost, Pattern: "/internal/breach", Access: endpoint.Service(), Handler: endpoint.Stream(s.reportBreach)}
}

// breachRequest selects the office days From to To, inclusive. Exported are the days contained in the exports of that
// period, read from the audit trail. A Phone restricts the report to one visitor.
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

// breachReader summarizes one user's accesses of one kind: a call of the access log, or registered, decided, attended.
type breachReader struct {
	UserID string    `json:"userId"`
	Call   string    `json:"call"`
	Visits int       `json:"visits"`
	First  wire.Time `json:"first"`
	Last   wire.Time `json:"last"`
}

// breachVisitor is a visitor whose data was disclosed. All erased visitors are one line without name and phone.
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

// insertBreach records the report before its first line is sent. It lists no visits: the report may cover all of them.
const insertBreach = `INSERT INTO access_log (user_id, role, call, visit_ids) VALUES ($1, $1, 'breach_report', '{}')`

// A report reads whole tables, so it gets more time and memory than other requests.
const unhurried = `SET LOCAL statement_timeout = '10min'; SET LOCAL work_mem = '96MB'`

// reportBreach streams one line of JSON for each reader, then one for each visitor.
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
		found := newDisclosures(s.breachArgs(req))
		if err := found.read(ctx, tx); err != nil {
			return err
		}
		for _, reader := range found.inOrder() {
			if err := write(breachLine{Reader: reader}); err != nil {
				return err
			}
		}
		return eachAffected(ctx, tx, found, write)
	})
	if err == nil {
		err = out.Flush()
	}
	if err != nil && begun {
		panic(http.ErrAbortHandler) // the client must not take half a report for a complete one
	}
	return postgres.Classify(err)
}

func (s *Service) breachArgs(req breachRequest) postgres.Args {
	starts, ends := make([]string, len(req.Exported)), make([]string, len(req.Exported))
	for i, d := range req.Exported {
		starts[i], ends[i] = d.Start, d.End
	}
	return postgres.Args{"from": req.From, "to": req.To, "zone": s.store.zone, "phone": req.Phone, "starts": starts, "ends": ends}
}

// selectAffected returns a row for each visit that may have been disclosed, ordered by phone so that the visits of one
// visitor can be merged while reading. The key identifies the users who have handled the visit.
const selectAffected = handled + `
SELECT id, coalesce(phone, ''), name, ` + handledKey + `, exported FROM (
  SELECT *, EXISTS (SELECT FROM unnest(@starts::date[], @ends::date[]) AS d(first, last) WHERE office_day BETWEEN d.first AND d.last) AS exported FROM handled
) v
WHERE exported OR coalesce(registered, decided, assigned, started, completed) IS NOT NULL OR @all OR id = ANY (@seen)
ORDER BY phone COLLATE "C"`

// fewSeen is the largest number of ids that selectAffected filters by; above it all rows are read and filtered here.
const fewSeen = 20_000

func eachAffected(ctx context.Context, tx pgx.Tx, found *disclosures, write func(breachLine) error) error {
	found.args["all"], found.args["seen"] = len(found.seen) > fewSeen, [][16]byte{}
	if len(found.seen) <= fewSeen {
		found.args["seen"] = slices.Collect(maps.Keys(found.seen))
	}
	rows, err := tx.Query(ctx, selectAffected, found.args)
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
	var id pgtype.UUID
	var phone, name string
	var key int64
	var exported bool
	_, err = pgx.ForEachRow(rows, []any{&id, &phone, &name, &key, &exported}, func() error {
		looked, handlers := found.sets.of(found.seen[id.Bytes].set), found.handlers[key]
		if !exported && len(looked) == 0 && len(handlers) == 0 {
			return nil
		}
		if person == nil || person.Phone != phone {
			if err := end(); err != nil {
				return err
			}
			person = &breachVisitor{Name: name, Phone: phone, Readers: []string{}}
		}
		person.Visits++
		person.Readers = append(append(person.Readers, looked...), handlers...)
		person.Exported = person.Exported || exported
		return nil
	})
	if err != nil {
		return err
	}
	return end()
}
