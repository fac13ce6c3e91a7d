package foresight_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"pgregory.net/rapid"

	"baari.dev/services/visits/foresight"
)

// promise returns the Score of a promise that is made at the given time and whose visitor is called actual minutes
// later. It also reports whether the visitor is called within the range.
func promise(r *foresight.Record, at time.Time, e foresight.Estimate, actual float64) (foresight.Score, bool) {
	shown := r.Range(at, e)
	called := at.Add(minutes(actual))
	return foresight.Score{
		Kind: e.Kind, ServiceID: e.ServiceID, MadeAt: at, Q10: e.Q10, Q50: e.Q50, Q90: e.Q90, From: shown.From,
		To: shown.To, ActualMinutes: actual,
	}, !called.Before(shown.From) && !called.After(shown.To)
}

func joining(q10, q50, q90 float64) foresight.Estimate {
	return foresight.Estimate{Kind: foresight.Join, ServiceID: "s0", Q10: q10, Q50: q50, Q90: q90}
}

func TestARangeIsWholeFiveMinutesAndNeverASingleTime(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := foresight.NewRecord()
		at := ten.Add(time.Duration(rapid.IntRange(0, 86_400_000).Draw(t, "ms")) * time.Millisecond)
		low := rapid.Float64Range(0, 200).Draw(t, "q10")
		e := joining(low, low, low+rapid.Float64Range(0, 200).Draw(t, "spread"))
		for range rapid.IntRange(0, 200).Draw(t, "promises") {
			score, _ := promise(r, at, e, rapid.Float64Range(0, 300).Draw(t, "actual"))
			r.Resolve(score)
		}
		shown := r.Range(at, e)
		switch {
		case shown.From != shown.From.Truncate(5*time.Minute) || shown.To != shown.To.Truncate(5*time.Minute):
			t.Errorf("%v to %v", shown.From, shown.To)
		case shown.To.Sub(shown.From) < 10*time.Minute:
			t.Errorf("%v wide", shown.To.Sub(shown.From))
		case shown.From.Before(at.Truncate(5 * time.Minute)):
			t.Errorf("from %v, made at %v", shown.From, at)
		}
	})
}

func TestTheFirstRangesSayThatThereIsLittleHistory(t *testing.T) {
	r := foresight.NewRecord()
	for n := range 40 {
		if shown := r.Range(ten, joining(5, 10, 20)); shown.Early != (n < 30) || shown.Level != 0.2 && n == 0 {
			t.Errorf("after %d promises: %+v", n, shown)
		}
		score, _ := promise(r, ten, joining(5, 10, 20), 12)
		r.Resolve(score)
	}
}

// Proposition 4.1 of Gibbs and Candès holds for every sequence while the level is within its limits. The sequences of
// this test are difficult for the method: sudden, periodic and gradual changes.
func TestTheShareOutsideIsTwentyPercentOnAdversarialSequences(t *testing.T) {
	const promises = 3000
	for name, wait := range map[string]func(n int, random *rand.Rand) float64{
		"as simulated":    func(_ int, random *rand.Rand) float64 { return 10 + 40*random.Float64() },
		"twice as long":   func(_ int, random *rand.Rand) float64 { return 20 + 80*random.Float64() },
		"sudden change":   func(n int, random *rand.Rand) float64 { return (10 + 40*random.Float64()) * float64(1+n/1500) },
		"every 50th":      func(n int, random *rand.Rand) float64 { return 10 + 40*random.Float64() + 60*float64(n/50%2) },
		"drifting":        func(n int, random *rand.Rand) float64 { return 10 + 40*random.Float64() + float64(n)/60 },
		"always the same": func(n int, _ *rand.Rand) float64 { return 15 + 30*float64(n%5)/4 },
	} {
		random, r, outside := rand.New(rand.NewPCG(7, 7)), foresight.NewRecord(), 0
		lowest, highest := 1.0, 0.0
		for n := range promises {
			at := ten.Add(time.Duration(n) * 7 * time.Minute)
			e := joining(14, 30, 46)
			level := r.Range(at, e).Level
			lowest, highest = min(lowest, level), max(highest, level)
			score, kept := promise(r, at, e, wait(n, random))
			if r.Resolve(score); !kept {
				outside++
			}
		}
		share := float64(outside) / promises
		if bound := (0.5 + 0.02) / (0.02 * promises); math.Abs(share-0.2) > bound+0.03 {
			t.Errorf("%s: %.3f are outside, the level was %.2f to %.2f", name, share, lowest, highest)
		}
	}
}

func TestAServiceWithHundredPromisesHasItsOwnRange(t *testing.T) {
	r := foresight.NewRecord()
	random := rand.New(rand.NewPCG(1, 1))
	wild, calm := joining(10, 20, 30), joining(10, 20, 30)
	wild.ServiceID = "wild"
	width := func(e foresight.Estimate) time.Duration {
		shown := r.Range(ten, e)
		return shown.To.Sub(shown.From)
	}
	for n := range 300 {
		if n == 90 && width(wild) != width(calm) {
			t.Errorf("after %d promises %v and %v wide", n, width(wild), width(calm))
		}
		score, _ := promise(r, ten, calm, 15+10*random.Float64())
		r.Resolve(score)
		score, _ = promise(r, ten, wild, 90*random.Float64())
		r.Resolve(score)
	}
	if width(wild) < width(calm)+20*time.Minute {
		t.Errorf("%v and %v wide", width(wild), width(calm))
	}
}

func TestVisitorsWhoAreCalledAtOnceDoNotNarrowTheRangesOfOthers(t *testing.T) {
	alone, mixed := foresight.NewRecord(), foresight.NewRecord()
	random := rand.New(rand.NewPCG(2, 1))
	for range 400 {
		score, _ := promise(alone, ten, joining(10, 20, 30), 50*random.Float64())
		alone.Resolve(score)
		mixed.Resolve(score)
		score, _ = promise(mixed, ten, joining(0, 0, 0.5), 0)
		mixed.Resolve(score)
	}
	one, other := alone.Range(ten, joining(10, 20, 30)), mixed.Range(ten, joining(10, 20, 30))
	if fmt.Sprint(one) != fmt.Sprint(other) {
		t.Errorf("%v, beside visitors who are called at once %v", one, other)
	}
}
