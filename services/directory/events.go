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

// appointmentRequested returns the event of an appointment request. Its actor has only the client's address.
func appointmentRequested(ctx context.Context, a contract.Appointment) outbox.Change {
	return outbox.Change{
		Type: contract.AppointmentRequested, Entity: contract.EntityAppointment, EntityID: a.ID, After: a,
		Actor: &outbox.Actor{IP: request.From(ctx).Address},
	}
}

// appointmentKinds are the kinds of the events of a changed status, keyed by the new status.
var appointmentKinds = map[appointment.Status]string{
	appointment.Confirmed: contract.AppointmentConfirmed,
	appointment.Declined:  contract.AppointmentDeclined,
	appointment.Done:      contract.AppointmentDone,
}

func appointmentChanged(before, after contract.Appointment) outbox.Change {
	return outbox.Change{
		Type: appointmentKinds[appointment.Status(after.Status)], Entity: contract.EntityAppointment, EntityID: after.ID,
		Before: before, After: after,
	}
}

// appointmentErased returns the event of an erasure. It has no Before, which would contain the erased data.
func appointmentErased(a contract.Appointment) outbox.Change {
	return outbox.Change{
		Type: contract.AppointmentErased, Entity: contract.EntityAppointment, EntityID: a.ID, After: a,
	}
}
