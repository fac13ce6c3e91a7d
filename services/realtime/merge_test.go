//go:build !nightly

package realtime

// manyStreams is the number of streams in tests of a merge; with the tag nightly there are more.
const manyStreams = 1_000
