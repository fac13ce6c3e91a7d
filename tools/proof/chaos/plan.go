package chaos

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"time"
)

// strike is one planned fault: its kind, its duration, and the pause before it.
type strike struct {
	fault   fault
	wait    time.Duration
	lasting time.Duration
}

// length returns the shortest time that a strike takes, with the pause before it.
func (s strike) length() time.Duration { return s.wait + s.lasting }

// kinds returns the kinds of faults that a run may inject. It returns an error if Only has another kind.
func (o Options) kinds() ([]fault, error) {
	possible := slices.DeleteFunc(slices.Clone(faults), func(f fault) bool { return f.nightly && o.Smoke })
	if len(o.Only) == 0 {
		return possible, nil
	}
	for _, id := range o.Only {
		if !slices.ContainsFunc(possible, func(f fault) bool { return f.id == id }) {
			return nil, fmt.Errorf("there is no fault %s in this kind of run", id)
		}
	}
	return slices.DeleteFunc(possible, func(f fault) bool { return !slices.Contains(o.Only, f.id) }), nil
}

// planOf fills a duration with faults: every kind once, in an order derived from the seed, then every kind again.
// The same seed gives the same plan.
func planOf(kinds []fault, seed uint64, lasting time.Duration, smoke bool) []strike {
	random := rand.New(rand.NewPCG(seed, 0))
	var plan []strike
	for used := time.Duration(0); ; {
		for _, i := range random.Perm(len(kinds)) {
			chosen := kinds[i]
			s := strike{
				fault:   chosen,
				wait:    between(random, time.Second, 4*time.Second),
				lasting: between(random, time.Second, 10*time.Second),
			}
			switch {
			case chosen.duration > 0:
				s.lasting = chosen.duration
			case smoke:
				s.lasting = between(random, time.Second, 4*time.Second)
			}
			if used += s.length(); used > lasting {
				return plan
			}
			plan = append(plan, s)
		}
	}
}

func between(random *rand.Rand, least, most time.Duration) time.Duration {
	return least + time.Duration(random.Int64N(int64(most-least)))
}
