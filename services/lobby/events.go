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
		Actor: byVisitor(),
	}
}

// arrivalRequested returns the event of a request for a token. No event of an arrival has the name or the phone.
func arrivalRequested(a arrival) outbox.Change {
	change := arrivalChange(contract.ArrivalRequested, a)
	change.Actor = byVisitor()
	return change
}

// arrivalAnswered returns the event of the end of an arrival.
func arrivalAnswered(a arrival) outbox.Change { return arrivalChange(contract.ArrivalAnswered, a) }

func arrivalChange(kind string, a arrival) outbox.Change {
	return outbox.Change{Type: kind, Entity: contract.EntityArrival, EntityID: a.ID, After: contract.Arrival{
		ID: a.ID, State: a.State, ServiceID: a.ServiceID, Language: a.Language, NoticeVersion: a.NoticeVersion,
		Messages: a.Messages, VisitID: a.VisitID,
	}}
}

// backRequested returns the event of a visitor who says to be back after a missed call.
func backRequested(visitID, token string) outbox.Change {
	return outbox.Change{
		Type: contract.LinkBackRequested, Entity: contract.EntityLink, EntityID: visitID,
		After: contract.Link{VisitID: visitID, Token: token}, Actor: byVisitor(),
	}
}

func byVisitor() *outbox.Actor { return &outbox.Actor{Name: "Visitor", Role: roleVisitor} }

// messageEnded returns the event of a message or push that was sent, may have been, or has failed. It has no phone and
// no text.
func messageEnded(d due, state string) outbox.Change {
	kind := map[string]string{
		deliverySent: contract.MessageSent, deliveryFailed: contract.MessageFailed, deliveryUnknown: contract.MessageUnknown,
	}[state]
	return outbox.Change{Type: kind, Entity: contract.EntityMessage, EntityID: d.VisitID, After: contract.Message{
		VisitID: d.VisitID, Token: d.Token, Channel: d.Channel, Kind: string(d.Kind),
	}}
}
