package realtime

import (
	"testing"

	"baari.dev/services/platform/testkit"
)

// For each unique index and each CHECK: a violation becomes a fault, or no request can cause it.
func TestEveryConstraintIsAFaultOrOutOfReach(t *testing.T) {
	testkit.EveryConstraint(t, testkit.NewDatabase(t, Migrations()...), map[string][]string{
		"the service makes the id, or the random bytes, itself": {
			"notifications: notifications_pkey",
		},
		"the reader of the request refuses such a value with 400": {
			"notifications: notifications_message_check, notifications_target_roles_check",
			"notifications: notifications_type_check",
		},
	})
}
