package realtime

import (
	"testing"
	"time"
)

func kept(from, to int64) (changes []change) {
	for seq := from; seq <= to; seq++ {
		changes = append(changes, change{seq: seq, at: time.Unix(seq, 0)})
	}
	return changes
}

func historyOf(from, to int64) *history {
	h := &history{after: from - 1}
	for _, c := range kept(from, to) {
		h.add(c)
	}
	return h
}

// reaches fails unless the history tells exactly what follows seq, up to last.
func (h *history) reaches(t *testing.T, seq, last int64) {
	t.Helper()
	changes, ok := h.since(seq)
	if !ok || int64(len(changes)) != last-seq {
		t.Fatalf("since %d it tells %d changes (%v), want %d", seq, len(changes), ok, last-seq)
	}
	for i, c := range changes {
		if c.seq != seq+int64(i)+1 {
			t.Fatalf("since %d it tells %d at place %d", seq, c.seq, i)
		}
	}
}

func TestAHistoryKeepsTheLastFiveThousand(t *testing.T) {
	h := historyOf(1, replayEvents+3*trimSlack)
	h.reaches(t, 3*trimSlack, replayEvents+3*trimSlack)
	if len(h.changes) > replayEvents+trimSlack {
		t.Errorf("it keeps %d changes", len(h.changes))
	}
	if _, ok := h.since(1); ok {
		t.Error("it claims to reach back to the first")
	}
	if _, ok := h.since(replayEvents + 3*trimSlack + 1); ok {
		t.Error("it claims to know the future")
	}
}

func TestAHistoryIsExtendedOnlyWithoutAHole(t *testing.T) {
	h := historyOf(10, 12)
	h.extend(kept(1, 8)) // 9 is missing
	if h.after != 9 {
		t.Errorf("a hole was bridged: it begins after %d", h.after)
	}
	h.extend(kept(4, 11)) // overlaps
	h.reaches(t, 3, 12)
	h.extend(kept(5, 6)) // known already
	h.reaches(t, 3, 12)
}

func TestAHistoryForgetsWhatIsOlderThanADay(t *testing.T) {
	h := historyOf(1, 100)
	taken, _ := h.since(0)
	h.expire(time.Unix(40, 0).Add(replayAge))
	h.reaches(t, 39, 100)
	if _, ok := h.since(38); ok {
		t.Error("it still tells what is older")
	}
	if len(taken) != 100 || taken[0].seq != 1 {
		t.Error("what was taken before was changed")
	}
}
