//go:build !nightly

package system

// badRequests is the number of invalid requests on every merge; the tag nightly sends more.
const badRequests = 1_000
