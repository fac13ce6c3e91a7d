//go:build nightly

package system

// badRequests is the number of invalid requests in a nightly run.
const badRequests = 10_000
