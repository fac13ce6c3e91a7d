package office

import (
	_ "embed"
	"errors"
	"fmt"
	"os"
	"reflect"

	"github.com/go-json-experiment/json"
)

// Default is the office document of an installation without one of its own.
//
//go:embed office.json
var Default []byte

// ReadFile reads and checks the office document in a file, or Default if name is "". Every error starts with
// OFFICE_FILE, the setting that names the file.
func ReadFile(name string) (Document, error) {
	data := Default
	if name != "" {
		var err error
		if data, err = os.ReadFile(name); err != nil {
			return Document{}, fmt.Errorf("OFFICE_FILE: %w", err)
		}
	}
	document, err := Read(data)
	if err != nil {
		return Document{}, fmt.Errorf("OFFICE_FILE: %w", err)
	}
	return document, nil
}

// Read decodes and checks an office document. Invalid keys are Problems: first those by Schema, then those by the rules
// between keys. Keys that may be missing get their defaults: a document without languages offers English, and one
// without checkIn has no self check-in. Several entries of hours with the same days are read as one with breaks.
func Read(data []byte) (Document, error) {
	document, err := decode(data)
	if err != nil {
		return Document{}, err
	}
	document.Hours = joined(document.Hours)
	if err := document.check(); err != nil {
		return Document{}, err
	}
	return document, nil
}

// Stored decodes a document that was valid when it was stored, without the rules that a release may have added since.
func Stored(data []byte) (Document, error) {
	document := withDefaults()
	err := json.Unmarshal(data, &document)
	document.Hours = joined(document.Hours)
	return document, err
}

// ForOlder returns the document in the form in which releases without breaks and appointments encode it.
func (d Document) ForOlder() Document {
	d.Hours = split(d.Hours)
	if reflect.DeepEqual(d.Appointments, DefaultAppointments()) {
		d.Appointments = Appointments{}
	}
	return d
}

// decode decodes a document with its defaults, without the rules of check.
func decode(data []byte) (Document, error) {
	var whole any
	if err := json.Unmarshal(data, &whole); err != nil {
		return Document{}, err
	}
	if err := checkSchema(whole); err != nil {
		return Document{}, err
	}
	document := withDefaults()
	err := json.Unmarshal(data, &document, json.RejectUnknownMembers(true))
	// Schema sets no limit to some numbers, which then do not fit an int.
	var unfit *json.SemanticError
	if errors.As(err, &unfit) {
		err = Problems{{Key: string(unfit.JSONPointer), What: "cannot be read", Code: InvalidValue}}
	}
	return document, err
}

// withDefaults returns a document that has only the values of optional keys.
func withDefaults() Document {
	return Document{
		Queue: DefaultPolicy(), Languages: []string{"en"}, CheckIn: CheckInOff, Back: BackAsk,
		Messages: MessagesOff, Appointments: DefaultAppointments(),
	}
}
