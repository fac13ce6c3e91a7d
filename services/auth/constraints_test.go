package auth

import (
	"testing"

	"baari.dev/services/platform/testkit"
)

// For each unique index and each CHECK, a violation is returned as a fault, or no request can cause it.
func TestEveryConstraintIsAFaultOrOutOfReach(t *testing.T) {
	testkit.EveryConstraint(t, testkit.NewDatabase(t, Migrations()...), map[string][]string{
		"the address is in use: 422 of a sign-up, 409 of an invitation, as their documents say": {
			"users: users_email",
		},
		"the advisory lock of the series is held from the choice to the commit": {
			"devices: devices_series",
		},
		"every insert has ON CONFLICT": {
			"accounts: accounts_user_id_provider_id_key",
			"office_copy: office_copy_pkey",
			"sign_in_attempts: sign_in_attempts_pkey",
			"user_undos: user_undos_pkey",
		},
		"the service makes the id, or the random bytes, itself": {
			"accounts: accounts_pkey, accounts_id_check",
			"devices: devices_pkey, devices_pair_hash_key, devices_pair_hash_check, devices_secret_hash_key",
			"devices: devices_secret_hash_check",
			"email_changes: email_changes_pkey, email_changes_id_check, email_changes_stop_hash_key",
			"email_changes: email_changes_stop_hash_check",
			"reset_tokens: reset_tokens_pkey, reset_tokens_token_hash_check",
			"sessions: sessions_pkey, sessions_id_check, sessions_token_hash_key, sessions_token_hash_check",
			"sign_in_attempts: sign_in_attempts_device_of_check, sign_in_attempts_email_hash_check",
			"users: users_pkey, users_id_check",
		},
		"the reader of the request refuses such a value with 400": {
			"devices: devices_check1, devices_kind_check, devices_queue_check, devices_quiet_from_check",
			"devices: devices_quiet_until_check, devices_voice_check, devices_volume_check",
			"email_changes: email_changes_new_email_check",
			"users: users_email_check, users_language_check, users_role_check",
		},
		"the service writes only these values, from its own rules": {
			"accounts: accounts_provider_id_check",
			"devices: devices_check, devices_series_check",
			"email_changes: email_changes_old_email_check, email_changes_state_check",
			"office_copy: office_copy_only_row_check",
			"sign_in_attempts: sign_in_attempts_failures_check",
		},
	})
}
