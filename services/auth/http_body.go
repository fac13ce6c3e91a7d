package auth

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"baari.dev/services/auth/account"
	offices "baari.dev/services/office"
	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/wire"
)

const (
	mediaJSON = "application/json"
	mediaForm = "application/x-www-form-urlencoded"
)

// object is the body or the query of a call of /api/auth. Its methods read members one by one and collect better-auth's
// messages about invalid members; err returns them as one fault.
type object struct {
	place   string // "body" or "query"
	members map[string]jsontext.Value
	missing bool // there is no body
	issues  []string
	fields  fault.Fields // the product's messages, for people
}

// readObject reads a JSON body or, if form is true, also a form body. It returns an error for another media type, an
// invalid body, and a JSON key that differs from a known one only in case. JSON other than an object is an issue of the
// returned object; a missing body becomes one when a required member is read.
func readObject(r *http.Request, form bool, known ...string) (*object, error) {
	data, err := wire.Body(r)
	if err != nil {
		return nil, err
	}
	o := &object{place: "body", missing: len(data) == 0}
	if o.missing {
		return o, nil
	}
	kind, err := mediaType(r, form)
	if err != nil {
		return nil, err
	}
	if kind == mediaForm {
		o.members, err = formMembers(data)
		return o, err
	}
	if !jsontext.Value(data).IsValid() {
		return nil, fault.ErrBadBody
	}
	if jsontext.Value(data).Kind() != '{' {
		o.reject("", expected("object", data))
		return o, nil
	}
	if err := json.Unmarshal(data, &o.members); err != nil {
		return nil, fault.ErrBadBody.Because(err)
	}
	return o, o.rejectVariants(known)
}

// mediaType returns the media type of the body, or a fault if the call does not accept it.
func mediaType(r *http.Request, form bool) (string, error) {
	allowed := []string{mediaJSON}
	if form {
		allowed = []string{mediaForm, mediaJSON}
	}
	given := r.Header.Get("Content-Type")
	kind := wire.MediaType(r)
	for _, one := range allowed {
		if kind == one {
			return kind, nil
		}
	}
	sentence := fmt.Sprintf("Content-Type %q is not allowed. Allowed types: %s", given, strings.Join(allowed, ", "))
	if given == "" {
		sentence = "Content-Type is required. Allowed types: " + strings.Join(allowed, ", ")
	}
	return "", fault.New(fault.MediaType, "UNSUPPORTED_MEDIA_TYPE", sentence)
}

func formMembers(data []byte) (map[string]jsontext.Value, error) {
	values, err := url.ParseQuery(string(data))
	if err != nil {
		return nil, fault.ErrBadBody.Because(err)
	}
	members := map[string]jsontext.Value{}
	for key, list := range values {
		if len(list) != 1 {
			return nil, fault.ErrBadBody
		}
		if members[key], err = json.Marshal(list[0]); err != nil {
			return nil, fault.ErrBadBody.Because(err)
		}
	}
	return members, nil
}

// queryObject returns the query of a call, each member a text.
func queryObject(r *http.Request) (*object, error) {
	o := &object{place: "query", members: map[string]jsontext.Value{}}
	for key, list := range r.URL.Query() {
		value, err := json.Marshal(strings.ToValidUTF8(list[0], "\uFFFD"))
		if err != nil {
			return nil, err
		}
		o.members[key] = value
	}
	return o, nil
}

// rejectVariants returns an error for keys such as "ROLE" where "role" is known: parsers that ignore case would read
// them as the same member.
func (o *object) rejectVariants(known []string) error {
	for key := range o.members {
		for _, name := range known {
			if key != name && strings.EqualFold(key, name) {
				return fault.ErrBadBody
			}
		}
	}
	return nil
}

// names reports whether a member is present, even if it is null.
func (o *object) names(name string) bool {
	_, ok := o.members[name]
	return ok
}

// has reports whether a member is present and not null.
func (o *object) has(name string) bool {
	value, ok := o.members[name]
	return ok && value.Kind() != 'n'
}

// text returns the text of a required member.
func (o *object) text(name string) string {
	value, ok := o.members[name]
	var text string
	if !ok || value.Kind() != '"' || json.Unmarshal(value, &text) != nil {
		o.reject(name, expected("string", value))
	}
	return text
}

// optionalText returns the text of a member, "" if the member is missing.
func (o *object) optionalText(name string) string {
	if _, ok := o.members[name]; !ok {
		return ""
	}
	return o.text(name)
}

// flag returns the boolean value of a member, or the given default if the member is missing.
func (o *object) flag(name string, otherwise bool) bool {
	value, ok := o.members[name]
	switch {
	case !ok:
		return otherwise
	case value.Kind() != 't' && value.Kind() != 'f':
		o.reject(name, expected("boolean", value))
	}
	return value.Kind() == 't'
}

// email returns a required e-mail address, folded and without surrounding spaces.
func (o *object) email(name string) string {
	before := len(o.issues)
	address := wire.Trim(o.text(name))
	if len(o.issues) == before && !account.ValidEmail(address) {
		o.reject(name, "Invalid email address")
		o.fields.Reject(name, emailWrong)
	}
	return account.FoldEmail(address)
}

// name returns a required name, cleaned. An empty name is accepted.
func (o *object) name(name string) string {
	text := wire.Clean(o.text(name), false)
	switch {
	case text.Illegal || wire.HasAddress(text.Value):
		o.reject(name, fault.NameIllegal.Sentence)
		o.fields.Reject(name, fault.NameIllegal)
	case text.Length > maxName:
		o.reject(name, nameLong.Sentence)
		o.fields.Reject(name, nameLong)
	}
	return text.Value
}

// maxImage is the length of the longest URL of a picture, in runes.
const maxImage = 2000

// image returns the URL of a picture, nil if the member is missing or null.
func (o *object) image(name string) *string {
	if !o.has(name) {
		return nil
	}
	text := wire.Clean(o.text(name), false)
	if text.Illegal || text.Length > maxImage {
		o.reject(name, "Invalid URL")
	}
	return &text.Value
}

// language returns a required language of the screens.
func (o *object) language(name string) string {
	before := len(o.issues)
	language := o.text(name)
	if len(o.issues) == before && !slices.Contains(offices.Languages, language) {
		o.reject(name, `Invalid option: expected one of "`+strings.Join(offices.Languages, `"|"`)+`"`)
	}
	return language
}

// reject adds an issue with a member, or with the object itself if name is "".
func (o *object) reject(name, sentence string) {
	place := o.place
	if name != "" {
		place += "." + name
	}
	o.issues = append(o.issues, "["+place+"] "+sentence)
}

// err returns one fault with all issues, nil without issues.
func (o *object) err() error {
	if o.missing && len(o.issues) > 0 {
		o.issues = []string{"[" + o.place + "] " + expected("object", nil)}
	}
	if len(o.issues) == 0 {
		return nil
	}
	return invalid(strings.Join(o.issues, "; ")).Because(o.fields.Err())
}

func invalid(message string) *fault.Fault { return fault.New(fault.Invalid, codeInvalid, message) }

const codeInvalid = "VALIDATION_ERROR"

// expected returns the message of better-auth's validator for a value of another type. value is nil if it is missing.
func expected(kind string, value jsontext.Value) string {
	received := "undefined"
	if len(value) > 0 {
		received = map[jsontext.Kind]string{
			'n': "null", 't': "boolean", 'f': "boolean", '"': "string", '0': "number", '{': "object", '[': "array",
		}[value.Kind()]
	}
	return "Invalid input: expected " + kind + ", received " + received
}
