//go:build nightly

package visits_test

// rounds is the number of rounds of each race test; T21 requires 200 in a nightly run.
const rounds = 200
