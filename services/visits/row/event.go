package row

import (
	"cmp"
	"time"

	"github.com/go-json-experiment/json"

	"baari.dev/services/contract"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/wire"
	"baari.dev/services/visits/visit"
)

// Change returns the event of a change of a visit, with the whole visit before and after. before is nil for a
// registration and for an erasure.
func Change(kind string, before *visit.Visit, after visit.Visit) outbox.Change {
	change := outbox.Change{
		Type:     kind,
		Entity:   contract.EntityVisit,
		EntityID: after.ID,
		Version:  after.Version,
		After:    Event(after),
	}
	if before != nil {
		change.Before = Event(*before)
	}
	return change
}

// Event returns a visit in the form of events.
func Event(v visit.Visit) contract.Visit {
	return contract.Visit{
		ID:     v.ID,
		Series: cmp.Or(v.Series, visit.SeriesT), TokenNo: v.TokenNo, Token: v.Token(),
		Day:             v.Day,
		Name:            v.Name,
		Phone:           v.Phone,
		ServiceID:       v.ServiceID,
		ServiceName:     v.ServiceName,
		Status:          string(v.Status),
		ConsultantID:    v.ConsultantID,
		ConsultantName:  v.ConsultantName,
		Language:        v.Language,
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

		Stage:          string(v.Stage),
		Class:          v.Class,
		Pinned:         v.Pinned,
		Counter:        v.Counter,
		RankAt:         wire.TimeOf(&v.RankAt),
		DueAt:          wire.TimeOf(v.DueAt),
		MovedDue:       wire.TimeOf(v.MovedDue),
		MovedBy:        v.MovedBy,
		MovedReason:    v.MovedReason,
		MovedForced:    v.MovedForced,
		CalledAt:       wire.TimeOf(v.CalledAt),
		CalledByID:     v.CalledBy,
		CallCount:      v.CallCount,
		MissedCount:    v.MissedCount,
		HeldAt:         wire.TimeOf(v.HeldAt),
		HeldReason:     v.HeldReason,
		HeldNote:       v.HeldNote,
		HeldUntil:      wire.TimeOf(v.HeldUntil),
		SatSince:       wire.TimeOf(v.SatSince),
		SessionSeconds: v.SessionSecs,
		Sittings:       v.Sittings,
		EndedAt:        wire.TimeOf(v.EndedAt),
		Transfers:      v.Transfers,
		AppointmentID:  v.AppointmentID,
		AppointmentAt:  wire.TimeOf(v.AppointmentAt),
		CorrectedAt:    wire.TimeOf(v.CorrectedAt),

		TokenAlso:   v.TokenAlso,
		Offline:     v.ArrivedAt != nil,
		ArrivedAt:   wire.TimeOf(v.ArrivedAt),
		AfterNo:     v.AfterNo,
		ServiceGone: v.ServiceGone,
	}
}

// ReadEvent reads the visit in a stored event.
func ReadEvent(text []byte) (visit.Visit, error) {
	var event contract.Visit
	if err := json.Unmarshal(text, &event); err != nil {
		return visit.Visit{}, err
	}
	return VisitOf(event), nil
}

// VisitOf returns the visit in an event. It lacks UpdatedAt and the fields that an undo takes from the current visit,
// such as the ids of most actors. Its times have milliseconds.
func VisitOf(e contract.Visit) visit.Visit {
	return visit.Visit{
		ID: e.ID, Day: e.Day, Series: cmp.Or(e.Series, visit.SeriesT), TokenNo: e.TokenNo, Name: e.Name, Phone: e.Phone,
		ServiceID: e.ServiceID, ServiceName: e.ServiceName, Status: visit.Status(e.Status), Stage: visit.Stage(e.Stage),
		ConsultantID: e.ConsultantID, ConsultantName: e.ConsultantName, Pinned: e.Pinned,
		Language: e.Language, ReceptionNotes: e.ReceptionNotes, PANotes: e.PANotes, SessionNotes: e.SessionNotes,
		DecidedAt: TimeOf(e.DecidedAt), StartedAt: TimeOf(e.StartedAt), CompletedAt: TimeOf(e.CompletedAt),
		EndedAt: TimeOf(e.EndedAt), DecidedByName: e.DecidedByName,
		Class: e.Class, RankAt: *TimeOf(cmp.Or(e.RankAt, &e.CreatedAt)), DueAt: TimeOf(e.DueAt),
		MovedDue: TimeOf(e.MovedDue), MovedBy: e.MovedBy, MovedReason: e.MovedReason,
		MovedForced: e.MovedForced,
		Counter:     e.Counter, CalledAt: TimeOf(e.CalledAt), CalledBy: e.CalledByID,
		CallCount: e.CallCount, MissedCount: e.MissedCount,
		HeldAt: TimeOf(e.HeldAt), HeldReason: e.HeldReason, HeldNote: e.HeldNote, HeldUntil: TimeOf(e.HeldUntil),
		SatSince: TimeOf(e.SatSince), SessionSecs: e.SessionSeconds, Sittings: e.Sittings, Transfers: e.Transfers,
		AppointmentID: e.AppointmentID, AppointmentAt: TimeOf(e.AppointmentAt), CorrectedAt: TimeOf(e.CorrectedAt),
		TokenAlso: e.TokenAlso, ArrivedAt: TimeOf(e.ArrivedAt), AfterNo: e.AfterNo, ServiceGone: e.ServiceGone,
	}
}

// TimeOf returns the time of an event.
func TimeOf(t *wire.Time) *time.Time { return (*time.Time)(t) }
