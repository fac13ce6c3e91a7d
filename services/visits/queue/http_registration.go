package queue

import (
	"cmp"
	"net/http"
	"slices"

	"baari.dev/services/office"
	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/idempotency"
	"baari.dev/services/platform/wire"
	"baari.dev/services/visits/line"
	"baari.dev/services/visits/papers"
	"baari.dev/services/visits/row"
	"baari.dev/services/visits/visit"
)

// Form is a validated request to register a visitor. It has no reception_id: the creator is the caller. If the
// idempotency key is used again, the exported fields must be the same.
type Form struct {
	Name, Phone, ServiceID, Notes string
	Class                         string           `json:",omitzero"` // "": normal
	AppointmentID                 string           `json:",omitzero"`
	Language                      string           `json:",omitzero"` // "": the office's
	Documents                     []visit.Document `json:",omitzero"` // nil: not noted
	ToldBy                        string           `json:",omitzero"` // "": not noted
	Messages                      bool             `json:",omitzero"`
	key                           string
}

// FormBody is the body of a request to register a visitor.
type FormBody struct {
	Name       wire.Field[string] `json:"name"`
	Phone      wire.Field[string] `json:"phone"`
	ServiceID  wire.Field[string] `json:"service_id"`
	ServiceID2 wire.Field[string] `json:"serviceId"`
	Notes      wire.Field[string] `json:"notes"`
	Class      wire.Field[string] `json:"class"`
	AppointID  wire.Field[string] `json:"appointment_id"`
	Language   wire.Field[string] `json:"language"`
	Documents  papers.Field       `json:"documents"`
	ToldBy     wire.Field[string] `json:"told_by"`
	Messages   wire.Field[bool]   `json:"messages"`
}

func readCreate(r *http.Request) (Form, error) {
	var body FormBody
	if err := wire.Read(r, &body); err != nil {
		return Form{}, err
	}
	key, err := idempotency.FromHeader(r.Header)
	if err != nil {
		return Form{}, err
	}
	var rejected fault.Fields
	req := ReadRegistration(body, &rejected)
	req.key = key
	return req, rejected.Err()
}

var messagesText = fault.NewMessage(fault.CodeUnknownChoice, "Please say whether the visitor agrees to messages")

// ReadRegistration reads a request to register a visitor, without its key.
func ReadRegistration(body FormBody, rejected *fault.Fields) Form {
	req := Form{
		Name:      row.ReadName(body.Name, rejected),
		Phone:     row.ReadPhone(body.Phone, rejected),
		ServiceID: row.ReadServiceID(body.ServiceID, body.ServiceID2, rejected),
		Notes:     row.ReadNotes(body.Notes, rejected),
	}
	if body.Class.Present {
		req.Class = row.ReadClass(body.Class, rejected)
	}
	if body.AppointID.Present {
		req.AppointmentID = row.ReadRecordID("appointment_id", body.AppointID, rejected)
	}
	if body.Language.Present {
		req.Language = ReadLanguage(body.Language, rejected)
	}
	if body.Documents.Present {
		req.Documents = papers.ReadNew(body.Documents, rejected)
	}
	if body.ToldBy.Present {
		req.ToldBy = papers.ReadMeans("told_by", body.ToldBy, rejected)
	}
	if body.Messages.Wrong {
		rejected.Reject("messages", messagesText)
	}
	req.Messages = body.Messages.Value
	return req
}

// ReadLanguage reads a language of the screens.
func ReadLanguage(field wire.Field[string], rejected *fault.Fields) string {
	if field.Wrong || !slices.Contains(office.Languages, field.Value) {
		rejected.Reject("language", row.LanguageWrong)
	}
	return field.Value
}

// Visit returns the visit to register. It has no token, service name or times yet.
func (c Form) Visit(id string, by visit.Actor) visit.Visit {
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
