package visits

import (
	"context"
	"math/big"
	"sync"

	"github.com/jackc/pgx/v5/pgxpool"

	"baari.dev/services/platform/postgres"
	"baari.dev/services/visits/visit"
)

// accessLog records disclosures: a user received the unmasked phone of a visit that the user does not handle
// (reliability.md P2). It stores ids only, one entry per reader, call, visit and office day. Dashboards refetch the
// same list at every change; entries that this replica has already written are not written again.
type accessLog struct {
	pool *pgxpool.Pool

	mu   sync.Mutex
	day  string               // the office day of seen, YYYY-MM-DD
	seen map[reading]*big.Int // bit set of the token numbers that are recorded
}

// reading identifies a user's use of one call for the visits of one day.
type reading struct{ user, call, day string }

const insertAccess = `INSERT INTO access_log (user_id, role, call, visit_ids) VALUES ($1, $2, $3, $4)`

// note records the disclosures of a list that are not in the log yet. The caller must not answer when it returns an
// error: no phone is disclosed without a record.
func (a *accessLog) note(ctx context.Context, by visit.Actor, call string, list snapshots) error {
	fresh := a.unrecorded(by, call, list)
	if len(fresh) == 0 {
		return nil
	}
	ids := make([]string, len(fresh))
	for i, v := range fresh {
		ids[i] = v.ID
	}
	if _, err := a.pool.Exec(ctx, insertAccess, by.ID, by.Role, call, ids); err != nil {
		return postgres.Classify(err)
	}
	a.remember(by, call, list.At.Today, fresh)
	return nil
}

// unrecorded returns the visits of a list whose unmasked phones are disclosed to by for the first time today, without
// the visits that by handles.
func (a *accessLog) unrecorded(by visit.Actor, call string, list snapshots) (fresh []visit.Visit) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, v := range list.Visits {
		whole := v.Phone != "" && v.PhoneFor(by.Role, list.At.Today) == v.Phone
		if !whole || v.HandledBy(by.ID) {
			continue
		}
		known := a.seen[reading{by.ID, call, v.Day}]
		if a.day != list.At.Today || known == nil || known.Bit(v.TokenNo) == 0 {
			fresh = append(fresh, v)
		}
	}
	return fresh
}

func (a *accessLog) remember(by visit.Actor, call, today string, recorded []visit.Visit) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.day != today {
		a.day, a.seen = today, map[reading]*big.Int{}
	}
	for _, v := range recorded {
		key := reading{by.ID, call, v.Day}
		if a.seen[key] == nil {
			a.seen[key] = new(big.Int)
		}
		a.seen[key].SetBit(a.seen[key], v.TokenNo, 1)
	}
}
