//go:build !nightly

package realtime

// manyStreams are few enough for every merge; the tag nightly has more.
const manyStreams = 1_000
