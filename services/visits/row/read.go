package row

import (
	"net/http"

	"github.com/google/uuid"

	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/wire"
	"baari.dev/services/visits/line"
)

// The messages for invalid fields of requests. Where docs/spec-items.tsv specifies a message, that message is used.
var (
	nameMissing = fault.NewMessage(fault.CodeRequired, "Name is required")
	nameLong    = fault.NewMessage(fault.CodeTooLong, "Please shorten the name to 100 characters").
			With("max", longestName)
	phoneMissing   = fault.NewMessage(fault.CodeRequired, "Phone number is required")
	serviceMissing = fault.NewMessage(fault.CodeRequired, "Please choose a service from the list")
	NotesLong      = fault.NewMessage(fault.CodeTooLong, "Please shorten the notes to 2,000 characters").
			With("max", LongestNotes)
	notesFull = fault.NewMessage(fault.CodeTooLong,
		"With the notes before, these do not fit. Please shorten them or leave them out")
	NotesIllegal = fault.NewMessage(fault.CodeIllegalText,
		"Please use only letters, digits and punctuation in the notes")
	LanguageWrong = fault.NewMessage(fault.CodeUnknownChoice, "Please choose a language from the list")
	RecordWrong   = fault.NewMessage(fault.CodeUnknownChoice, "Please choose an entry from the list")
	beforeWrong   = fault.NewMessage(fault.CodeUnknownChoice, "Please choose a visitor who is waiting")
	classWrong    = fault.NewMessage(fault.CodeUnknownChoice, "Please choose a class from the list")
)

const longestName = 100

// LongestNotes is the largest number of characters of notes.
const LongestNotes = 2000

// ReadName reads the name of a visitor.
func ReadName(field wire.Field[string], rejected *fault.Fields) string {
	return wire.TextRule{
		Field: "name", Most: longestName, Missing: nameMissing, Illegal: fault.NameIllegal, Long: nameLong,
	}.Read(field, rejected)
}

// ReadPhone reads a phone number of ten digits.
func ReadPhone(field wire.Field[string], rejected *fault.Fields) string {
	switch {
	case !field.Present || !field.Wrong && field.Value == "":
		rejected.Reject("phone", phoneMissing)
	case field.Wrong || !wire.IsPhone(field.Value):
		rejected.Reject("phone", wire.PhoneWrong)
	}
	return field.Value
}

// ReadServiceID reads a service's id under either of its two names. If both are present, they must be equal.
func ReadServiceID(first, second wire.Field[string], rejected *fault.Fields) string {
	id := first.Value
	if !first.Present {
		id = second.Value
	}
	disagree := first.Present && second.Present && first.Value != second.Value
	if id == "" || first.Wrong || second.Wrong || disagree {
		rejected.Reject("service_id", serviceMissing)
	}
	return id
}

// ReadNotes reads notes of several lines.
func ReadNotes(field wire.Field[string], rejected *fault.Fields) string {
	return wire.TextRule{
		Field: "notes", Most: LongestNotes, Multiline: true, Illegal: NotesIllegal, Long: NotesLong,
	}.Read(field, rejected)
}

// ReadID reads the id of a record from the path. It returns fault.ErrNotFound for a text that is not a UUID.
func ReadID(r *http.Request) (string, error) {
	id, err := uuid.Parse(r.PathValue("id"))
	if err != nil || len(r.PathValue("id")) != 36 {
		return "", fault.ErrNotFound
	}
	return id.String(), nil
}

// ReadRecordID reads the id of a record, a UUID.
func ReadRecordID(name string, field wire.Field[string], rejected *fault.Fields) string {
	id, err := uuid.Parse(field.Value)
	if err != nil || field.Wrong || len(field.Value) != 36 {
		rejected.Reject(name, RecordWrong)
		return ""
	}
	return id.String()
}

// ReadClass reads a class that a user can set.
func ReadClass(field wire.Field[string], rejected *fault.Fields) string {
	switch line.Class(field.Value) {
	case line.Normal, line.Deadline, line.Priority:
	default:
		rejected.Reject("class", classWrong)
	}
	return field.Value
}
