package foresight

import (
	"cmp"
	"math"
	"slices"
	"sort"
)

// quantiles is the number of equally probable values that represent a law.
const quantiles = 256

// law is a distribution of minutes: values[i] is the quantile of (i + 0.5)/256. A random index draws a value.
type law struct {
	values [quantiles]float64
	tail   float64 // mean of the remaining time after the last value, where it is exponentially distributed
}

func (l *law) draw(r *random) float64 { return l.values[r.below(quantiles)] }

// rest draws the time that remains after elapsed minutes. After the last value, this time is exponentially distributed.
func (l *law) rest(elapsed float64, r *random) float64 {
	above := l.above(elapsed)
	if above == quantiles {
		return r.exponential(l.tail)
	}
	return l.values[above+r.below(quantiles-above)] - elapsed
}

// above returns the index of the first value greater than elapsed, or quantiles if there is none.
func (l *law) above(elapsed float64) int {
	return sort.Search(quantiles, func(i int) bool { return l.values[i] > elapsed })
}

func (l *law) mean() float64 {
	sum := 0.0
	for _, v := range l.values {
		sum += v
	}
	return sum / quantiles
}

// lognormal returns the law of exp(mu + sigma z), limited to the range from least to most. shape has z's quantiles.
func lognormal(mu, sigma float64, shape *[quantiles]float64, least, most, tail float64) *law {
	l := &law{tail: tail}
	for i, z := range shape {
		l.values[i] = min(max(math.Exp(mu+sigma*z), least), most)
	}
	return l
}

// normalShape has the quantiles of the standard normal distribution.
var normalShape = func() (shape [quantiles]float64) {
	for i := range shape {
		shape[i] = math.Sqrt2 * math.Erfinv(2*(float64(i)+0.5)/quantiles-1)
	}
	return shape
}()

type weighted struct{ value, weight float64 }

// empirical returns the quantiles of weighted values. It sorts the argument in place.
func empirical(all []weighted) (shape [quantiles]float64) {
	slices.SortFunc(all, func(a, b weighted) int { return cmp.Compare(a.value, b.value) })
	total := 0.0
	for _, w := range all {
		total += w.weight
	}
	i, sum := 0, 0.0
	for _, w := range all {
		for sum += w.weight; i < quantiles && sum >= total*(float64(i)+0.5)/quantiles; i++ {
			shape[i] = w.value
		}
	}
	for ; i < quantiles; i++ {
		shape[i] = all[len(all)-1].value
	}
	return shape
}
