package lobby

import (
	"baari.dev/services/contract"
	"baari.dev/services/platform/outbox"
)

// linkReplaced returns the event of another link for a visit. No event has a code.
func linkReplaced(visitID, token string) outbox.Change {
	return outbox.Change{
		Type: contract.LinkReplaced, Entity: contract.EntityLink, EntityID: visitID,
		After: contract.Link{VisitID: visitID, Token: token},
	}
}

// linkOpened returns the event of the first time that a link was opened.
func linkOpened(visitID, token string) outbox.Change {
	return outbox.Change{
		Type: contract.LinkOpened, Entity: contract.EntityLink, EntityID: visitID,
		After: contract.Link{VisitID: visitID, Token: token},
		Actor: &outbox.Actor{Name: "Visitor", Role: roleVisitor},
	}
}
