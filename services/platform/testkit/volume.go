package testkit

import "testing"

// Volume returns the number of records or steps for a test: short if go test runs with -short, as the checks before a
// merge do, else full, as in nightly runs.
func Volume(full, short int) int {
	if testing.Short() {
		return short
	}
	return full
}
