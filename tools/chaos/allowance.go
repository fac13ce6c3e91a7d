package chaos

// allowance is by how much a smoke run multiplies what is promised in seconds: it is part of the test command, whose machine has other work.
// That every promise is kept in the end it asks all the same. The longer runs multiply nothing.
const allowance = 10

func (r *run) slowness() float64 {
	if r.options.Smoke {
		return allowance
	}
	return 1
}
