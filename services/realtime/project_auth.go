package realtime

import (
	"github.com/go-json-experiment/json"

	"baari.dev/services/contract"
	"baari.dev/services/platform/outbox"
)

// revocation reports whether an event of auth ends sessions of its subject, and which; nil means all. If the sessions
// of a sign-out or revocation cannot be decoded, all end; clients whose session is still valid reconnect.
func revocation(event outbox.Event) (ends bool, sessions []string) {
	switch event.Type {
	case contract.UserDeactivated, contract.UserDeleted, contract.UserRoleChanged, contract.UserRoleSet,
		contract.DeviceRevoked:
		return true, nil
	case contract.SessionSignedOut, contract.SessionRevoked:
		var ended contract.Session
		if json.Unmarshal(event.After, &ended) != nil || len(ended.SessionIDs) == 0 {
			return true, nil
		}
		return true, ended.SessionIDs
	}
	return false, nil
}
