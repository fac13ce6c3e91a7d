//go:build !nightly

package system

// badRequests is the number of invalid requests on every merge. Tests with the build tag nightly send more.
const badRequests = 1_000
