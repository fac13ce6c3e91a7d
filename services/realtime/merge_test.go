//go:build !nightly

package realtime

// manyStreams is the number of streams in the tests that run before a merge. With the build tag nightly there are more.
const manyStreams = 1_000
