package realtime

import (
	"baari.dev/services/contract"
	"baari.dev/services/platform/identity"
	"baari.dev/services/platform/outbox"
)

// This file has the events that realtime publishes (docs/events.md). Realtime follows its own feed, so a notification
// reaches the streams in the same way as events of other services.

func notificationSent(n notification, sender identity.Caller) outbox.Change {
	return outbox.Change{
		Type: contract.NotificationSent, Entity: contract.EntityNotification, EntityID: n.ID,
		After: contract.Notification{
			ID: n.ID, Message: n.Message, Type: n.Type, TargetRoles: n.TargetRoles,
			Sender: sender.Name, SenderRole: sender.Role, CreatedAt: n.CreatedAt,
		},
	}
}

// notificationErased returns the event of an erasure. The event has no Before, which would contain the erased data.
func notificationErased(n contract.Notification) outbox.Change {
	return outbox.Change{
		Type: contract.NotificationErased, Entity: contract.EntityNotification, EntityID: n.ID, After: n,
	}
}
