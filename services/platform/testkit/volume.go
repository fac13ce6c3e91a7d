package testkit

import "testing"

// Volume returns the number of records or steps for a test: short in go test's short mode, which the checks of a merge
// use, and full at night.
func Volume(full, short int) int {
	if testing.Short() {
		return short
	}
	return full
}
