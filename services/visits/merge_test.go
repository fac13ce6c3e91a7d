//go:build !nightly

package visits_test

// rounds is the number of rounds of each race test that runs before a merge. With the build tag nightly there are more.
const rounds = 20
