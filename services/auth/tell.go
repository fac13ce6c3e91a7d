package auth

import (
	"context"

	"baari.dev/services/auth/account"
	"baari.dev/services/contract"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/request"
	"baari.dev/services/platform/wire"
)

// tellUser is the event of a changed account; before is nil for a new one.
func tellUser(kind string, before *account.User, after account.User) outbox.Change {
	change := outbox.Change{Type: kind, Entity: contract.EntityUser, EntityID: after.ID, Version: after.Version, After: told(after)}
	if before != nil {
		change.Before = told(*before)
	}
	return change
}

// tellSessions is the event of what happened to a user's sessions; ended are the ids of those that are no more.
func tellSessions(ctx context.Context, kind, userID string, ended []string) outbox.Change {
	if ended == nil {
		ended = []string{}
	}
	return outbox.Change{
		Type: kind, Entity: contract.EntitySession, EntityID: userID,
		After: contract.Session{UserID: userID, SessionIDs: ended, UserAgent: agent(ctx)},
	}
}

// by says whose doing a change is where no signed-in caller is known: a sign-in, or a link of a mail.
func by(ctx context.Context, u account.User, changes ...outbox.Change) []outbox.Change {
	actor := &outbox.Actor{ID: u.ID, Name: u.Name, Email: u.Email, Role: u.Role, IP: request.From(ctx).Address}
	for i := range changes {
		changes[i].Actor = actor
	}
	return changes
}

func told(u account.User) contract.User {
	return contract.User{
		ID: u.ID, Name: u.Name, Email: u.Email, EmailVerified: u.EmailVerified, Role: u.Role, IsActive: u.IsActive,
		CreatedAt: wire.Time(u.CreatedAt), UpdatedAt: wire.Time(u.UpdatedAt),
	}
}
