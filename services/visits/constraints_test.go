package visits

import (
	"testing"

	"baari.dev/services/platform/testkit"
)

// For each unique index and each CHECK: a violation becomes a fault, or no request can cause it.
func TestEveryConstraintIsAFaultOrOutOfReach(t *testing.T) {
	testkit.EveryConstraint(t, testkit.NewDatabase(t, Migrations()...), map[string][]string{
		"409 session_active": {
			"visits: one_session_per_consultant",
		},
		"409 call_open": {
			"visits: one_call_per_consultant",
		},
		"409 appointment_used": {
			"visits: one_visit_per_appointment",
		},
		"refused as series_conflict; the counter of the day and the lock of the series give each number once": {
			"visits: visits_token, visits_token_also",
		},
		"the key of the registration is locked, and a visit that has it is found before": {
			"visits: visits_offline_key",
		},
		"the row of the visit is locked before its open consent is looked for": {
			"consents: consents_open",
		},
		"one replica at a time applies the events, and takes the next number": {"sittings: sittings_pkey"},
		"the row of the counter is locked until the receipt is committed": {
			"acknowledgements: acknowledgements_pkey",
		},
		"the service makes the id, or the random bytes, itself": {
			"access_log: access_log_pkey",
			"consents: consents_pkey",
			"erased_phones: erased_phones_pkey, erased_phones_mark_check, erased_phones_salt_check",
			"privacy_erasures: privacy_erasures_pkey",
			"privacy_requests: privacy_requests_pkey",
			"visits: visits_pkey",
		},
		"every insert has ON CONFLICT": {
			"acknowledgement_counter: acknowledgement_counter_pkey",
			"appointments: appointments_pkey",
			"consultants: consultants_pkey",
			"day_counter: day_counter_pkey",
			"desk_contacts: desk_contacts_pkey",
			"desk_leases: desk_leases_pkey",
			"desk_people: desk_people_pkey",
			"desks: desks_pkey",
			"due_dates: due_dates_pkey",
			"forecasts: forecasts_pkey",
			"notice_versions: notice_versions_pkey",
			"office: office_pkey",
			"offline_desks: offline_desks_pkey",
			"promises: promises_pkey",
			"services: services_pkey",
			"session_drafts: session_drafts_pkey",
			"visit_documents: visit_documents_pkey",
		},
		"the reader of the request refuses such a value with 400": {
			"consents: consents_means_check, consents_purpose_check",
			"desks: desks_state_check",
			"privacy_requests: privacy_requests_kind_check, privacy_requests_phone_check",
			"privacy_requests: privacy_requests_state_check",
			"visits: visits_class, visits_name_check, visits_phone_check",
		},
		"the service writes only these values, from its own rules": {
			"consents: consents_check",
			"forecasts: forecasts_check",
			"history_cursor: history_cursor_only_row_check, history_cursor_pkey",
			"office: office_only_row_check",
			"privacy_erasures: privacy_erasures_state_check",
			"privacy_requests: privacy_requests_check",
			"promises: promises_check, promises_check1, promises_check2, promises_check3, promises_kind_check",
			"promises: promises_outcome_check",
			"sittings: sittings_check, sittings_ended_as_check",
			"visits: visits_called, visits_check, visits_check2, visits_check3, visits_consultant, visits_due",
			"visits: visits_offline, visits_sitting, visits_stage_known, visits_stage_set",
			"visits: visits_status_check, visits_status_of_stage, visits_token_no_check",
		},
		"auth gives a desk one of these letters": {
			"offline_desks: offline_desks_series_check",
			"visits: visits_series",
		},
	})
}
