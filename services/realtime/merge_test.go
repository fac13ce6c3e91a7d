//go:build !nightly

package realtime

// manyStreams is the number of streams in tests before a merge; the tag nightly has more.
const manyStreams = 1_000
