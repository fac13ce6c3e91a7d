//go:build !nightly

package testkit

const measured = false
