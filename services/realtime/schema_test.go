package realtime

import (
	"testing"

	"baari.dev/services/platform/testkit"
)

// T24: a database upgraded from the earlier schema equals a new one.
func TestUpgradedSchemaEqualsNewSchema(t *testing.T) {
	testkit.MigratesToTheSame(t, Migrations()...)
}
