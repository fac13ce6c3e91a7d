//go:build mutant

package idempotency

import (
	"net/http"

	"baari.dev/services/platform/mutant"
)

// keys, in M4, are none: a retry is a new request.
func keys(header http.Header) []string {
	if mutant.Is("M4") {
		return nil
	}
	return header.Values(HeaderKey)
}
