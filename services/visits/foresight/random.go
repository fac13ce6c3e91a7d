package foresight

import (
	"encoding/binary"
	"hash/fnv"
	"math"
	"math/bits"
	"time"
)

// random is the generator splitmix64 of Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA
// 2014. It is not from the standard library, where a release of Go could change it and thereby the forecasts.
type random uint64

func (r *random) next() uint64 {
	*r += 0x9e3779b97f4a7c15
	z := uint64(*r)
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// below returns a number from 0 to n-1.
func (r *random) below(n int) int {
	high, _ := bits.Mul64(r.next(), uint64(n))
	return int(high)
}

// float returns a number in [0, 1).
func (r *random) float() float64 { return float64(r.next()>>11) / (1 << 53) }

func (r *random) exponential(mean float64) float64 { return -mean * math.Log(1-r.float()) }

// seed returns a hash of a state, so that replicas with the same state simulate the same days.
func seed(s State) random {
	h := fnv.New64a()
	text := func(all ...string) {
		for _, one := range all {
			number(h.Write, int64(len(one)))
			_, _ = h.Write([]byte(one)) // a hash never fails
		}
	}
	times := func(all ...time.Time) {
		for _, t := range all {
			number(h.Write, t.UnixMilli())
		}
	}
	times(s.At)
	for _, p := range s.Line {
		text(p.ID, p.ServiceID, string(p.Class), p.PinnedTo)
		times(p.Registered, p.Joined, p.RankAt, p.Due())
		number(h.Write, int64(p.Token))
		number(h.Write, int64(p.Bypassed))
	}
	for _, d := range s.Desks {
		text(d.ConsultantID, string(d.State))
		times(d.Since, d.Until, d.BackAt)
		if d.Visit != nil {
			text(d.Visit.ServiceID)
			times(d.Visit.Since)
		}
	}
	for _, e := range s.Expected {
		text(e.ServiceID, e.ConsultantID)
		times(e.At)
	}
	return random(h.Sum64())
}

func number(write func([]byte) (int, error), n int64) {
	_, _ = write(binary.BigEndian.AppendUint64(nil, uint64(n))) // a hash never fails
}
