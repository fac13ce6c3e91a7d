package testkit

import "testing"

// Volume returns how many records or steps a test has: short in go test's short mode, which the checks of a merge use,
// and full in nightly runs.
func Volume(full, short int) int {
	if testing.Short() {
		return short
	}
	return full
}
