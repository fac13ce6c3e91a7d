package directory

import (
	"context"
	"net/http"
	"time"

	"github.com/jackc/pgx/v5"

	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/postgres"
	"baari.dev/services/platform/wire"
)

// breachRequest selects the disclosures on the office days From to To, inclusive (reliability.md P4). A Phone restricts
// them to one visitor.
type breachRequest struct{ From, To, Phone string }

func readBreach(r *http.Request) (req breachRequest, err error) {
	var body struct {
		From  string `json:"from"`
		To    string `json:"to"`
		Phone string `json:"phone"`
	}
	if err := wire.Read(r, &body); err != nil {
		return req, err
	}
	for _, day := range []string{body.From, body.To} {
		if parsed, err := time.Parse(time.DateOnly, day); err != nil || parsed.Format(time.DateOnly) != day {
			return req, fault.Field("from", "Please enter the days as YYYY-MM-DD")
		}
	}
	if body.Phone != "" && !tenDigits.MatchString(body.Phone) {
		return req, fault.Field("phone", phoneWrong)
	}
	return breachRequest(body), nil
}

// breachAnswer lists the readers of requests and the visitors whose requests they read.
type breachAnswer struct {
	Readers  []breachReader   `json:"readers"`
	Affected []breachAffected `json:"affected"`
}

type breachReader struct {
	UserID   string    `json:"userId"`
	Call     string    `json:"call"`
	Requests int       `json:"requests"`
	First    wire.Time `json:"first"`
	Last     wire.Time `json:"last"`
}

// breachAffected is a person whose requests were read. Erased ones are together, without name, phone and e-mail.
type breachAffected struct {
	Name     string   `json:"name"`
	Phone    string   `json:"phone"`
	Email    string   `json:"email"`
	Requests int      `json:"requests"`
	Readers  []string `json:"readers"`
}

const sights = `
WITH sights AS (
  SELECT a.id, a.name, coalesce(a.phone, '') AS phone, a.email, l.user_id, l.call, l.at
  FROM access_log l CROSS JOIN LATERAL unnest(l.appointment_ids) u(id) JOIN appointments a ON a.id = u.id
  WHERE l.at >= @from::date::timestamp AT TIME ZONE @zone AND l.at < (@to::date + 1)::timestamp AT TIME ZONE @zone
    AND (@phone = '' OR a.phone = @phone)
)`

const selectReaders = sights + `
SELECT user_id, call, count(DISTINCT id), min(at), max(at) FROM sights GROUP BY user_id, call ORDER BY user_id, call`

const selectAffected = sights + `
SELECT max(name), phone, max(email), count(DISTINCT id), array_agg(DISTINCT user_id) FROM sights GROUP BY phone ORDER BY phone`

func (d *Directory) reportBreach(ctx context.Context, req breachRequest) (breachAnswer, error) {
	answer := breachAnswer{Readers: []breachReader{}, Affected: []breachAffected{}}
	args := postgres.Args{"from": req.From, "to": req.To, "phone": req.Phone, "zone": d.zone}
	rows, err := d.pool.Query(ctx, selectReaders, args)
	if err != nil {
		return answer, postgres.Classify(err)
	}
	var reader breachReader
	_, err = pgx.ForEachRow(rows, []any{&reader.UserID, &reader.Call, &reader.Requests, (*time.Time)(&reader.First), (*time.Time)(&reader.Last)}, func() error {
		answer.Readers = append(answer.Readers, reader)
		return nil
	})
	if err != nil {
		return answer, postgres.Classify(err)
	}
	if rows, err = d.pool.Query(ctx, selectAffected, args); err != nil {
		return answer, postgres.Classify(err)
	}
	affected, err := pgx.CollectRows(rows, pgx.RowToStructByPos[breachAffected])
	answer.Affected = append(answer.Affected, affected...)
	return answer, postgres.Classify(err)
}
