package lobby

import (
	"testing"

	"baari.dev/services/platform/testkit"
)

// A violation of a unique index or of a CHECK becomes a fault, or no request can cause the violation.
func TestEveryConstraintIsAFaultOrOutOfReach(t *testing.T) {
	testkit.EveryConstraint(t, testkit.NewDatabase(t, Migrations()...), map[string][]string{
		"the service makes the id, or the random bytes, itself": {
			"appointment_links: appointment_links_pkey, appointment_links_code_hash_check",
			"appointment_messages: appointment_messages_pkey",
			"arrivals: arrivals_pkey",
			"deliveries: deliveries_pkey",
			"links: links_pkey, links_code_hash_check",
			"subscriptions: subscriptions_pkey",
		},
		"every insert has ON CONFLICT": {
			"appointment_messages: appointment_messages_appointment_id_channel_kind_sequence_key",
			"appointments: appointments_pkey",
			"arrivals: arrivals_of_phone",
			"consents: consents_pkey",
			"costs: costs_pkey",
			"deliveries: deliveries_visit_id_channel_kind_call_no_key",
			"office: office_pkey",
			"services: services_pkey",
			"subscriptions: subscriptions_visit_id_mark_key",
			"visits: visits_pkey",
		},
		"the open link of the appointment is locked and ended before the next generation is inserted": {
			"appointment_links: links_of_appointment, appointment_links_appointment_id_generation_key",
		},
		"the open link of the visit is locked and ended before the next generation is inserted": {
			"links: links_of_visit, links_visit_id_generation_key",
		},
		"the reader of the request refuses such a value with 400": {
			"arrivals: arrivals_state_check",
		},
		"the service writes only these values, from its own rules": {
			"appointment_links: appointment_links_generation_check",
			"appointment_messages: appointment_messages_kind_check, appointment_messages_state_check",
			"arrivals: arrivals_check, arrivals_check1",
			"deliveries: deliveries_kind_check, deliveries_state",
			"links: links_generation_check",
			"office: office_only_row_check",
		},
	})
}
