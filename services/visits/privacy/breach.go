package privacy

import (
	"cmp"
	"context"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgtype"

	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/postgres"
	"baari.dev/services/platform/privacy"
	"baari.dev/services/platform/wire"
)

// The report after a breach of personal data: which users have received which visitors' data.

// breachRequest selects the office days From to To, inclusive. Exported has the days covered by the exports that were
// made in that period, according to the audit trail. Phone, if not "", restricts the report to one visitor.
type breachRequest struct {
	privacy.Period
	privacy.Asked
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

// breachReader summarizes one user's accesses of one kind. Call is a call in the access log, or one of registered,
// sent, decided and attended.
type breachReader struct {
	UserID string    `json:"userId"`
	Call   string    `json:"call"`
	Visits int       `json:"visits"`
	First  wire.Time `json:"first"`
	Last   wire.Time `json:"last"`
}

// breachVisitor is a visitor whose data was disclosed. All erased visitors are one line with the name visit.Erased and
// without phone.
type breachVisitor struct {
	Name     string   `json:"name"`
	Phone    string   `json:"phone"`
	Visits   int      `json:"visits"`
	Readers  []string `json:"readers"`
	Exported bool     `json:"exported"`
}

func readBreach(r *http.Request) (breachRequest, error) {
	req, err := privacy.ReadPeriod[breachRequest](r)
	if err == nil && req.Phone != "" && !wire.IsPhone(req.Phone) {
		err = fault.Field("phone", wire.PhoneWrong)
	}
	return req, err
}

// reportBreach streams one line of JSON for each reader, then one for each visitor.
func (p *Privacy) reportBreach(w http.ResponseWriter, r *http.Request) error {
	req, err := readBreach(r)
	if err != nil {
		return err
	}
	ctx := r.Context()
	if err := p.store.logBreachReport(ctx, req.Asked); err != nil {
		return postgres.Classify(err)
	}
	lines := privacy.NewLines(w)
	err = p.store.breachReport(ctx, req, func(rows breachRows) error {
		found := newDisclosures()
		if err := found.read(ctx, rows); err != nil {
			return err
		}
		for _, reader := range found.inOrder() {
			if err := lines.Write(breachLine{Reader: reader}); err != nil {
				return err
			}
		}
		return found.eachVisitor(ctx, rows, func(v *breachVisitor) error { return lines.Write(breachLine{Visitor: v}) })
	})
	return postgres.Classify(lines.Close(err))
}

// disclosures are the users who have read or handled each visit in the period of a report. The access log is aggregated
// here row by row, because PostgreSQL would sort its millions of ids as text.
type disclosures struct {
	byVisit  map[visitID]disclosure
	sets     *privacy.UserSets
	handlers map[int64][]string // users who have handled a visit, by the key of its handledGroup
	readers  map[readerCall]*breachReader
}

// disclosure has a visit's readers. counted is the number of the last pair of user and call that has counted the visit.
type disclosure struct {
	set     privacy.UserSet
	counted int32
}

type readerCall struct{ user, call string }

func newDisclosures() *disclosures {
	return &disclosures{
		byVisit:  map[visitID]disclosure{},
		sets:     privacy.NewUserSets(),
		handlers: map[int64][]string{},
		readers:  map[readerCall]*breachReader{},
	}
}

func (d *disclosures) read(ctx context.Context, rows breachRows) error {
	only, err := rows.ofPhone(ctx)
	if err != nil {
		return err
	}
	var before readerCall
	number := int32(0) // numbers the pairs of user and call, from 1
	err = rows.log(ctx, func(by readerCall, at time.Time, ids []pgtype.UUID) {
		if by != before || number == 0 {
			before = by
			number++
		}
		d.addEntry(by, number, at, ids, only)
	})
	if err != nil {
		return err
	}
	return rows.handled(ctx, d.addGroup)
}

// addEntry adds an entry of the access log. number identifies the pair of user and call; each pair counts a visit once.
func (d *disclosures) addEntry(by readerCall, number int32, at time.Time, ids []pgtype.UUID, only map[visitID]bool) {
	fresh, matched := 0, false
	for _, id := range ids {
		if only != nil && !only[id.Bytes] {
			continue
		}
		matched = true
		known := d.byVisit[id.Bytes]
		if known.counted == number {
			continue
		}
		fresh++
		d.byVisit[id.Bytes] = disclosure{set: d.sets.With(known.set, by.user), counted: number}
	}
	if matched {
		d.count(by, fresh, at, at)
	}
}

func (d *disclosures) addGroup(g handledGroup) {
	var users []string
	for _, part := range []struct {
		user  *string
		call  string
		times timeRange
		count bool // false if the user already counts as attending: the assigned consultant, or the user who started
	}{
		{g.registered, "registered", g.created, true},
		{g.sent, "sent", g.created, true},
		{g.decided, "decided", g.decision, true},
		{g.assigned, "attended", g.decision, true},
		{g.started, "attended", g.start, g.startedInstead},
		{g.completed, "attended", g.completion, g.completedInstead},
	} {
		if part.user == nil {
			continue
		}
		users = append(users, *part.user)
		if part.count {
			d.count(readerCall{*part.user, part.call}, g.visits, *part.times.first, *part.times.last)
		}
	}
	d.handlers[g.key] = users
}

// count adds a number of visits, and the times of the first and the last one, to the summary of a user and call.
func (d *disclosures) count(by readerCall, visits int, first, last time.Time) {
	reader := d.readers[by]
	if reader == nil {
		reader = &breachReader{UserID: by.user, Call: by.call, First: wire.Time(first), Last: wire.Time(last)}
		d.readers[by] = reader
	}
	reader.Visits += visits
	if first.Before(time.Time(reader.First)) {
		reader.First = wire.Time(first)
	}
	if last.After(time.Time(reader.Last)) {
		reader.Last = wire.Time(last)
	}
}

func (d *disclosures) inOrder() []*breachReader {
	return slices.SortedFunc(maps.Values(d.readers), func(a, b *breachReader) int {
		return cmp.Or(strings.Compare(a.UserID, b.UserID), strings.Compare(a.Call, b.Call))
	})
}

// manyRead is a limit: if more visits are in the access log, all visits are read and then filtered.
const manyRead = 20_000

// eachVisitor calls write with each visitor whose data was disclosed, ordered by phone.
func (d *disclosures) eachVisitor(ctx context.Context, rows breachRows, write func(*breachVisitor) error) error {
	var person *breachVisitor
	end := func() error {
		if person == nil {
			return nil
		}
		slices.Sort(person.Readers)
		person.Readers = slices.Compact(person.Readers)
		return write(person)
	}
	all, read := len(d.byVisit) > manyRead, []visitID{}
	if !all {
		read = slices.Collect(maps.Keys(d.byVisit))
	}
	err := rows.affected(ctx, all, read, func(v affectedVisit) error {
		readers, handlers := d.sets.Members(d.byVisit[v.id.Bytes].set), d.handlers[v.handledKey]
		if !v.exported && len(readers) == 0 && len(handlers) == 0 {
			return nil
		}
		if person == nil || person.Phone != v.phone {
			if err := end(); err != nil {
				return err
			}
			person = &breachVisitor{Name: v.name, Phone: v.phone, Readers: []string{}}
		}
		person.Visits++
		person.Readers = append(append(person.Readers, readers...), handlers...)
		person.Exported = person.Exported || v.exported
		return nil
	})
	if err != nil {
		return err
	}
	return end()
}
