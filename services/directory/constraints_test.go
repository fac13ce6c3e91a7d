package directory

import (
	"testing"

	"baari.dev/services/platform/testkit"
)

// For each unique index and each CHECK, a violation is returned as a fault, or no request can cause it.
func TestEveryConstraintIsAFaultOrOutOfReach(t *testing.T) {
	testkit.EveryConstraint(t, testkit.NewDatabase(t, Migrations()...), map[string][]string{
		"409 service_exists": {
			"services: services_name",
		},
		"the service makes the id, or the random bytes, itself": {
			"access_log: access_log_pkey",
			"appointments: appointments_pkey",
			"calendar_feeds: calendar_feeds_code_hash_key, calendar_feeds_pkey",
			"due_dates: due_dates_pkey",
			"services: services_pkey",
		},
		"every insert has ON CONFLICT": {
			"assigned_visits: assigned_visits_pkey",
			"audit_anchors: audit_anchors_pkey",
			"consultants: consultants_pkey",
			"office: office_pkey",
			"setup_items: setup_items_pkey",
			"voice_packs: voice_packs_pkey",
		},
		"a lock of the slot, or of the key, comes before the write": {
			"appointments: appointments_consultant, appointments_place, appointments_request",
		},
		"the reader of the request refuses such a value with 400": {
			"appointments: appointments_name_check, appointments_phone_check",
			"consultants: consultants_serves_check, consultants_specialization_check",
			"due_dates: due_dates_check, due_dates_check1, due_dates_due_group_check, due_dates_source_check",
			"due_dates: due_dates_title_check",
			"services: services_due_group_check, services_est_minutes_check, services_name_check",
		},
		"the service writes only these values, from its own rules": {
			"appointments: appointments_check, appointments_place_held, appointments_source_known",
			"appointments: appointments_status_known",
			"audit_anchors: audit_anchors_digest_check, audit_anchors_n_check",
			"office: office_only_row_check",
			"office_versions: office_versions_pkey, office_versions_source_check, office_versions_version_check",
			"voice_packs: voice_packs_version_check",
		},
	})
}
