//go:build !mutant

package idempotency

import "net/http"

// keys are those that a request carries. rules_mutant.go forgets them, to show that the proof finds it.
func keys(header http.Header) []string { return header.Values(HeaderKey) }
