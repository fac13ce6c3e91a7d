package visits

import (
	"baari.dev/services/contract"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/wire"
	"baari.dev/services/visits/visit"
)

// visitChange returns the event of a change of a visit: the whole visit before and after. The kinds are those of
// visit.Transitions, visit.Created and contract.VisitErased; before is nil for the last two.
func visitChange(kind string, before *visit.Visit, after visit.Visit) outbox.Change {
	change := outbox.Change{
		Type:     kind,
		Entity:   contract.EntityVisit,
		EntityID: after.ID,
		Version:  after.Version,
		After:    eventVisit(after),
	}
	if before != nil {
		change.Before = eventVisit(*before)
	}
	return change
}

func eventVisit(v visit.Visit) contract.Visit {
	return contract.Visit{
		ID:              v.ID,
		TokenNo:         v.TokenNo,
		Token:           visit.Token(v.TokenNo),
		Day:             v.Day,
		Name:            v.Name,
		Phone:           v.Phone,
		ServiceID:       v.ServiceID,
		ServiceName:     v.ServiceName,
		Status:          string(v.Status),
		ConsultantID:    v.ConsultantID,
		ConsultantName:  v.ConsultantName,
		ReceptionNotes:  v.ReceptionNotes,
		PANotes:         v.PANotes,
		SessionNotes:    v.SessionNotes,
		CreatedAt:       wire.Time(v.CreatedAt),
		UpdatedAt:       wire.Time(v.UpdatedAt),
		DecidedAt:       wire.TimeOf(v.DecidedAt),
		StartedAt:       wire.TimeOf(v.StartedAt),
		CompletedAt:     wire.TimeOf(v.CompletedAt),
		WaitMinutes:     v.FinalWait(),
		DurationMinutes: v.SessionMinutes(),
		CreatedByName:   v.CreatedByName,
		DecidedByName:   v.DecidedByName,
		NoticeVersion:   v.NoticeVersion,
		Version:         v.Version,
	}
}
