// Package wire reads and writes JSON strictly: exact key names, no duplicate keys, valid UTF-8, a bounded body. Members
// decode into [Field], so that a value of a wrong type is rejected with that field's message, not with the parser's.
// Texts and phone numbers that people type are normalised.
package wire

import (
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"io"
	"mime"
	"net/http"
	"reflect"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"baari.dev/services/platform/fault"
)

// MaxBody is the largest request body, in bytes.
const MaxBody = 64 << 10

// Field is one member of a request object: present or not, null, of the right type or not.
type Field[T any] struct {
	Value   T
	Present bool // the key has a value other than null
	Null    bool // the key has the value null
	Wrong   bool // the value does not fit T; Value is then zero
}

// UnmarshalJSON sets Wrong for a value of another type instead of failing, so that the response has the field's
// message.
func (f *Field[T]) UnmarshalJSON(data []byte) error {
	if string(data) == "null" {
		*f = Field[T]{Null: true}
		return nil
	}
	var value T
	if wrong := json.Unmarshal(data, &value) != nil; wrong {
		*f = Field[T]{Present: true, Wrong: true}
	} else {
		*f = Field[T]{Value: value, Present: true}
	}
	return nil
}

// Read decodes the JSON object of r's body into a struct; into is a pointer to it. It returns fault.ErrMediaType,
// fault.ErrTooLarge or fault.ErrBadBody; unknown keys are ignored. A body is also bad if a key differs from a known one
// only in case or is repeated, or if it has unknown keys only, because then it is not what its sender meant.
func Read(r *http.Request, into any) error { return ReadUpTo(r, MaxBody, into) }

// ReadUpTo is Read for a body of at most most bytes.
func ReadUpTo(r *http.Request, most int64, into any) error {
	if MediaType(r) != "application/json" {
		return fault.ErrMediaType
	}
	data, err := body(r, most)
	if err != nil {
		return err
	}
	return Decode(data, into)
}

// MediaType returns the media type of r's body without its parameters. It is "" if there is none, or if the body claims
// a charset other than UTF-8 or a content coding (a body is never decompressed).
func MediaType(r *http.Request) string {
	kind, parameters, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	charset, stated := parameters["charset"]
	if err != nil || stated && !strings.EqualFold(charset, "utf-8") {
		return ""
	}
	for _, coding := range r.Header.Values("Content-Encoding") {
		if !strings.EqualFold(strings.TrimSpace(coding), "identity") {
			return ""
		}
	}
	return kind
}

// ReadLarge decodes the body of a call between services into plain fields. The caller has limited the body's size.
func ReadLarge(r *http.Request, into any) error {
	if err := json.UnmarshalRead(r.Body, into); err != nil {
		return fault.ErrBadBody.Because(err)
	}
	return nil
}

// Body reads the whole body, at most MaxBody bytes; more is fault.ErrTooLarge.
func Body(r *http.Request) ([]byte, error) { return body(r, MaxBody) }

func body(r *http.Request, most int64) ([]byte, error) {
	data, err := io.ReadAll(http.MaxBytesReader(nil, r.Body, most))
	if err != nil {
		var large *http.MaxBytesError
		if errors.As(err, &large) {
			return nil, fault.ErrTooLarge
		}
		return nil, fault.ErrBadBody.Because(err)
	}
	return data, nil
}

// Decode reads one JSON object into a struct; into is a pointer to it. Anything else is fault.ErrBadBody.
func Decode(data []byte, into any) error {
	value := jsontext.Value(data)
	if value.Kind() != '{' {
		return fault.ErrBadBody
	}
	if err := rejectKeys(value, into); err != nil {
		return err
	}
	if err := json.Unmarshal(data, into); err != nil {
		return fault.ErrBadBody.Because(err)
	}
	return nil
}

// rejectKeys rejects top-level keys that differ from a known key only in case: "ROLE" next to "role" could be read
// differently by another parser. It also rejects an object none of whose keys is known.
func rejectKeys(value jsontext.Value, into any) error {
	var members map[string]jsontext.Value
	if err := json.Unmarshal(value, &members); err != nil {
		return fault.ErrBadBody.Because(err)
	}
	known := len(members) == 0
	for _, field := range reflect.VisibleFields(reflect.TypeOf(into).Elem()) {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		for key := range members {
			if key != name && strings.EqualFold(key, name) {
				return fault.ErrBadBody
			}
			known = known || key == name
		}
	}
	if !known {
		return fault.ErrBadBody
	}
	return nil
}

// Write writes v as a JSON response with status.
func Write(w http.ResponseWriter, status int, v any) error {
	data, err := json.Marshal(v, json.Deterministic(true))
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, err = w.Write(data)
	return err
}

// WriteTagged writes v as a JSON response with an ETag, or responds with 304 if the caller already has that tag. The
// tag depends on the last argument only: v itself, or the part of v whose changes the caller must see.
func WriteTagged(w http.ResponseWriter, r *http.Request, v, of any) error {
	tagged, err := json.Marshal(of, json.Deterministic(true))
	if err != nil {
		return err
	}
	sum := sha256.Sum256(tagged)
	tag := `"` + base64.RawURLEncoding.EncodeToString(sum[:12]) + `"`
	w.Header().Set("ETag", tag)
	if r.Header.Get("If-None-Match") == tag {
		w.WriteHeader(http.StatusNotModified)
		return nil
	}
	return Write(w, http.StatusOK, v)
}

// Time is a timestamp in JSON: RFC 3339, UTC, milliseconds.
type Time time.Time

const layout = "2006-01-02T15:04:05.000Z"

// MarshalText writes t in UTC with milliseconds.
func (t Time) MarshalText() ([]byte, error) {
	return []byte(time.Time(t).UTC().Format(layout)), nil
}

// UnmarshalText reads any RFC 3339 time that can be written again in UTC.
func (t *Time) UnmarshalText(text []byte) error {
	parsed, err := time.Parse(time.RFC3339Nano, string(text))
	if err != nil {
		return err
	}
	if year := parsed.UTC().Year(); year < 0 || year > 9999 {
		return errors.New("a year has four digits")
	}
	*t = Time(parsed)
	return nil
}

// TextOf returns a pointer to text, or nil if text is "".
func TextOf(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

// TimeOf converts an optional time. nil stays nil.
func TimeOf(t *time.Time) *Time {
	if t == nil {
		return nil
	}
	w := Time(*t)
	return &w
}
