//go:build nightly

package testkit

const measured = true
