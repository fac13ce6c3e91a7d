package visits

import (
	"context"

	"github.com/jackc/pgx/v5"

	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/postgres"
	"baari.dev/services/visits/visit"
)

// decision is a wish of one request to approve or deny a visit.
type decision struct {
	joining
	by  visit.Actor
	req changeStatus

	result // once it is settled
}

// decide approves or denies a visit together with others that are decided at the same time. It refuses what the rules
// refuse, and answers errAlone for what cannot be judged in a batch.
func (s *Service) decide(ctx context.Context, by visit.Actor, req changeStatus) (result, error) {
	if req.To == visit.Approved && !userID(req.ConsultantID) {
		return result{}, errAlone
	}
	d := &decision{joining: newJoining(ctx), by: by, req: req}
	if err := s.decisions.join(d); err != nil {
		return result{}, err // d may still be worked on
	}
	return d.result, nil
}

// verdict is what became of one decision of a batch.
type verdict struct {
	result
	refused error
}

// decideJoined decides a batch in one transaction. Those who cannot be in it are to be made by themselves, and so are all
// when it fails for a reason that may be one's only. No caller who leaves takes the others along.
func (s *Service) decideJoined(batch []*decision) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(batch[0].ctx), joinedLimit)
	defer cancel()
	var verdicts map[*decision]verdict
	err := s.outbox.InTx(ctx, func(tx pgx.Tx) (err error) {
		verdicts, err = s.decideAll(ctx, tx, batch)
		return err
	})
	for _, d := range batch {
		of, judged := verdicts[d]
		switch {
		case err != nil:
			d.settled <- unmade(err, of.changed)
		case judged:
			d.result = of.result
			d.settled <- of.refused
		default:
			d.settled <- errAlone
		}
	}
}

// decideAll judges each of the batch by itself and makes all changes that are admitted. Left out are those whose visit or
// consultant is unknown here or in somebody else's hands, and whoever is second about a visit.
func (s *Service) decideAll(ctx context.Context, tx pgx.Tx, batch []*decision) (map[*decision]verdict, error) {
	free, names, err := s.hold(ctx, tx, batch)
	if err != nil {
		return nil, err
	}
	verdicts := make(map[*decision]verdict, len(batch))
	var changes []change
	var admitted []*decision
	for _, d := range batch {
		before, isFree := free[d.req.ID]
		c := change{from: before.Visit, to: d.req.To, by: d.by, notes: d.req.Notes}
		if d.req.To == visit.Approved {
			name, known := names[d.req.ConsultantID]
			isFree = isFree && known
			c.consultantID, c.consultantName = &d.req.ConsultantID, &name
		}
		if !isFree {
			continue
		}
		delete(free, d.req.ID)
		outcome, err := before.Visit.Decide(d.by, d.req.wanted())
		if outcome != visit.Apply {
			verdicts[d] = verdict{result{now: before}, err}
			continue
		}
		changes, admitted = append(changes, c), append(admitted, d)
	}
	if len(changes) == 0 {
		return verdicts, nil
	}
	made, err := s.store.applyDecisions(ctx, tx, changes)
	if err != nil {
		return nil, err
	}
	told := make([]outbox.Told, 0, len(changes))
	for i, c := range changes {
		if after, ok := made[c.from.ID]; ok {
			transition, _ := visit.To(c.to)
			told = append(told, outbox.Told{Context: admitted[i].ctx, Change: tell(transition.Event, &c.from, after.Visit)})
			verdicts[admitted[i]] = verdict{result: result{after, true}}
		}
	}
	return verdicts, outbox.AppendAll(ctx, tx, told...)
}

// A visit that somebody else has locked is left out rather than waited for: two batches cannot wait for each other, and
// nobody for one who is slow. A look for each id by itself goes by the key while PostgreSQL does not know yet how large the table is.
const selectFree = `
WITH v AS MATERIALIZED (
  SELECT free.* FROM unnest(@ids::uuid[]) AS asked(id)
  CROSS JOIN LATERAL (SELECT * FROM visits WHERE visits.id = asked.id FOR UPDATE SKIP LOCKED) free
)
SELECT` + columns + `,` + momentColumns + ` FROM v`

// hold keeps the visits of a batch, by id, and the names of the consultants they are to get, from being changed by others
// until the transaction ends: those of them that are known here and that nobody has.
func (s *Service) hold(ctx context.Context, tx pgx.Tx, batch []*decision) (free map[string]seen, names map[string]string, err error) {
	ids := make([]string, len(batch))
	var consultants []string
	for i, d := range batch {
		ids[i] = d.req.ID
		if d.req.To == visit.Approved {
			consultants = append(consultants, d.req.ConsultantID)
		}
	}
	both := &pgx.Batch{}
	both.Queue(selectFree, postgres.Args{"zone": s.store.zone, "ids": ids}).Query(func(rows pgx.Rows) (err error) {
		free, err = byID(rows)
		return err
	})
	if len(consultants) > 0 {
		names = make(map[string]string, len(consultants))
		both.Queue(selectConsultants, consultants).Query(func(rows pgx.Rows) error {
			var id, name string
			_, err := pgx.ForEachRow(rows, []any{&id, &name}, func() error {
				names[id] = name
				return nil
			})
			return err
		})
	}
	err = tx.SendBatch(ctx, both).Close()
	return free, names, err
}

// What updateSession says of guards and time holds here too. That only decisions are made, and only approvals have a consultant,
// also lets PostgreSQL expect few rows: it goes by the key while it does not know yet how large the table is.
const updateDecided = `
WITH v AS (
  UPDATE visits SET
    status = d.becomes, version = visits.version + 1, updated_at = moment.at,
    consultant_id   = coalesce(d.consultant, visits.consultant_id),
    consultant_name = coalesce(d.consultant_name, visits.consultant_name),
    pa_notes = d.notes, decided_at = moment.at, decided_by = d.actor, decided_by_name = d.actor_name
  FROM (SELECT clock_timestamp() AS at) moment,
    unnest(@ids::uuid[], @statuses::text[], @versions::bigint[], @become::text[], @consultants::text[], @consultant_names::text[], @notes::text[],
      @actors::text[], @actor_names::text[]) AS d(id, was, version, becomes, consultant, consultant_name, notes, actor, actor_name)
  WHERE visits.id = d.id AND visits.status = d.was AND visits.version = d.version
    AND d.becomes IN ('approved', 'denied') AND (d.consultant IS NOT NULL) = (d.becomes = 'approved')
  RETURNING visits.*
)
SELECT` + columns + `,` + momentColumns + ` FROM v`

// applyDecisions makes decisions about different visits; the visits it has changed, by id.
func (s *store) applyDecisions(ctx context.Context, tx pgx.Tx, changes []change) (map[string]seen, error) {
	column := func(of func(change) string) []string {
		values := make([]string, len(changes))
		for i, c := range changes {
			values[i] = of(c)
		}
		return values
	}
	versions := make([]int64, len(changes))
	consultants, names := make([]*string, len(changes)), make([]*string, len(changes))
	for i, c := range changes {
		versions[i], consultants[i], names[i] = c.from.Version, c.consultantID, c.consultantName
	}
	rows, err := tx.Query(ctx, updateDecided, postgres.Args{
		"zone": s.zone, "ids": column(func(c change) string { return c.from.ID }), "statuses": column(func(c change) string { return string(c.from.Status) }),
		"versions": versions, "become": column(func(c change) string { return string(c.to) }), "consultants": consultants, "consultant_names": names,
		"notes":  column(func(c change) string { return c.notes }),
		"actors": column(func(c change) string { return c.by.ID }), "actor_names": column(func(c change) string { return c.by.Name }),
	})
	if err != nil {
		return nil, err
	}
	return byID(rows)
}

// byID reads rows of columns and momentColumns.
func byID(rows pgx.Rows) (map[string]seen, error) {
	defer rows.Close()
	all := map[string]seen{}
	for rows.Next() {
		v, at, _, err := scan(rows)
		if err != nil {
			return nil, err
		}
		all[v.ID] = seen{v, at}
	}
	return all, rows.Err()
}
