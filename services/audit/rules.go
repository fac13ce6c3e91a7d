//go:build !mutant

package audit

// takenBack is what a day's counts lose for each incoming visit: what it was. An event that comes twice then changes nothing.
// rules_mutant.go breaks it, to show that the proof finds it.
const takenBack = `SELECT day, status, created_at, started_at, -1 FROM was`
