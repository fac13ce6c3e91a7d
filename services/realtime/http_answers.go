package realtime

import (
	"net/http"

	"baari.dev/services/platform/idempotency"
	"baari.dev/services/platform/wire"
)

// notification is a message from a member of staff to other staff.
type notification struct {
	ID          string    `json:"id"`
	Message     string    `json:"message"`
	Type        string    `json:"type"`
	TargetRoles []string  `json:"target_roles"`
	CreatedAt   wire.Time `json:"createdAt"`
}

// receivedNotification is a notification as its recipients see it, with the sender's name and role, because users can
// choose their name but not their role. Notifications that were sent before roles were stored have no role.
type receivedNotification struct {
	notification
	Sender     string `json:"sender"`
	SenderRole string `json:"senderRole,omitzero"`
}

// sent is {"notification": …} with status 202: the notification is stored and will be delivered.
type sent struct {
	Notification notification `json:"notification"`
	replayed     bool
}

// StatusCode implements kithttp.StatusCoder.
func (sent) StatusCode() int { return http.StatusAccepted }

// Headers implements kithttp.Headerer.
func (s sent) Headers() http.Header {
	if !s.replayed {
		return nil
	}
	return http.Header{idempotency.HeaderReplayed: {"true"}}
}

type received struct {
	Notifications []receivedNotification `json:"notifications"`
}

type noted struct{}

// StatusCode implements kithttp.StatusCoder.
func (noted) StatusCode() int { return http.StatusNoContent }
