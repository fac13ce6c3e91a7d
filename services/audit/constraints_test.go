package audit

import (
	"testing"

	"baari.dev/services/platform/testkit"
)

// For each unique index and each CHECK, a violation is returned as a fault, or no request can cause it.
func TestEveryConstraintIsAFaultOrOutOfReach(t *testing.T) {
	testkit.EveryConstraint(t, testkit.NewDatabase(t, Migrations()...), map[string][]string{
		"the chain is written under one lock, and an event that it has is skipped": {
			"audit_records: audit_records_event_id_key, audit_records_pkey",
			"audit_records: audit_records_source_epoch_seq_key",
		},
		"every insert has ON CONFLICT": {
			"chain_anchors: chain_anchors_pkey",
			"daily_arrivals: daily_arrivals_pkey",
			"daily_sessions: daily_sessions_pkey",
			"daily_statistics: daily_statistics_pkey",
			"daily_waits: daily_waits_pkey",
			"operations: operations_pkey",
			"visits: visits_pkey",
		},
		"the service writes only these values, from its own rules": {
			"audit_records: audit_records_n_check",
			"chain_head: chain_head_only_row_check, chain_head_pkey",
			"daily_arrivals: daily_arrivals_hour_check",
			"daily_waits: daily_waits_quarter_check",
			"operations: operations_name_check",
		},
	})
}
