package process

import "runtime/debug"

const (
	collectorPercent = 400
	usualPercent     = 100
)

// CollectSeldom lets the heap grow to five times what lives before garbage is collected: little lives in a service that answers
// requests, and with the usual setting it would collect after every few hundred of them. GOGC overrules it, and GOMEMLIMIT
// bounds it.
func CollectSeldom() {
	if given := debug.SetGCPercent(collectorPercent); given != usualPercent {
		debug.SetGCPercent(given)
	}
}
