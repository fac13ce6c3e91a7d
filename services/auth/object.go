package auth

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"baari.dev/services/auth/account"
	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/wire"
)

const (
	mediaJSON = "application/json"
	mediaForm = "application/x-www-form-urlencoded"
)

// object is the body of a call of /api/auth, or its query. Its members are asked for one by one, and what is
// wrong with them is collected in better-auth's words.
type object struct {
	place   string // "body" or "query"
	members map[string]jsontext.Value
	missing bool // there was no body at all
	issues  []string
}

// readObject reads a body of the media types that a call takes. Keys that differ from a known one only in case
// are refused like broken JSON. A body that is not there, or no object, is an issue of the object.
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
		o.refuse("", expected("object", data))
		return o, nil
	}
	if err := json.Unmarshal(data, &o.members); err != nil {
		return nil, fault.ErrBadBody.Because(err)
	}
	return o, o.refuseVariants(known)
}

// mediaType is the kind of the body, or the refusal of any other.
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

// queryObject is the query of a call, each member a text.
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

// refuseVariants: "ROLE" beside a known "role" could mean something else to another reader of the same text.
func (o *object) refuseVariants(known []string) error {
	for key := range o.members {
		for _, name := range known {
			if key != name && strings.EqualFold(key, name) {
				return fault.ErrBadBody
			}
		}
	}
	return nil
}

// has reports whether a member is there with a value that is not null.
func (o *object) has(name string) bool {
	value, ok := o.members[name]
	return ok && value.Kind() != 'n'
}

// text is a member that must be there.
func (o *object) text(name string) string {
	value, ok := o.members[name]
	var text string
	if !ok || value.Kind() != '"' || json.Unmarshal(value, &text) != nil {
		o.refuse(name, expected("string", value))
	}
	return text
}

// optionalText is a member that may be missing, but not of another type.
func (o *object) optionalText(name string) string {
	if _, ok := o.members[name]; !ok {
		return ""
	}
	return o.text(name)
}

// flag is a member that may be missing, then otherwise is its value.
func (o *object) flag(name string, otherwise bool) bool {
	value, ok := o.members[name]
	switch {
	case !ok:
		return otherwise
	case value.Kind() != 't' && value.Kind() != 'f':
		o.refuse(name, expected("boolean", value))
	}
	return value.Kind() == 't'
}

// email is a member that must be an address; it is folded.
func (o *object) email(name string) string {
	before := len(o.issues)
	address := o.text(name)
	if len(o.issues) == before && !account.ValidEmail(address) {
		o.refuse(name, "Invalid email address")
	}
	return account.FoldEmail(address)
}

// name is a person's name: it may be empty, but not long or made of controls.
func (o *object) name(name string) string {
	text := wire.Clean(o.text(name), false)
	switch {
	case text.Illegal:
		o.refuse(name, nameIllegal)
	case text.Length > maxName:
		o.refuse(name, nameLong)
	}
	return text.Value
}

// maxImage bounds the address of a picture.
const maxImage = 2000

// image is the address of a picture, nil when it is missing or null.
func (o *object) image(name string) *string {
	if !o.has(name) {
		return nil
	}
	text := wire.Clean(o.text(name), false)
	if text.Illegal || text.Length > maxImage {
		o.refuse(name, "Invalid URL")
	}
	return &text.Value
}

func (o *object) refuse(name, sentence string) {
	place := o.place
	if name != "" {
		place += "." + name
	}
	o.issues = append(o.issues, "["+place+"] "+sentence)
}

// err is nil when no member was refused, else one fault with all sentences.
func (o *object) err() error {
	if o.missing && len(o.issues) > 0 {
		o.issues = []string{"[" + o.place + "] " + expected("object", nil)}
	}
	if len(o.issues) == 0 {
		return nil
	}
	return invalid(strings.Join(o.issues, "; "))
}

func invalid(message string) error { return fault.New(fault.Invalid, "VALIDATION_ERROR", message) }

// expected is what better-auth's validator says of a value of another type; nil is a missing one.
func expected(kind string, value jsontext.Value) string {
	received := "undefined"
	if len(value) > 0 {
		received = map[jsontext.Kind]string{
			'n': "null", 't': "boolean", 'f': "boolean", '"': "string", '0': "number", '{': "object", '[': "array",
		}[value.Kind()]
	}
	return "Invalid input: expected " + kind + ", received " + received
}
