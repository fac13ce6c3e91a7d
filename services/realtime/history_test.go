package realtime

import (
	"testing"
	"time"
)

// changesFrom returns changes with all sequence numbers in a range, one per second.
func changesFrom(from, to int64) (changes []change) {
	for seq := from; seq <= to; seq++ {
		changes = append(changes, change{seq: seq, at: time.Unix(seq, 0)})
	}
	return changes
}

func historyOf(from, to int64) *history {
	h := &history{after: from - 1}
	for _, c := range changesFrom(from, to) {
		h.add(c)
	}
	return h
}

// checkSince fails unless since(seq) returns exactly the changes from seq+1 to last.
func (h *history) checkSince(t *testing.T, seq, last int64) {
	t.Helper()
	changes, ok := h.since(seq)
	if !ok || int64(len(changes)) != last-seq {
		t.Fatalf("since %d it has %d changes (%v), want %d", seq, len(changes), ok, last-seq)
	}
	for i, c := range changes {
		if c.seq != seq+int64(i)+1 {
			t.Fatalf("since %d it has %d at place %d", seq, c.seq, i)
		}
	}
}

func TestHistoryKeepsFiveThousandChanges(t *testing.T) {
	h := historyOf(1, replayEvents+3*trimSlack)
	h.checkSince(t, 3*trimSlack, replayEvents+3*trimSlack)
	if len(h.changes) > replayEvents+trimSlack {
		t.Errorf("it has %d changes", len(h.changes))
	}
	if _, ok := h.since(1); ok {
		t.Error("it has the first change")
	}
	if _, ok := h.since(replayEvents + 3*trimSlack + 1); ok {
		t.Error("it has a change after the last")
	}
}

func TestHistoryIsExtendedWithoutGaps(t *testing.T) {
	h := historyOf(10, 12)
	h.extend(changesFrom(1, 8)) // 9 is missing
	if h.after != 9 {
		t.Errorf("it was extended over a gap and begins after %d", h.after)
	}
	h.extend(changesFrom(4, 11)) // overlaps
	h.checkSince(t, 3, 12)
	h.extend(changesFrom(5, 6)) // already stored
	h.checkSince(t, 3, 12)
}

func TestHistoryDropsChangesOlderThanADay(t *testing.T) {
	h := historyOf(1, 100)
	before, _ := h.since(0)
	h.expire(time.Unix(40, 0).Add(replayAge))
	h.checkSince(t, 39, 100)
	if _, ok := h.since(38); ok {
		t.Error("it has an older change")
	}
	if len(before) != 100 || before[0].seq != 1 {
		t.Error("an earlier result was modified")
	}
}
