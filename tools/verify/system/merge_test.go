//go:build !nightly

package system

// badRequests are few enough for every merge; the tag nightly sends more.
const badRequests = 1_000
