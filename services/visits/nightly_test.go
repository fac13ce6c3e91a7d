//go:build nightly

package visits_test

// rounds of each race are as many as T21 wants of a night.
const rounds = 200
