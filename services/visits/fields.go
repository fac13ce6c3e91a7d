package visits

import (
	"cmp"
	"net/http"
	"slices"
	"time"

	"baari.dev/services/office"
	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/idempotency"
	"baari.dev/services/platform/wire"
	"baari.dev/services/visits/line"
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

// createVisit is a validated request to register a visitor. It has no reception_id: the creator is the caller. The
// exported fields identify the request under its idempotency key.
type createVisit struct {
	Name, Phone, ServiceID, Notes string
	Class                         string           `json:",omitzero"` // "": normal
	AppointmentID                 string           `json:",omitzero"`
	Language                      string           `json:",omitzero"` // "": the office's
	Documents                     []visit.Document `json:",omitzero"` // nil: not noted
	ToldBy                        string           `json:",omitzero"` // "": not noted
	Messages                      bool             `json:",omitzero"`
	key                           string
}

type createBody struct {
	Name       wire.Field[string] `json:"name"`
	Phone      wire.Field[string] `json:"phone"`
	ServiceID  wire.Field[string] `json:"service_id"`
	ServiceID2 wire.Field[string] `json:"serviceId"`
	Notes      wire.Field[string] `json:"notes"`
	Class      wire.Field[string] `json:"class"`
	AppointID  wire.Field[string] `json:"appointment_id"`
	Language   wire.Field[string] `json:"language"`
	Documents  documentsField     `json:"documents"`
	ToldBy     wire.Field[string] `json:"told_by"`
	Messages   wire.Field[bool]   `json:"messages"`
}

func readCreate(r *http.Request) (createVisit, error) {
	var body createBody
	if err := wire.Read(r, &body); err != nil {
		return createVisit{}, err
	}
	key, err := idempotency.FromHeader(r.Header)
	if err != nil {
		return createVisit{}, err
	}
	var rejected fault.Fields
	req := readRegistration(body, &rejected)
	req.key = key
	return req, rejected.Err()
}

func readRegistration(body createBody, rejected *fault.Fields) createVisit {
	req := createVisit{
		Name:      readName(body.Name, rejected),
		Phone:     readPhone(body.Phone, rejected),
		ServiceID: readServiceID(body.ServiceID, body.ServiceID2, rejected),
		Notes:     readNotes(body.Notes, rejected),
	}
	if body.Class.Present {
		req.Class = readClass(body.Class, rejected)
	}
	if body.AppointID.Present {
		req.AppointmentID = readRecordID("appointment_id", body.AppointID, rejected)
	}
	if body.Language.Present {
		req.Language = readLanguage(body.Language, rejected)
	}
	if body.Documents.Present {
		req.Documents = readNewDocuments(body.Documents, rejected)
	}
	if body.ToldBy.Present {
		req.ToldBy = readMeans("told_by", body.ToldBy, rejected)
	}
	if body.Messages.Wrong {
		rejected.Reject("messages", messagesText)
	}
	req.Messages = body.Messages.Value
	return req
}

func readLanguage(field wire.Field[string], rejected *fault.Fields) string {
	if field.Wrong || !slices.Contains(office.Languages, field.Value) {
		rejected.Reject("language", languageWrong)
	}
	return field.Value
}

// newVisit returns the visit to register. It has no token, service name and times, which are set when it is stored.
func (c createVisit) newVisit(id string, by visit.Actor) visit.Visit {
	v := visit.Visit{
		ID:             id,
		Series:         visit.SeriesT,
		Name:           c.Name,
		Phone:          c.Phone,
		ServiceID:      c.ServiceID,
		Status:         visit.New,
		Stage:          visit.StageNew,
		Class:          cmp.Or(c.Class, string(line.Normal)),
		ReceptionNotes: c.Notes,
		Language:       c.Language,
		CreatedBy:      by.ID,
		CreatedByName:  by.Name,
	}
	if c.AppointmentID != "" {
		v.AppointmentID = &c.AppointmentID
	}
	return v
}

// visitBody is a visit as it is shown to one role.
type visitBody struct {
	ID                   string      `json:"id"`
	Token                string      `json:"token"`
	Day                  string      `json:"day"`
	Name                 string      `json:"name"`
	Phone                string      `json:"phone"`
	Service              serviceBody `json:"service"`
	Language             string      `json:"language"`
	Status               string      `json:"status"`
	CreatedAt            wire.Time   `json:"createdAt"`
	UpdatedAt            wire.Time   `json:"updatedAt"`
	DecidedAt            *wire.Time  `json:"decidedAt"`
	StartedAt            *wire.Time  `json:"startedAt"`
	CompletedAt          *wire.Time  `json:"completedAt"`
	AssignedConsultant   *string     `json:"assignedConsultant"`
	AssignedConsultantID *string     `json:"assignedConsultantId"`
	Notes                string      `json:"notes"`
	ReceptionNotes       string      `json:"receptionNotes"`
	PANotes              string      `json:"paNotes"`
	SessionNotes         string      `json:"sessionNotes"`
	WaitTime             int         `json:"waitTime"`
	SessionDuration      *int        `json:"sessionDuration"`
	Version              int64       `json:"version"`
	Queue                queueBody   `json:"queue"`

	Documents *documentsSummary `json:"documents"`
	TokenAlso string            `json:"tokenAlso,omitzero"` // a second token, given while a desk was offline
	Offline   *offlineBody      `json:"offline,omitzero"`
}

// offlineBody is what is special about a visit that was registered while its desk was offline.
type offlineBody struct {
	ArrivedAt wire.Time `json:"arrivedAt"`
	// The last number of T at the arrival: lists have the visit after it.
	After int `json:"after"`
	// The service was not offered any more when the visit was sent.
	ServiceGone bool `json:"serviceGone"`
}

func offlineOf(v visit.Visit) *offlineBody {
	if v.ArrivedAt == nil || v.AfterNo == nil {
		return nil
	}
	return &offlineBody{ArrivedAt: wire.Time(*v.ArrivedAt), After: *v.AfterNo, ServiceGone: v.ServiceGone}
}

type serviceBody struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

// bodyOf returns a visit as it is shown to a user.
func bodyOf(s snapshot, by visit.Actor) visitBody {
	v, at := s.Visit, s.At
	return visitBody{
		ID:                   v.ID,
		Token:                v.Token(),
		Day:                  v.Day,
		Name:                 v.Name,
		Phone:                v.PhoneFor(by.Role, at.Today),
		Service:              serviceBody{ID: v.ServiceID, Name: v.ServiceName},
		Language:             v.Language,
		Status:               string(v.Status),
		CreatedAt:            wire.Time(v.CreatedAt),
		UpdatedAt:            wire.Time(v.UpdatedAt),
		DecidedAt:            wire.TimeOf(v.DecidedAt),
		StartedAt:            wire.TimeOf(v.StartedAt),
		CompletedAt:          wire.TimeOf(v.CompletedAt),
		AssignedConsultant:   v.ConsultantName,
		AssignedConsultantID: v.ConsultantID,
		Notes:                v.Notes(),
		ReceptionNotes:       v.ReceptionNotes,
		PANotes:              v.PANotes,
		SessionNotes:         v.SessionNotes,
		WaitTime:             v.WaitMinutes(at.Now),
		SessionDuration:      v.SessionMinutes(),
		Version:              v.Version,
		Queue:                queueOf(s, by),
		Documents:            s.Documents,
		TokenAlso:            v.TokenAlso,
		Offline:              offlineOf(v),
	}
}
