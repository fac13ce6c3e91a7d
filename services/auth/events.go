package auth

import (
	"context"

	"baari.dev/services/auth/account"
	"baari.dev/services/contract"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/request"
	"baari.dev/services/platform/wire"
)

// userChange returns the outbox change of an account; before is nil for a new one.
func userChange(kind string, before *account.User, after account.User) outbox.Change {
	change := outbox.Change{
		Type:     kind,
		Entity:   contract.EntityUser,
		EntityID: after.ID,
		Version:  after.Version,
		After:    eventUser(after),
	}
	if before != nil {
		change.Before = eventUser(*before)
	}
	return change
}

// sessionChange returns the outbox change of a user's sessions; ended are the ids of the sessions that ended.
func sessionChange(ctx context.Context, kind, userID string, ended []string) outbox.Change {
	if ended == nil {
		ended = []string{}
	}
	return outbox.Change{
		Type: kind, Entity: contract.EntitySession, EntityID: userID,
		After: contract.Session{UserID: userID, SessionIDs: ended, UserAgent: agent(ctx)},
	}
}

// withActor sets the actor of changes in requests that can lack a signed-in caller, such as a sign-in or a mailed link.
func withActor(ctx context.Context, u account.User, changes ...outbox.Change) []outbox.Change {
	actor := &outbox.Actor{ID: u.ID, Name: u.Name, Email: u.Email, Role: u.Role, IP: request.From(ctx).Address}
	for i := range changes {
		changes[i].Actor = actor
	}
	return changes
}

func eventUser(u account.User) contract.User {
	return contract.User{
		ID: u.ID, Name: u.Name, Email: u.Email, EmailVerified: u.EmailVerified, Role: u.Role, IsActive: u.IsActive,
		CreatedAt: wire.Time(u.CreatedAt), UpdatedAt: wire.Time(u.UpdatedAt),
	}
}

// withPendingEmail returns the event's user with the requested new address.
func withPendingEmail(u account.User, email string) contract.User {
	out := eventUser(u)
	out.PendingEmail = email
	return out
}
