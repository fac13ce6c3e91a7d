package realtime

import (
	"github.com/go-json-experiment/json"

	"baari.dev/services/contract"
	"baari.dev/services/platform/outbox"
)

// revocation says whether an event of auth ends streams of its subject, and of which sessions: nil is all
// of them. What cannot be read ends all: whoever may still listen comes back.
func revocation(event outbox.Event) (ends bool, sessions []string) {
	switch event.Type {
	case contract.UserDeactivated, contract.UserDeleted, contract.UserRoleChanged, contract.UserRoleSet:
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
