//go:build nightly

package system

// badRequests are as many as a night allows.
const badRequests = 10_000
