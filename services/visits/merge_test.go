//go:build !nightly

package visits_test

// rounds is the number of rounds of each race test before a merge. With the build tag nightly there are more rounds.
const rounds = 20
