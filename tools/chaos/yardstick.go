package chaos

import (
	"context"
	"crypto/sha256"
	"slices"
	"sync"
	"time"

	"baari.dev/tools/checker"
)

const (
	yardEvery = 50 * time.Millisecond
	yardWork  = 512 << 10 // bytes to hash: one or two milliseconds of a processor that does nothing else
	yardOwn   = 10        // so many times later than the quickest 1 of 100 pieces may be done because of what Baari itself does
	slowest   = 10        // a machine that is slower than that is judged as if it were not
)

// yardstick does the same small piece of work again and again, twenty times a second. How much later than at its quickest it is done tells what
// other work the machine has.
type yardstick struct {
	mu    sync.Mutex
	at    []int64 // on the run's clock
	times []time.Duration
}

func (y *yardstick) run(ctx context.Context, now func() int64) {
	piece := make([]byte, yardWork)
	for ctx.Err() == nil {
		due := time.Now().Add(yardEvery) // whoever waits for a processor is late before the work begins
		sleep(ctx, yardEvery)
		_ = sha256.Sum256(piece)
		y.mu.Lock()
		y.at, y.times = append(y.at, now()), append(y.times, time.Since(due))
		y.mu.Unlock()
	}
}

// slowness is how many times slower the machine was than one without other work, 1 to 10, at those of its moments that count.
func (y *yardstick) slowness(counts func(at int64) bool) float64 {
	y.mu.Lock()
	defer y.mu.Unlock()
	var times []time.Duration
	for i, at := range y.at {
		if counts(at) {
			times = append(times, y.times[i])
		}
	}
	p99, measured := checker.Percentile(times, 99)
	if !measured {
		return 1
	}
	return min(max(1, float64(p99)/float64(slices.Min(y.times))/yardOwn), slowest)
}

// slowness is by how much a smoke run multiplies what is promised in seconds: it is part of the test command, and its machine has other work. The
// longer runs multiply nothing. Between faults counts, where asked for.
func (r *run) slowness(calm bool) float64 {
	if !r.options.Smoke {
		return 1
	}
	return r.yard.slowness(func(at int64) bool { return !calm || !r.troubled(at, at) })
}
