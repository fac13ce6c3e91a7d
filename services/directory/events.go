package directory

import (
	"context"

	"baari.dev/services/contract"
	"baari.dev/services/directory/appointment"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/request"
)

// This file has the events that directory publishes (docs/events.md). Each is appended to the outbox in the transaction
// of its change; the actor is the caller unless the event sets one.

func serviceCreated(s contract.Service) outbox.Change {
	return outbox.Change{Type: contract.ServiceCreated, Entity: contract.EntityService, EntityID: s.ID, After: s}
}

func serviceUpdated(before, after contract.Service) outbox.Change {
	return outbox.Change{
		Type: contract.ServiceUpdated, Entity: contract.EntityService, EntityID: after.ID, Before: before, After: after,
	}
}

func consultantCreated(c contract.Consultant) outbox.Change {
	return outbox.Change{Type: contract.ConsultantCreated, Entity: contract.EntityConsultant, EntityID: c.ID, After: c}
}

func consultantUpdated(before, after contract.Consultant) outbox.Change {
	return outbox.Change{
		Type: contract.ConsultantUpdated, Entity: contract.EntityConsultant, EntityID: after.ID,
		Before: before, After: after,
	}
}

func dueDateCreated(d contract.DueDate) outbox.Change {
	return outbox.Change{
		Type: contract.DueDateCreated, Entity: contract.EntityDueDate, EntityID: d.ID, Version: d.Version, After: d,
	}
}

func dueDateUpdated(before, after contract.DueDate) outbox.Change {
	return outbox.Change{
		Type: contract.DueDateUpdated, Entity: contract.EntityDueDate, EntityID: after.ID, Version: after.Version,
		Before: before, After: after,
	}
}

// appointmentAdded returns the event of a new appointment. The actor of a request from the public page has only the
// client's address.
func appointmentAdded(ctx context.Context, rule appointment.Rule, a contract.Appointment) outbox.Change {
	change := outbox.Change{
		Type: rule.Event, Entity: contract.EntityAppointment, EntityID: a.ID, Version: a.Version, After: a,
	}
	if rule.Action == appointment.Request {
		change.Actor = &outbox.Actor{IP: request.From(ctx).Address}
	}
	return change
}

// appointmentChanged returns the event of a change. The actor of a change by the holder of the link is Visitor, without
// an id.
func appointmentChanged(how saving, before, after contract.Appointment) outbox.Change {
	after.Tell = how.tell
	change := outbox.Change{
		Type: how.event, Entity: contract.EntityAppointment, EntityID: after.ID, Version: after.Version,
		Before: before, After: after,
	}
	if how.by == appointment.Visitor {
		change.Actor = &outbox.Actor{Name: visitorName}
	}
	return change
}

// visitorName is the actor of changes by the holder of an appointment's link.
const visitorName = "Visitor"

// appointmentErased returns the event of an erasure. It has no Before, which would contain the erased data.
func appointmentErased(a contract.Appointment) outbox.Change {
	return outbox.Change{
		Type: contract.AppointmentErased, Entity: contract.EntityAppointment, EntityID: a.ID, Version: a.Version, After: a,
	}
}
