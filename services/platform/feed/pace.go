package feed

import "time"

// hintEvery is the interval of reads that messages without usable content trigger. One read returns all events since
// the last read, so a busy source is not read once for each event.
const hintEvery = 100 * time.Millisecond

// pacer limits the reads for hints to one per hintEvery. The first hint after a pause is not delayed.
type pacer struct {
	last  time.Time
	later <-chan time.Time // nil: no read is due
}

// now reports whether to read at once. Otherwise the read is due when later fires.
func (p *pacer) now() bool {
	wait := hintEvery - time.Since(p.last)
	if wait <= 0 {
		p.read()
		return true
	}
	if p.later == nil {
		p.later = time.After(wait)
	}
	return false
}

func (p *pacer) read() { p.last, p.later = time.Now(), nil }
