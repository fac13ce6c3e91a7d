//go:build nightly

package realtime

// manyStreams is the number of streams in the nightly tests (T18).
const manyStreams = 10_000
