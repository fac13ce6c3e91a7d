package office

import (
	_ "embed"
	"errors"
	"fmt"
	"maps"
	"os"
	"reflect"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
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

// Read decodes and checks an office document. The error names the first key that is unknown or has a wrong type, else
// all missing keys, else all invalid keys. Missing keys of queue have the values of DefaultPolicy. A document without
// languages offers English, and one without checkIn has no self check-in. Several entries of hours with the same days
// are read as one entry with breaks. Errors in keys are Problems.
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

// readStored reads a document that Read has returned before, with changes: entries of hours are not joined.
func readStored(data []byte) (Document, error) {
	document, err := decode(data)
	if err != nil {
		return Document{}, err
	}
	return document, document.check()
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
	document := Document{
		Queue: DefaultPolicy(), Languages: []string{"en"}, CheckIn: CheckInOff, Back: BackAsk,
		Messages: MessagesOff, Appointments: DefaultAppointments(),
	}
	if err := json.Unmarshal(data, &document, json.RejectUnknownMembers(true)); err != nil {
		return Document{}, named(err)
	}
	if err := missing(data, document); err != nil {
		return Document{}, err
	}
	return document, nil
}

// named prefixes a decoding error with the key that is unknown, is repeated, or has a wrong type.
func named(err error) error {
	var semantic *json.SemanticError
	if errors.As(err, &semantic) {
		return Problems{{string(semantic.JSONPointer), "is invalid: " + err.Error()}}
	}
	var syntactic *jsontext.SyntacticError
	if errors.As(err, &syntactic) {
		return fmt.Errorf("near key %s: %w", syntactic.JSONPointer, err)
	}
	return err
}

// missing returns an error that names each key of document that the file lacks, unless the key is optional.
func missing(data []byte, document Document) error {
	whole, err := json.Marshal(document)
	if err != nil {
		return err
	}
	var given any
	var wanted map[string]any
	if err := errors.Join(json.Unmarshal(data, &given), json.Unmarshal(whole, &wanted)); err != nil {
		return err
	}
	for _, optional := range []string{
		"queue", "languages", "checkIn", "back", "messages", "arrivalsKept", "appointments",
	} {
		delete(wanted, optional)
	}
	return absent("", given, wanted).err()
}

func absent(path string, given, wanted any) Problems {
	var problems Problems
	switch wanted := wanted.(type) {
	case map[string]any:
		members, _ := given.(map[string]any)
		for _, key := range slices.Sorted(maps.Keys(wanted)) {
			if value, known := members[key]; known {
				problems = append(problems, absent(path+"/"+key, value, wanted[key])...)
			} else {
				problems = append(problems, Problem{path + "/" + key, "is missing"})
			}
		}
	case []any:
		elements, _ := given.([]any)
		for i := range min(len(elements), len(wanted)) {
			problems = append(problems, absent(fmt.Sprintf("%s/%d", path, i), elements[i], wanted[i])...)
		}
	}
	return problems
}
