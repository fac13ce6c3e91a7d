package feed

import "time"

// hintEvery is the interval of reads for messages whose content is not used. Each read finds what came since the last:
// a busy source is not read once for each of its events.
const hintEvery = 100 * time.Millisecond

// pacer delays reads for hints to one in hintEvery. The first one after a quiet time is not delayed.
type pacer struct {
	last  time.Time
	later <-chan time.Time // nil: no read is due
}

// now reports whether a hint is read at once. Otherwise it is read when later fires.
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
