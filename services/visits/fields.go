package visits

import (
	"time"

	"baari.dev/services/visits/visit"
)

// This file has the fields of a visit in each form: the columns of its row, the request that registers it and the
// answer that shows it. README.md describes how a field is added.

// visitColumns is the one list of columns: all statements that read or write visits are built from it. Lists are
// read with an outer join: without visits the result is one row of NULLs, so every column's scan target accepts NULL.
var visitColumns = []column{
	text("id", onInsert, func(v *visit.Visit) *string { return &v.ID }).castToText(),
	text("office_day", 0, func(v *visit.Visit) *string { return &v.Day }).castToText().computed(counterDay),
	text("token_series", onInsert, func(v *visit.Visit) *string { return &v.Series }),
	number("token_no", 0, func(v *visit.Visit) *int { return &v.TokenNo }).computed(counterNumber),
	text("name", onInsert|onUpdate, func(v *visit.Visit) *string { return &v.Name }),
	text("phone", onInsert|onUpdate, func(v *visit.Visit) *string { return &v.Phone }).orNull(), // NULL: erased
	text("service_id", onInsert|onUpdate, func(v *visit.Visit) *string { return &v.ServiceID }).castToText(),
	text("service_name", onInsert|onUpdate, func(v *visit.Visit) *string { return &v.ServiceName }),
	text("status", onInsert|onUpdate, func(v *visit.Visit) *string { return (*string)(&v.Status) }),
	value("consultant_id", onUpdate, func(v *visit.Visit) **string { return &v.ConsultantID }),
	value("consultant_name", onUpdate, func(v *visit.Visit) **string { return &v.ConsultantName }),
	text("language", onInsert, func(v *visit.Visit) *string { return &v.Language }).computed(chosenLanguage),
	text("reception_notes", onInsert|onUpdate, func(v *visit.Visit) *string { return &v.ReceptionNotes }),
	text("pa_notes", onUpdate, func(v *visit.Visit) *string { return &v.PANotes }),
	text("session_notes", onUpdate, func(v *visit.Visit) *string { return &v.SessionNotes }),
	timestamp("created_at", 0, func(v *visit.Visit) *time.Time { return &v.CreatedAt }).computed(registrationTime),
	timestamp("updated_at", onUpdate, func(v *visit.Visit) *time.Time { return &v.UpdatedAt }).computed(registrationTime),
	value("decided_at", onUpdate, func(v *visit.Visit) **time.Time { return &v.DecidedAt }),
	value("started_at", onUpdate, func(v *visit.Visit) **time.Time { return &v.StartedAt }),
	value("completed_at", onUpdate, func(v *visit.Visit) **time.Time { return &v.CompletedAt }),
	text("created_by", onInsert, func(v *visit.Visit) *string { return &v.CreatedBy }),
	text("created_by_name", onInsert, func(v *visit.Visit) *string { return &v.CreatedByName }),
	text("sent_by", onInsert, func(v *visit.Visit) *string { return &v.SentBy }).orNull(),
	text("sent_by_name", onInsert, func(v *visit.Visit) *string { return &v.SentByName }).orNull(),
	value("decided_by", onUpdate, func(v *visit.Visit) **string { return &v.DecidedBy }),
	value("decided_by_name", onUpdate, func(v *visit.Visit) **string { return &v.DecidedByName }),
	value("started_by", onUpdate, func(v *visit.Visit) **string { return &v.StartedBy }),
	value("completed_by", onUpdate, func(v *visit.Visit) **string { return &v.CompletedBy }),
	text("notice_version", 0, func(v *visit.Visit) *string { return &v.NoticeVersion }).computed(currentNotice),
	number("version", onUpdate, func(v *visit.Visit) *int64 { return &v.Version }),

	text("stage", onInsert|onUpdate, func(v *visit.Visit) *string { return (*string)(&v.Stage) }),
	text("class", onInsert|onUpdate, func(v *visit.Visit) *string { return &v.Class }),
	flag("pinned", onUpdate, func(v *visit.Visit) *bool { return &v.Pinned }),
	timestamp("rank_at", onUpdate, func(v *visit.Visit) *time.Time { return &v.RankAt }).computed(registrationRank),
	value("due_at", onUpdate, func(v *visit.Visit) **time.Time { return &v.DueAt }),
	value("moved_due", onUpdate, func(v *visit.Visit) **time.Time { return &v.MovedDue }),
	text("moved_by", onUpdate, func(v *visit.Visit) *string { return &v.MovedBy }),
	text("moved_reason", onUpdate, func(v *visit.Visit) *string { return &v.MovedReason }),
	flag("moved_forced", onUpdate, func(v *visit.Visit) *bool { return &v.MovedForced }),
	number("bypassed", 0, func(v *visit.Visit) *int { return &v.Bypassed }),
	number("passed_by_hand", 0, func(v *visit.Visit) *int { return &v.PassedByHand }),
	text("counter", onUpdate, func(v *visit.Visit) *string { return &v.Counter }),
	value("called_at", onUpdate, func(v *visit.Visit) **time.Time { return &v.CalledAt }),
	value("called_by", onUpdate, func(v *visit.Visit) **string { return &v.CalledBy }),
	number("call_count", onUpdate, func(v *visit.Visit) *int { return &v.CallCount }),
	number("missed_count", onUpdate, func(v *visit.Visit) *int { return &v.MissedCount }),
	value("held_at", onUpdate, func(v *visit.Visit) **time.Time { return &v.HeldAt }),
	text("held_reason", onUpdate, func(v *visit.Visit) *string { return &v.HeldReason }),
	text("held_note", onUpdate, func(v *visit.Visit) *string { return &v.HeldNote }),
	value("held_until", onUpdate, func(v *visit.Visit) **time.Time { return &v.HeldUntil }),
	value("ended_at", onUpdate, func(v *visit.Visit) **time.Time { return &v.EndedAt }),
	value("ended_by", onUpdate, func(v *visit.Visit) **string { return &v.EndedBy }),
	number("transfers", onUpdate, func(v *visit.Visit) *int { return &v.Transfers }),
	value("sat_since", onUpdate, func(v *visit.Visit) **time.Time { return &v.SatSince }),
	number("session_seconds", onUpdate, func(v *visit.Visit) *int { return &v.SessionSecs }),
	number("sittings", onUpdate, func(v *visit.Visit) *int { return &v.Sittings }),
	value("appointment_id", onInsert, func(v *visit.Visit) **string { return &v.AppointmentID }).castToText(),
	value("appointment_at", onInsert, func(v *visit.Visit) **time.Time { return &v.AppointmentAt }),
	value("corrected_at", onUpdate, func(v *visit.Visit) **time.Time { return &v.CorrectedAt }),

	text("token_also", onUpdate, func(v *visit.Visit) *string { return &v.TokenAlso }),
	value("arrived_at", 0, func(v *visit.Visit) **time.Time { return &v.ArrivedAt }),
	value("after_no", 0, func(v *visit.Visit) **int { return &v.AfterNo }),
	flag("service_gone", onInsert, func(v *visit.Visit) *bool { return &v.ServiceGone }),
}
