package lobby

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base32"
	"time"

	"baari.dev/services/contract"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/request"
)

// linkReplaced returns the event of a replaced link. No event has the code of a link.
func linkReplaced(visitID, token string) outbox.Change {
	return outbox.Change{
		Type: contract.LinkReplaced, Entity: contract.EntityLink, EntityID: visitID,
		After: contract.Link{VisitID: visitID, Token: token},
	}
}

// linkShown returns the event of a user who has read the link of a visit. The holder of a link can act as the
// visitor on the page, so each read is recorded.
func linkShown(visitID, token string) outbox.Change {
	return outbox.Change{
		Type: contract.LinkShown, Entity: contract.EntityLink, EntityID: visitID,
		After: contract.Link{VisitID: visitID, Token: token},
	}
}

// linkOpened returns the event of the first time that a link was opened.
func linkOpened(visitID, token, from string) outbox.Change {
	return outbox.Change{
		Type: contract.LinkOpened, Entity: contract.EntityLink, EntityID: visitID,
		After: contract.Link{VisitID: visitID, Token: token},
		Actor: byVisitor(from),
	}
}

// arrivalRequested returns the event of a request for a token. No event of an arrival has the name or the phone.
func arrivalRequested(a arrival, from string) outbox.Change {
	change := arrivalChange(contract.ArrivalRequested, a)
	change.Actor = byVisitor(from)
	return change
}

func arrivalAnswered(a arrival) outbox.Change { return arrivalChange(contract.ArrivalAnswered, a) }

func arrivalChange(kind string, a arrival) outbox.Change {
	return outbox.Change{Type: kind, Entity: contract.EntityArrival, EntityID: a.ID, After: contract.Arrival{
		ID: a.ID, State: a.State, ServiceID: a.ServiceID, Language: a.Language, NoticeVersion: a.NoticeVersion,
		Messages: a.Messages, VisitID: a.VisitID,
	}}
}

func backRequested(visitID, token, from string) outbox.Change {
	return outbox.Change{
		Type: contract.LinkBackRequested, Entity: contract.EntityLink, EntityID: visitID,
		After: contract.Link{VisitID: visitID, Token: token}, Actor: byVisitor(from),
	}
}

// byVisitor returns the actor of a visitor's action. digest is the digest of the visitor's address.
func byVisitor(digest string) *outbox.Actor {
	return &outbox.Actor{Name: "Visitor", Role: roleVisitor, IP: digest}
}

// sender returns the digest of the client address of a visitor's request. On one office day, the same address has the
// same digest. The audit trail keeps digests for ever, so the address itself is not stored.
func (s *Service) sender(ctx context.Context) string {
	day := time.Now().In(s.options.Zone).Format(time.DateOnly)
	return digestOf(s.options.Key, day, request.From(ctx).ClientKey())
}

func digestOf(key []byte, day, address string) string {
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte("sender/" + day + "/" + address))
	return "digest-" + base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(mac.Sum(nil)[:10])
}

// messageEnded returns the event of a message or push that was sent, may have been sent, or failed. The event has
// neither the phone nor the text.
func messageEnded(d due, state string) outbox.Change {
	kind := map[string]string{
		deliverySent: contract.MessageSent, deliveryFailed: contract.MessageFailed, deliveryUnknown: contract.MessageUnknown,
	}[state]
	return outbox.Change{Type: kind, Entity: contract.EntityMessage, EntityID: d.VisitID, After: contract.Message{
		VisitID: d.VisitID, Token: d.Token, Channel: d.Channel, Kind: string(d.Kind),
	}}
}
