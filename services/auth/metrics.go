package auth

import (
	"github.com/prometheus/client_golang/prometheus"

	"baari.dev/services/platform/endpoint"
	"baari.dev/services/platform/telemetry"
)

// wrongPasswords returns the counter of sign-ins with a wrong password.
func wrongPasswords(registry prometheus.Registerer) prometheus.Counter {
	return endpoint.AuthnFailures(registry).WithLabelValues("wrong_password")
}

// newHashWait registers the histogram of the time that passwords wait for a slot.
func newHashWait(registry prometheus.Registerer) (prometheus.Histogram, error) {
	waited := prometheus.NewHistogram(prometheus.HistogramOpts{
		Name:                        "baari_argon2_wait_seconds",
		Help:                        "Time that a password waited for a hash slot; 2 s if it was rejected.",
		Buckets:                     []float64{.001, .005, .025, .1, .25, .5, 1, 2},
		NativeHistogramBucketFactor: telemetry.NativeFactor,
	})
	return waited, registry.Register(waited)
}
