//go:build mutant

package audit

import "baari.dev/services/platform/mutant"

// takenBack, in M14, is only what a visit no longer is: an event that comes twice counts twice.
var takenBack = mutant.Choose("M14",
	`SELECT day, status, created_at, started_at, -1 FROM was`,
	`SELECT was.day, was.status, was.created_at, was.started_at, -1 FROM was JOIN incoming USING (id) WHERE was.status <> incoming.status`)
