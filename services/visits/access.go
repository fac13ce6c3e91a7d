package visits

import (
	"context"
	"math/big"
	"sync"

	"github.com/jackc/pgx/v5/pgxpool"

	"baari.dev/services/platform/postgres"
	"baari.dev/services/visits/visit"
)

// accessLog records who saw whose whole phone without handling the visit (reliability.md P2): ids only, once for each
// reader, call and visit in a day of the office. Dashboards read the same list again at every change; what this
// replica has recorded it does not record again.
type accessLog struct {
	pool *pgxpool.Pool

	mu   sync.Mutex
	day  string               // the office's, of what is known
	seen map[reading]*big.Int // numbers of the visits whose reading is recorded
}

// reading is one person's use of one call, among the visits of a day.
type reading struct{ user, call, day string }

const insertAccess = `INSERT INTO access_log (user_id, role, call, visit_ids) VALUES ($1, $2, $3, $4)`

// note records what of a list is new to the log. No answer leaves without its record: an error withholds it.
func (a *accessLog) note(ctx context.Context, by visit.Actor, call string, list seenAll) error {
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

// unrecorded are the visits of a list whose phones by sees whole, does not handle, and was not recorded to have seen.
func (a *accessLog) unrecorded(by visit.Actor, call string, list seenAll) (fresh []visit.Visit) {
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
