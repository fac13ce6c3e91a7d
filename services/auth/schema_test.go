package auth

import (
	"testing"

	"baari.dev/services/platform/testkit"
)

// T24: a database that has come through the last release's schema is like a new one.
func TestTheSchemaIsTheSameEitherWay(t *testing.T) {
	testkit.MigratesToTheSame(t, Migrations()...)
}
