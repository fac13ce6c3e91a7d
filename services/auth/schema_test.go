package auth

import (
	"testing"

	"baari.dev/services/platform/testkit"
)

// T24: a database that was migrated from the last release's schema has the schema of a new one.
func TestTheSchemaIsTheSameEitherWay(t *testing.T) {
	testkit.MigratesToTheSame(t, Migrations()...)
}
