package privacy

import (
	"context"
	"math/big"
	"sync"

	"baari.dev/services/platform/postgres"
	"baari.dev/services/visits/row"
	"baari.dev/services/visits/visit"
)

// AccessLog records disclosures: a user received the unmasked phone of a visit that the user does not handle
// (docs/privacy.md). Of a visit it stores the id only. An entry lists the visits of one response. Each replica records
// a visit once per reader, call and office day, because dashboards refetch the same list at every change.
type AccessLog struct {
	db *row.DB

	mu       sync.Mutex
	day      string               // office day of the entries in recorded, YYYY-MM-DD
	recorded map[reading]*big.Int // bit set; tokenBit returns the bit of a visit
}

// NewAccessLog returns the access log of a database.
func NewAccessLog(db *row.DB) *AccessLog { return &AccessLog{db: db} }

// reading identifies a user's use of one call for the visits of one day.
type reading struct{ user, call, day string }

// Note records the disclosures of a list that are not in the log yet. If it returns an error, the caller must not
// respond, so that no phone is disclosed without a record.
func (a *AccessLog) Note(ctx context.Context, by visit.Actor, call string, list row.Snapshots) error {
	fresh := a.unrecorded(by, call, list)
	if len(fresh) == 0 {
		return nil
	}
	if err := a.db.LogAccess(ctx, a.db.Pool, by, call, idsOf(fresh)); err != nil {
		return postgres.Classify(err)
	}
	a.remember(by, call, list.At.Today, fresh)
	return nil
}

// unrecorded returns the visits of a list whose unmasked phones an actor receives by a call for the first time today,
// without visits that the actor handles.
func (a *AccessLog) unrecorded(by visit.Actor, call string, list row.Snapshots) (fresh []visit.Visit) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, one := range list.Rows {
		v := one.Visit
		whole := v.Phone != "" && v.PhoneFor(by.Role, list.At.Today) == v.Phone
		if !whole || v.HandledBy(by.ID) {
			continue
		}
		known := a.recorded[reading{by.ID, call, v.Day}]
		if a.day != list.At.Today || known == nil || known.Bit(tokenBit(v)) == 0 {
			fresh = append(fresh, v)
		}
	}
	return fresh
}

func (a *AccessLog) remember(by visit.Actor, call, today string, fresh []visit.Visit) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.day != today {
		a.day, a.recorded = today, map[reading]*big.Int{}
	}
	for _, v := range fresh {
		key := reading{by.ID, call, v.Day}
		if a.recorded[key] == nil {
			a.recorded[key] = new(big.Int)
		}
		a.recorded[key].SetBit(a.recorded[key], tokenBit(v), 1)
	}
}

// tokenBit returns the bit of a visit in the set of a day: nine bits for each number, for the series T and A to H.
func tokenBit(v visit.Visit) int {
	series := 0
	if v.Series != visit.SeriesT {
		series = 1 + int(v.Series[0]-'A')
	}
	return v.TokenNo*9 + series
}
