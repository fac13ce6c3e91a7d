package visits

import (
	"context"
	"regexp"

	"github.com/google/uuid"

	"baari.dev/services/platform/identity"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/wire"
	"baari.dev/services/visits/visit"
)

// actor is the caller of a request.
func actor(ctx context.Context) visit.Actor {
	caller, _ := identity.From(ctx)
	return visit.Actor{ID: caller.ID, Name: caller.Name, Role: caller.Role}
}

// byVisitor is the actor of a visitor's action. Columns with the id of a user get the role.
var byVisitor = visit.Actor{ID: visit.Visitor, Name: "Visitor", Role: visit.Visitor}

// actorVisitor is the actor of the events of what a visitor does. from is the digest of the address that lobby sends.
func actorVisitor(from string) *outbox.Actor {
	return &outbox.Actor{Name: byVisitor.Name, Role: byVisitor.Role, IP: from}
}

var senderForm = regexp.MustCompile(`^digest-[A-Z2-7]{16}$`)

// readSender reads the digest of a visitor's address, "" for what is none: the release before sends none.
func readSender(field wire.Field[string]) string {
	if !senderForm.MatchString(field.Value) {
		return ""
	}
	return field.Value
}

// newID returns the id of a new visit, a UUID of version 7.
func newID() string { return uuid.Must(uuid.NewV7()).String() }
