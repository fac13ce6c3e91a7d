package fault

import "maps"

// FieldCode names what is wrong with a field. FieldCode of services/contract/common.yaml lists the same codes; a test
// of package services compares the two.
type FieldCode string

// The codes of invalid fields, with the parameters that their messages carry.
const (
	CodeRequired      FieldCode = "required"
	CodeTooLong       FieldCode = "too_long"           // max, in characters
	CodeTooMany       FieldCode = "too_many"           // max
	CodeIllegalText   FieldCode = "illegal_characters" // a character that no field of the API accepts
	CodeInvalidText   FieldCode = "invalid_text"       // max, in characters; min where an empty text is invalid too
	CodeInvalidPhone  FieldCode = "invalid_phone"
	CodeInvalidEmail  FieldCode = "invalid_email"
	CodeUnknownChoice FieldCode = "unknown_choice"
	CodeInvalidFlag   FieldCode = "invalid_flag"
	CodeContradiction FieldCode = "contradiction"  // two names of one field have different values
	CodeInvalidNumber FieldCode = "invalid_number" // min and max where the message names them
	CodeInvalidDate   FieldCode = "invalid_date"
	CodeDateInPast    FieldCode = "date_in_past"
	CodeDateTooFar    FieldCode = "date_too_far"
	CodeTimeInPast    FieldCode = "time_in_past"
	CodeEndFirst      FieldCode = "end_before_start"
	CodeRangeTooLong  FieldCode = "range_too_long" // max, in days
	CodeInvalidCount  FieldCode = "invalid_count"  // min, max
	CodeInvalidItem   FieldCode = "invalid_item"   // item, counted from 1
	CodeInvalidKey    FieldCode = "invalid_key"    // min, max, in characters
	CodeInvalidDigest FieldCode = "invalid_digest"
	CodeInvalidValue  FieldCode = "invalid_value" // a value that breaks a rule of its field or of others
	CodeNewVersion    FieldCode = "new_version"   // a changed text has the version of the one before
)

// Params are the values that a sentence names: texts and whole numbers. A client that translates the sentence by its
// code inserts them.
type Params map[string]any

func (p Params) with(name string, value any) Params {
	all := maps.Clone(p)
	if all == nil {
		all = Params{}
	}
	all[name] = value
	return all
}

// Message is what is wrong with one field: a code, the English sentence, and the values that the sentence names.
type Message struct {
	Code     FieldCode
	Sentence string
	Params   Params
}

// NewMessage returns a message without values.
func NewMessage(code FieldCode, sentence string) Message {
	return Message{Code: code, Sentence: sentence}
}

// With returns a copy of the message with a value that its sentence names.
func (m Message) With(name string, value any) Message {
	m.Params = m.Params.with(name, value)
	return m
}

// The messages that several services send.
var (
	NameIllegal = NewMessage(CodeIllegalText,
		"Please use only letters, digits and punctuation in the name")
	NothingGiven = NewMessage(CodeRequired, "Please change at least one field")
)
