package chaos

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"sync"
	"time"

	"baari.dev/tools/proof/checker"
)

// history records the requests and answers of the robots: in memory for the checker, as JSON lines on disk for people.
type history struct {
	began time.Time // start of the run's clock

	mu      sync.Mutex
	ops     []checker.Op
	file    *os.File
	lines   *bufio.Writer
	next    int
	strange []string // answers that do not match api.yaml, or have data that the user may not see
	pairs   map[checker.Pair]string
	names   requestNames
	ceased  []string // rights that lasted too long or ended too soon
}

func openHistory(path string) (*history, error) {
	file, err := os.Create(path)
	if err != nil {
		return nil, fmt.Errorf("the history: %w", err)
	}
	return &history{began: time.Now(), file: file, lines: bufio.NewWriter(file)}, nil
}

// now returns the monotonic time since the start of the run, in nanoseconds.
func (h *history) now() int64 { return int64(time.Since(h.began)) }

// requestID returns the robots' own name for the next request.
func (h *history) requestID() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.next++
	return fmt.Sprintf(checker.RequestPrefix+"%d-%d", h.began.UnixMilli(), h.next)
}

// sent records that a robot sends the request of this name.
func (h *history) sent(name string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.names.sent(name)
}

// replied records the gateway's id for a robot's request. name is the robots' own name of the request.
func (h *history) replied(name, id string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.names.answered(name, id)
}

// nameOf returns the robots' name of the request that wrote a record; see requestNames.of.
func (h *history) nameOf(id, traceparent string) string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.names.of(id, traceparent)
}

func (h *history) add(op checker.Op) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.ops = append(h.ops, op)
	if text, err := json.Marshal(op); err == nil { // cannot fail: strings and numbers
		// The checker uses the operations in memory; close returns the error of a full disk.
		_, _ = h.lines.Write(append(text, '\n'))
	}
}

func (h *history) addStrange(format string, values ...any) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.strange = append(h.strange, fmt.Sprintf(format, values...))
}

// addPair records a status and a stage that an answer had together for a visit.
func (h *history) addPair(pair checker.Pair, visit string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.pairs == nil {
		h.pairs = map[checker.Pair]string{}
	}
	h.pairs[pair] = visit
}

func (h *history) addCeased(format string, values ...any) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.ceased = append(h.ceased, fmt.Sprintf(format, values...))
}

// evidence returns the history. In the windows of a restore, reads are omitted and the outcomes of changes are unknown.
func (h *history) evidence(undone []checker.Window) *checker.Evidence {
	h.mu.Lock()
	defer h.mu.Unlock()
	var ops []checker.Op
	for _, op := range h.ops {
		owner := cmp.Or(op.Record.Source, "visits")
		taken := func(w checker.Window) bool {
			return (w.Source == "" || w.Source == owner) && op.Return > w.Start && op.Call < w.End
		}
		if slices.ContainsFunc(undone, taken) {
			if op.Kind == checker.Read {
				continue
			}
			op.Outcome, op.Seen, op.Code = checker.Unknown, nil, ""
		}
		ops = append(ops, op)
	}
	return &checker.Evidence{
		Ops: ops, Strange: slices.Clone(h.strange), Ceased: slices.Clone(h.ceased), Pairs: maps.Clone(h.pairs),
	}
}

// answered returns the number of requests with a definite outcome, without reads.
func (h *history) answered() int {
	return h.count(func(op checker.Op) bool { return op.Kind != checker.Read && op.Outcome != checker.Unknown })
}

// lost returns the number of changes of a kind that were answered with the code unknown_outcome.
func (h *history) lost(kind string) int {
	return h.count(func(op checker.Op) bool {
		return op.Kind == kind && op.Outcome == checker.Unknown && op.Code == "unknown_outcome"
	})
}

func (h *history) count(matches func(checker.Op) bool) int {
	h.mu.Lock()
	defer h.mu.Unlock()
	count := 0
	for _, op := range h.ops {
		if matches(op) {
			count++
		}
	}
	return count
}

func (h *history) close() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if err := h.lines.Flush(); err != nil {
		return fmt.Errorf("write the history: %w", err)
	}
	return h.file.Close()
}
