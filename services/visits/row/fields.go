// Package row has the forms of a visit: a row of the table visits, the snapshot that a transaction or a list reads, the
// body of a response, and the event. It also has the readers of request fields and the errors of the API.
//
// Start with visitColumns, the one list of columns. Snapshot, Body and Event are the other forms. DB is the database,
// which every store of this service embeds.
package row

import (
	"time"

	"baari.dev/services/visits/visit"
)

// visitColumns is the only list of columns; the statements that read or write whole visits are built from it. Lists are
// read with an outer join. Without visits the result is one row of NULLs, so every column's scan target accepts NULL.
var visitColumns = []column{
	text("id", OnInsert, func(v *visit.Visit) *string { return &v.ID }).castToText(),
	text("office_day", 0, func(v *visit.Visit) *string { return &v.Day }).castToText().computed(counterDay),
	text("token_series", OnInsert, func(v *visit.Visit) *string { return &v.Series }),
	number("token_no", 0, func(v *visit.Visit) *int { return &v.TokenNo }).computed(counterNumber),
	text("name", OnInsert|OnUpdate, func(v *visit.Visit) *string { return &v.Name }),
	text("phone", OnInsert|OnUpdate, func(v *visit.Visit) *string { return &v.Phone }).orNull(), // NULL: erased
	text("service_id", OnInsert|OnUpdate, func(v *visit.Visit) *string { return &v.ServiceID }).castToText(),
	text("service_name", OnInsert|OnUpdate, func(v *visit.Visit) *string { return &v.ServiceName }),
	text("status", OnInsert|OnUpdate, func(v *visit.Visit) *string { return (*string)(&v.Status) }),
	value("consultant_id", OnUpdate, func(v *visit.Visit) **string { return &v.ConsultantID }),
	value("consultant_name", OnUpdate, func(v *visit.Visit) **string { return &v.ConsultantName }),
	text("language", OnInsert, func(v *visit.Visit) *string { return &v.Language }).computed(chosenLanguage),
	text("reception_notes", OnInsert|OnUpdate, func(v *visit.Visit) *string { return &v.ReceptionNotes }),
	text("pa_notes", OnUpdate, func(v *visit.Visit) *string { return &v.PANotes }),
	text("session_notes", OnUpdate, func(v *visit.Visit) *string { return &v.SessionNotes }),
	timestamp("created_at", 0, func(v *visit.Visit) *time.Time { return &v.CreatedAt }).computed(registrationTime),
	timestamp("updated_at", OnUpdate, func(v *visit.Visit) *time.Time { return &v.UpdatedAt }).computed(registrationTime),
	value("decided_at", OnUpdate, func(v *visit.Visit) **time.Time { return &v.DecidedAt }),
	value("started_at", OnUpdate, func(v *visit.Visit) **time.Time { return &v.StartedAt }),
	value("completed_at", OnUpdate, func(v *visit.Visit) **time.Time { return &v.CompletedAt }),
	text("created_by", OnInsert, func(v *visit.Visit) *string { return &v.CreatedBy }),
	text("created_by_name", OnInsert, func(v *visit.Visit) *string { return &v.CreatedByName }),
	text("sent_by", OnInsert, func(v *visit.Visit) *string { return &v.SentBy }).orNull(),
	text("sent_by_name", OnInsert, func(v *visit.Visit) *string { return &v.SentByName }).orNull(),
	value("decided_by", OnUpdate, func(v *visit.Visit) **string { return &v.DecidedBy }),
	value("decided_by_name", OnUpdate, func(v *visit.Visit) **string { return &v.DecidedByName }),
	value("started_by", OnUpdate, func(v *visit.Visit) **string { return &v.StartedBy }),
	value("completed_by", OnUpdate, func(v *visit.Visit) **string { return &v.CompletedBy }),
	text("notice_version", 0, func(v *visit.Visit) *string { return &v.NoticeVersion }).computed(CurrentNotice),
	number("version", OnUpdate, func(v *visit.Visit) *int64 { return &v.Version }),

	text("stage", OnInsert|OnUpdate, func(v *visit.Visit) *string { return (*string)(&v.Stage) }),
	text("class", OnInsert|OnUpdate, func(v *visit.Visit) *string { return &v.Class }),
	flag("pinned", OnUpdate, func(v *visit.Visit) *bool { return &v.Pinned }),
	timestamp("rank_at", OnUpdate, func(v *visit.Visit) *time.Time { return &v.RankAt }).computed(registrationRank),
	value("due_at", OnUpdate, func(v *visit.Visit) **time.Time { return &v.DueAt }),
	value("moved_due", OnUpdate, func(v *visit.Visit) **time.Time { return &v.MovedDue }),
	text("moved_by", OnUpdate, func(v *visit.Visit) *string { return &v.MovedBy }),
	text("moved_reason", OnUpdate, func(v *visit.Visit) *string { return &v.MovedReason }),
	flag("moved_forced", OnUpdate, func(v *visit.Visit) *bool { return &v.MovedForced }),
	number("bypassed", 0, func(v *visit.Visit) *int { return &v.Bypassed }),
	number("passed_by_hand", 0, func(v *visit.Visit) *int { return &v.PassedByHand }),
	text("counter", OnUpdate, func(v *visit.Visit) *string { return &v.Counter }),
	value("called_at", OnUpdate, func(v *visit.Visit) **time.Time { return &v.CalledAt }),
	value("called_by", OnUpdate, func(v *visit.Visit) **string { return &v.CalledBy }),
	number("call_count", OnUpdate, func(v *visit.Visit) *int { return &v.CallCount }),
	number("missed_count", OnUpdate, func(v *visit.Visit) *int { return &v.MissedCount }),
	value("held_at", OnUpdate, func(v *visit.Visit) **time.Time { return &v.HeldAt }),
	text("held_reason", OnUpdate, func(v *visit.Visit) *string { return &v.HeldReason }),
	text("held_note", OnUpdate, func(v *visit.Visit) *string { return &v.HeldNote }),
	value("held_until", OnUpdate, func(v *visit.Visit) **time.Time { return &v.HeldUntil }),
	value("ended_at", OnUpdate, func(v *visit.Visit) **time.Time { return &v.EndedAt }),
	value("ended_by", OnUpdate, func(v *visit.Visit) **string { return &v.EndedBy }),
	number("transfers", OnUpdate, func(v *visit.Visit) *int { return &v.Transfers }),
	value("sat_since", OnUpdate, func(v *visit.Visit) **time.Time { return &v.SatSince }),
	number("session_seconds", OnUpdate, func(v *visit.Visit) *int { return &v.SessionSecs }),
	number("sittings", OnUpdate, func(v *visit.Visit) *int { return &v.Sittings }),
	value("appointment_id", OnInsert, func(v *visit.Visit) **string { return &v.AppointmentID }).castToText(),
	value("appointment_at", OnInsert, func(v *visit.Visit) **time.Time { return &v.AppointmentAt }),
	value("corrected_at", OnUpdate, func(v *visit.Visit) **time.Time { return &v.CorrectedAt }),

	text("token_also", OnUpdate, func(v *visit.Visit) *string { return &v.TokenAlso }),
	value("arrived_at", 0, func(v *visit.Visit) **time.Time { return &v.ArrivedAt }),
	value("after_no", 0, func(v *visit.Visit) **int { return &v.AfterNo }),
	flag("service_gone", OnInsert, func(v *visit.Visit) *bool { return &v.ServiceGone }),
}
