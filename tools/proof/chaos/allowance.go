package chaos

// allowance is the factor on the p99 of requests (I16) in a smoke run, which shares the machine with other tests.
// Longer runs have no factor, and rights (I12) never have one: their limits are promises of the product.
const allowance = 10

func (r *run) slowness() float64 {
	if r.options.Smoke {
		return allowance
	}
	return 1
}
