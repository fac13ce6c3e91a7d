//go:build !nightly

package visits_test

// rounds of each race are few enough for every merge; the tag nightly has more.
const rounds = 20
