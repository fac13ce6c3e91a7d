package row

import (
	"context"
	"regexp"

	"github.com/google/uuid"

	"baari.dev/services/platform/identity"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/wire"
	"baari.dev/services/visits/visit"
)

// Actor is the caller of a request.
func Actor(ctx context.Context) visit.Actor {
	caller, _ := identity.From(ctx)
	return visit.Actor{ID: caller.ID, Name: caller.Name, Role: caller.Role}
}

// ByVisitor is the actor of a visitor's action. A visitor has no user id, so columns for user ids store the role.
var ByVisitor = visit.Actor{ID: visit.Visitor, Name: "Visitor", Role: visit.Visitor}

// ActorVisitor is the actor in the events of a visitor's action. from is the digest of the visitor's address.
func ActorVisitor(from string) *outbox.Actor {
	return &outbox.Actor{Name: ByVisitor.Name, Role: ByVisitor.Role, IP: from}
}

var senderForm = regexp.MustCompile(`^digest-[A-Z2-7]{16}$`)

// ReadSender reads the digest of a visitor's address, or "" if it is invalid: lobby's previous release sends none.
func ReadSender(field wire.Field[string]) string {
	if !senderForm.MatchString(field.Value) {
		return ""
	}
	return field.Value
}

// NewID returns the id of a new visit, a UUID of version 7.
func NewID() string { return uuid.Must(uuid.NewV7()).String() }
