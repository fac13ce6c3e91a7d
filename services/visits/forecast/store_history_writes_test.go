package forecast

import (
	"testing"
	"time"

	"baari.dev/services/contract"
	"baari.dev/services/platform/wire"
	"baari.dev/services/visits/foresight"
)

// One statement begins the promises of many visits, and one ends them. The changes of each visit keep their order.
func TestPromisesAreWrittenForManyVisitsAndInTheOrderOfEach(t *testing.T) {
	now := time.Date(2026, 11, 2, 10, 0, 0, 0, time.UTC)
	begins := history{owed: foresight.New}
	ends := history{ends: []promiseEnd{{outcome: outcomeDenied, at: now}}}
	type change struct {
		id string
		history
	}
	statements := func(changes []change) (all []string) {
		w := &historyWrites{}
		for _, c := range changes {
			w.add(c.history, contract.Visit{ID: c.id, UpdatedAt: wire.Time(now)})
		}
		w.queue()
		for _, one := range w.batch.QueuedQueries {
			all = append(all, one.SQL)
		}
		return all
	}
	for name, c := range map[string]struct {
		changes []change
		want    []string
	}{
		"three visits": {
			[]change{{"a", begins}, {"b", ends}, {"c", begins}}, []string{owePromises, endPromises},
		},
		"one visit three times": {
			[]change{{"a", begins}, {"a", ends}, {"a", begins}}, []string{owePromises, endPromises, owePromises},
		},
		"two visits in turns, each of which begins and ends": {
			[]change{{"a", begins}, {"a", ends}, {"b", begins}, {"b", ends}}, []string{owePromises, endPromises},
		},
		"nothing": {},
	} {
		got := statements(c.changes)
		if len(got) != len(c.want) {
			t.Errorf("%s: %d statements, not %d", name, len(got), len(c.want))
			continue
		}
		for i := range got {
			if got[i] != c.want[i] {
				t.Errorf("%s: statement %d is %s", name, i+1, got[i])
			}
		}
	}
}
