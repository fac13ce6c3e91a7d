//go:build nightly

package realtime

// manyStreams is the number of streams in tests at night (T18).
const manyStreams = 10_000
