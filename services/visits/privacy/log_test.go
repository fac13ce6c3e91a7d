package privacy

import (
	"testing"

	"baari.dev/services/contract"
	"baari.dev/services/visits/row"
	"baari.dev/services/visits/visit"
)

func TestADisclosureIsRecordedAgainOnTheNextDayAndForEachReaderAndCall(t *testing.T) {
	a := &AccessLog{}
	asha, ravi := visit.Actor{ID: "asha", Role: contract.RoleAdmin}, visit.Actor{ID: "ravi", Role: contract.RoleAdmin}
	v := visit.Visit{ID: "v", Day: "2026-11-20", Series: visit.SeriesT, TokenNo: 1, Phone: "9876543210"}
	fresh := func(by visit.Actor, call, today string) int {
		found := a.unrecorded(by, call, row.Snapshots{Rows: []row.Snapshot{{Visit: v}}, At: row.Point{Today: today}})
		a.remember(by, call, today, found)
		return len(found)
	}
	for i, c := range []struct {
		by          visit.Actor
		call, today string
		want        int
	}{
		{asha, "today", "2026-11-20", 1}, {asha, "today", "2026-11-20", 0}, {ravi, "today", "2026-11-20", 1},
		{asha, "line", "2026-11-20", 1}, {asha, "today", "2026-11-21", 1}, {asha, "today", "2026-11-21", 0},
	} {
		if got := fresh(c.by, c.call, c.today); got != c.want {
			t.Errorf("reading %d is %d disclosures, want %d", i+1, got, c.want)
		}
	}
}
