package directory

import (
	"fmt"
	"net/http"
	"slices"

	"github.com/google/uuid"

	"baari.dev/services/contract"
	"baari.dev/services/office"
	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/wire"
)

// The lengths of the longest texts, in characters, and of the longest lists.
const (
	longestName           = 100
	longestMessage        = 1000
	longestSpecialization = 80
	mostSpecializations   = 20
	mostServed            = 100
	longestCounter        = 12
)

// Messages for invalid fields. Where docs/spec-items.tsv has a message, it is used.
var (
	nameMissing     = fault.NewMessage(fault.CodeRequired, "Name is required")
	descriptionLong = fault.NewMessage(fault.CodeTooLong, "Please shorten the description to 500 characters").
			With("max", office.MaxServiceDescription)
	descriptionIllegal = fault.NewMessage(fault.CodeIllegalText,
		"Please use only letters, digits and punctuation in the description")
	textsWrong = fault.NewMessage(fault.CodeInvalidText,
		"Please enter the translations in letters, digits and punctuation: names of up to 80, descriptions of up to 500").
		With("name", office.MaxServiceName).With("description", office.MaxServiceDescription)
	documentsWrong = fault.NewMessage(fault.CodeInvalidText,
		"Please enter each paper in 1 to 120 letters, digits and punctuation, in languages of the list").
		With("min", 1).With("max", office.MaxDocumentLabel)
	documentsMany = fault.NewMessage(fault.CodeTooMany, "Please enter at most 30 papers").
			With("max", office.MaxServiceDocuments)
	minutesWrong = fault.NewMessage(fault.CodeInvalidNumber, "Please enter the minutes as a number from 1 to 480").
			With("min", 1).With("max", office.MaxServiceMinutes)
	activeWrong = fault.NewMessage(fault.CodeInvalidFlag, "Please say 1 for active or 0 for inactive")

	specializationMissing = fault.NewMessage(fault.CodeRequired, "Please enter at least one specialization")
	specializationMany    = fault.NewMessage(fault.CodeTooMany, "Please enter at most 20 specializations").
				With("max", mostSpecializations)
	specializationWrong = fault.NewMessage(fault.CodeInvalidText,
		"Please enter each specialization in 1 to 80 letters, digits and punctuation").
		With("min", 1).With("max", longestSpecialization)
	servesWrong = fault.NewMessage(fault.CodeUnknownChoice, "Please choose the services from the list")
	servesMany  = fault.NewMessage(fault.CodeTooMany, "Please choose at most 100 services").With("max", mostServed)

	counterLong = fault.NewMessage(fault.CodeTooLong, "Please shorten the counter to 12 characters").
			With("max", longestCounter)
	counterIllegal = fault.NewMessage(fault.CodeIllegalText,
		"Please use only letters, digits and punctuation in the counter")
)

func nameLong(longest int) fault.Message {
	sentence := fmt.Sprintf("Please shorten the name to %d characters", longest)
	return fault.NewMessage(fault.CodeTooLong, sentence).With("max", longest)
}

func readName(field wire.Field[string], longest int, rejected *fault.Fields) string {
	return wire.TextRule{
		Field: "name", Most: longest, Missing: nameMissing, Illegal: fault.NameIllegal, Long: nameLong(longest),
	}.Read(field, rejected)
}

// saveServiceRequest is a validated request to add a service or to change one. ID is "" for a new service.
type saveServiceRequest struct {
	ID   string
	Save SaveService
}

type saveServiceBody struct {
	Name        wire.Field[string] `json:"name"`
	Description wire.Field[string] `json:"description"`
	EstMinutes  wire.Field[int]    `json:"est_minutes"`
	IsActive    wire.Field[int]    `json:"is_active"`
	Group       wire.Field[string] `json:"group"`

	Texts wire.Field[map[string]contract.ServiceText] `json:"texts"`

	Documents wire.Field[[]contract.ServiceDocument] `json:"documents"`
}

func readSaveService(r *http.Request) (saveServiceRequest, error) {
	var body saveServiceBody
	if err := wire.Read(r, &body); err != nil {
		return saveServiceRequest{}, err
	}
	var rejected fault.Fields
	save := SaveService{
		Name:        readName(body.Name, office.MaxServiceName, &rejected),
		Description: readDescription(body.Description, &rejected),
		EstMinutes:  body.EstMinutes.Value,
		IsActive:    readActive(body.IsActive, &rejected),
		Texts:       readTexts(body.Texts, &rejected),
		Documents:   readDocuments(body.Documents, &rejected),
	}
	if body.Group.Present {
		save.Group = &body.Group.Value
		rejectGroup(body.Group, &rejected)
	}
	if m := body.EstMinutes; !m.Present || m.Wrong || m.Value < 1 || m.Value > office.MaxServiceMinutes {
		rejected.Reject("est_minutes", minutesWrong)
	}
	return saveServiceRequest{ID: r.PathValue("id"), Save: save}, rejected.Err()
}

func readDescription(field wire.Field[string], rejected *fault.Fields) *string {
	if !field.Present {
		return nil
	}
	text := wire.TextRule{
		Field: "description", Most: office.MaxServiceDescription, Multiline: true,
		Illegal: descriptionIllegal, Long: descriptionLong,
	}.Read(field, rejected)
	return &text
}

// readTexts reads the translations of a service. A language without a text is left out.
func readTexts(
	field wire.Field[map[string]contract.ServiceText], rejected *fault.Fields,
) map[string]contract.ServiceText {
	if !field.Present {
		return nil
	}
	texts := map[string]contract.ServiceText{}
	wrong := field.Wrong
	for language, given := range field.Value {
		name, description := wire.Clean(given.Name, false), wire.Clean(given.Description, true)
		wrong = wrong || !slices.Contains(office.Languages, language) || name.Illegal || description.Illegal ||
			name.Length > office.MaxServiceName || description.Length > office.MaxServiceDescription
		if !name.Empty || !description.Empty {
			texts[language] = contract.ServiceText{Name: name.Value, Description: description.Value}
		}
	}
	if wrong {
		rejected.Reject("texts", textsWrong)
	}
	return texts
}

// readDocuments reads the papers of a service. It adds missing keys, and omits languages without a label.
func readDocuments(
	field wire.Field[[]contract.ServiceDocument], rejected *fault.Fields,
) []contract.ServiceDocument {
	switch {
	case !field.Present:
		return nil
	case len(field.Value) > office.MaxServiceDocuments:
		rejected.Reject("documents", documentsMany)
		return nil
	}
	wrong, keys := field.Wrong, map[string]bool{}
	documents := make([]contract.ServiceDocument, len(field.Value))
	for i, given := range field.Value {
		read, ok := readServiceDocument(given)
		wrong = wrong || !ok || keys[read.Key]
		keys[read.Key] = true
		documents[i] = read
	}
	if wrong {
		rejected.Reject("documents", documentsWrong)
	}
	return documents
}

func readServiceDocument(given contract.ServiceDocument) (read contract.ServiceDocument, ok bool) {
	label := wire.Clean(given.Label, false)
	read = contract.ServiceDocument{
		Key: given.Key, Label: label.Value, Required: given.Required, Labels: map[string]string{},
	}
	if read.Key == "" {
		read.Key = uuid.NewString()
	}
	ok = office.ValidDocumentKey(read.Key) && validLabel(label) && !label.Empty
	for language, given := range given.Labels {
		translated := wire.Clean(given, false)
		ok = ok && validLabel(translated) && slices.Contains(office.Languages, language)
		if !translated.Empty {
			read.Labels[language] = translated.Value
		}
	}
	return read, ok
}

func validLabel(label wire.Text) bool {
	return !label.Illegal && label.Length <= office.MaxDocumentLabel
}

func readActive(field wire.Field[int], rejected *fault.Fields) *bool {
	if !field.Present {
		return nil
	}
	if field.Wrong || field.Value != 0 && field.Value != 1 {
		rejected.Reject("is_active", activeWrong)
	}
	active := field.Value == 1
	return &active
}

// specializeRequest is a validated request to set a consultant's skills, services and desk number.
type specializeRequest struct {
	ID     string
	Skills Skills
}

type specializeBody struct {
	Specialization wire.Field[[]string] `json:"specialization"`
	Serves         wire.Field[[]string] `json:"serves"`
	Counter        wire.Field[string]   `json:"counter"`
}

func readSpecialize(r *http.Request) (specializeRequest, error) {
	var body specializeBody
	if err := wire.Read(r, &body); err != nil {
		return specializeRequest{}, err
	}
	var rejected fault.Fields
	req := specializeRequest{ID: r.PathValue("id"), Skills: Skills{
		Specialization: readSpecialization(body.Specialization, &rejected), Counter: readCounter(body.Counter, &rejected),
	}}
	if !body.Specialization.Present && !body.Serves.Present && !body.Counter.Present {
		rejected.Reject("specialization", specializationMissing)
	}
	if err := rejected.Err(); err != nil {
		return req, err
	}
	var err error
	req.Skills.Serves, err = readServes(body.Serves)
	return req, err
}

// readCounter reads the number of a consultant's desk. It returns nil if the field is absent.
func readCounter(field wire.Field[string], rejected *fault.Fields) *string {
	if !field.Present {
		return nil
	}
	text := wire.TextRule{Field: "counter", Most: longestCounter, Illegal: counterIllegal, Long: counterLong}.
		Read(field, rejected)
	return &text
}

// readSpecialization reads a consultant's skills. It returns nil if the field is absent.
func readSpecialization(field wire.Field[[]string], rejected *fault.Fields) (specialization []string) {
	switch {
	case !field.Present && !field.Null:
		return nil
	case field.Wrong || len(field.Value) == 0:
		rejected.Reject("specialization", specializationMissing)
		return nil
	case len(field.Value) > mostSpecializations:
		rejected.Reject("specialization", specializationMany)
		return nil
	}
	for _, one := range field.Value {
		text := wire.Clean(one, false)
		if text.Empty || text.Illegal || text.Length > longestSpecialization {
			rejected.Reject("specialization", specializationWrong)
			return nil
		}
		specialization = append(specialization, text.Value)
	}
	return specialization
}

// readServes returns the ids of services in order, without duplicates, or nil if the field is absent. It returns
// errServiceUnknown for a text that is not an id; the transaction returns it for an id that no service has.
func readServes(field wire.Field[[]string]) ([]string, error) {
	switch {
	case !field.Present:
		return nil, nil
	case field.Wrong:
		return nil, fault.Field("serves", servesWrong)
	case len(field.Value) > mostServed:
		return nil, fault.Field("serves", servesMany)
	}
	serves := make([]string, 0, len(field.Value))
	for _, one := range field.Value {
		id, err := uuid.Parse(one)
		if err != nil {
			return nil, errServiceUnknown.Because(err)
		}
		serves = append(serves, id.String())
	}
	slices.Sort(serves)
	return slices.Compact(serves), nil
}

func missing(field wire.Field[string]) bool {
	return !field.Present || !field.Wrong && field.Value == ""
}

// recordID reports whether id has the form of an id of directory, a UUID of 36 characters. The length is checked,
// because uuid.Parse also accepts other forms, one of which PostgreSQL rejects.
func recordID(id string) bool {
	_, err := uuid.Parse(id)
	return err == nil && len(id) == 36
}

// userID reports whether id has the form of auth's user ids: letters and digits only.
func userID(id string) bool {
	for i := range len(id) {
		c := id[i]
		if (c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z') {
			return false
		}
	}
	return id != ""
}
