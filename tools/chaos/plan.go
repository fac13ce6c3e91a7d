package chaos

import (
	"math/rand/v2"
	"time"
)

// strike is one planned fault: what, how long, and how long to wait before it.
type strike struct {
	fault   fault
	wait    time.Duration
	lasting time.Duration
}

// length is what a strike takes at least.
func (s strike) length() time.Duration { return s.wait + s.lasting }

// planOf fills a time with faults: every kind once, in an order of the seed, then every kind again. The same seed gives the same plan.
func planOf(seed uint64, lasting time.Duration, smoke bool) []strike {
	random := rand.New(rand.NewPCG(seed, 0))
	var plan []strike
	for used := time.Duration(0); ; {
		for _, i := range random.Perm(len(faults)) {
			chosen := faults[i]
			if chosen.long && smoke {
				continue
			}
			s := strike{fault: chosen, wait: between(random, time.Second, 4*time.Second), lasting: between(random, time.Second, 10*time.Second)}
			switch {
			case chosen.long:
				s.lasting = outage
			case chosen.id == "N15":
				s.lasting = transaction
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
