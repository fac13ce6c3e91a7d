//go:build nightly

package realtime

// manyStreams are as many as T18 wants of a night.
const manyStreams = 10_000
