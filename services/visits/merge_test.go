//go:build !nightly

package visits_test

// rounds is the number of rounds of each race test in a run for a merge; the tag nightly has more.
const rounds = 20
