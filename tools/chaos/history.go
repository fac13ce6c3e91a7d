package chaos

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"sync"
	"time"

	"baari.dev/tools/checker"
)

// history is what every robot did and was told, in memory for the verdict and as one JSON object a line on disk for people.
type history struct {
	began time.Time // the one clock of a run

	mu      sync.Mutex
	ops     []checker.Op
	file    *os.File
	lines   *bufio.Writer
	next    int
	strange []string // what somebody was shown and should not have been
	ceased  []string // rights that lasted too long or ended too soon
}

func openHistory(path string) (*history, error) {
	file, err := os.Create(path)
	if err != nil {
		return nil, fmt.Errorf("the history: %w", err)
	}
	return &history{began: time.Now(), file: file, lines: bufio.NewWriter(file)}, nil
}

// now is the time on the run's clock, in nanoseconds. It never goes back.
func (h *history) now() int64 { return int64(time.Since(h.began)) }

// requestID names a call before it is made, so that its trace is known even when no answer comes.
func (h *history) requestID() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.next++
	return fmt.Sprintf("chaos-%d-%d", h.began.UnixMilli(), h.next)
}

func (h *history) add(op checker.Op) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.ops = append(h.ops, op)
	if text, err := json.Marshal(op); err == nil { // texts and numbers
		_, _ = h.lines.Write(append(text, '\n')) // the verdict reads the memory; close tells of a full disk
	}
}

func (h *history) tellStrange(format string, values ...any) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.strange = append(h.strange, fmt.Sprintf(format, values...))
}

func (h *history) tellCeased(format string, values ...any) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.ceased = append(h.ceased, fmt.Sprintf(format, values...))
}

// evidence is what the history tells the checker. What was done in a time that a restore took back may have happened or not.
func (h *history) evidence(undone []checker.Window) *checker.Evidence {
	h.mu.Lock()
	defer h.mu.Unlock()
	var ops []checker.Op
	for _, op := range h.ops {
		if slices.ContainsFunc(undone, func(w checker.Window) bool { return op.Return > w.Start && op.Call < w.End }) {
			if op.Kind == checker.Read {
				continue
			}
			op.Outcome, op.Seen, op.Code = checker.Unknown, nil, ""
		}
		ops = append(ops, op)
	}
	return &checker.Evidence{Ops: ops, Strange: slices.Clone(h.strange), Ceased: slices.Clone(h.ceased)}
}

// answered counts the calls that got an answer which promises something.
func (h *history) answered() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	count := 0
	for _, op := range h.ops {
		if op.Kind != checker.Read && op.Outcome != checker.Unknown {
			count++
		}
	}
	return count
}

// lost counts the changes of a kind of which their caller was told that nobody knows whether they happened.
func (h *history) lost(kind string) int {
	h.mu.Lock()
	defer h.mu.Unlock()
	count := 0
	for _, op := range h.ops {
		if op.Kind == kind && op.Outcome == checker.Unknown && op.Code == "unknown_outcome" {
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
