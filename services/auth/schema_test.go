package auth

import (
	"testing"

	"baari.dev/services/platform/testkit"
)

// T24: a database upgraded from the schema of the last release equals a new database.
func TestTheSchemaIsTheSameEitherWay(t *testing.T) {
	testkit.MigratesToTheSame(t, Migrations()...)
}
