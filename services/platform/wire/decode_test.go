package wire_test

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/wire"
)

type named struct {
	Name wire.Field[string] `json:"name"`
}

type form struct {
	named
	Count wire.Field[int64]    `json:"count"`
	Tags  wire.Field[[]string] `json:"tags"`
}

func nested(depth int) string {
	return `{"name":"Asha","extra":` + strings.Repeat("[", depth-1) + strings.Repeat("]", depth-1) + `}`
}

// T10: a body is rejected if two JSON parsers could read it differently.
func TestABodyIsReadStrictly(t *testing.T) {
	cases := []struct {
		name, body string
		readable   bool
	}{
		{"an object", `{"name":"Asha","count":1}`, true},
		{"an empty object", `{}`, true},
		{"space around it", " {\"name\":\"Asha\"}\r\n", true},
		{"an unknown key", `{"name":"Asha","Other":{"a":1}}`, true},
		{"unknown keys only", `{"nane":"Asha","other":1}`, false},
		{"a key known in another case", `{"NAME":"Asha"}`, false},
		{"both cases of a key", `{"name":"Asha","Name":"Other"}`, false},
		{"a key that folds to a known one", "{\"tag\u017f\":[]}", false},
		{"a key twice", `{"name":"Asha","name":"Other"}`, false},
		{"an unknown key twice", `{"other":1,"other":2}`, false},
		{"a key twice, once escaped", `{"name":"Asha","n\u0061me":"Other"}`, false},
		{"a key twice inside", `{"other":{"a":1,"a":2}}`, false},
		{"trailing data", `{"name":"Asha"}{}`, false},
		{"a trailing comma", `{"name":"Asha",}`, false},
		{"a comment", `{"name":"Asha"/**/}`, false},
		{"nothing", ``, false},
		{"half an object", `{"name":"As`, false},
		{"an array", `[{"name":"Asha"}]`, false},
		{"a text", `"Asha"`, false},
		{"null", `null`, false},
		{"invalid UTF-8", "{\"name\":\"\xff\"}", false},
		{"invalid UTF-8 in a key", "{\"\xc3\":1}", false},
		{"a lone high surrogate", `{"name":"\ud800"}`, false},
		{"a lone low surrogate", `{"name":"\udc00"}`, false},
		{"a surrogate pair", `{"name":"\ud83d\ude00"}`, true},
		{"NUL as it is", "{\"name\":\"\x00\"}", false},
		{"10,000 levels", nested(10_000), true},
		{"10,001 levels", nested(10_001), false},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			var into form
			err := wire.Decode([]byte(c.body), &into)
			// ASVS 1.1.1, 1.5.2, 15.3.7
			if readable := err == nil; readable != c.readable {
				t.Errorf("readable: %v (%v), want %v", readable, err, c.readable)
			}
			if err != nil && !errors.Is(err, fault.ErrBadBody) {
				t.Errorf("rejected with %v, want bad_body", err)
			}
		})
	}
}

func TestAFieldReportsPresenceAndType(t *testing.T) {
	cases := []struct {
		name, body     string
		present, wrong bool
		value          string
	}{
		{"a text", `{"name":"Asha"}`, true, false, "Asha"},
		{"an empty text", `{"name":""}`, true, false, ""},
		{"no key", `{}`, false, false, ""},
		{"null", `{"name":null}`, false, false, ""},
		{"a number", `{"name":7}`, true, true, ""},
		{"an object", `{"name":{"a":1}}`, true, true, ""},
		{"true", `{"name":true}`, true, true, ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			var into form
			if err := wire.Decode([]byte(c.body), &into); err != nil {
				t.Fatal(err)
			}
			got := into.Name
			if got.Present != c.present || got.Wrong != c.wrong || got.Value != c.value {
				t.Errorf("read %+v, want present %v, wrong %v, %q", got, c.present, c.wrong, c.value)
			}
		})
	}
}

func TestAFieldOfTheWrongTypeHasNoValue(t *testing.T) {
	bodies := []string{
		`{"tags":["a",1]}`, `{"tags":"a"}`, `{"count":1.5}`, `{"count":"1"}`, `{"count":1e999}`,
		`{"count":9223372036854775808}`,
	}
	for _, body := range bodies {
		var into form
		if err := wire.Decode([]byte(body), &into); err != nil {
			t.Fatalf("%s: %v", body, err)
		}
		// ASVS 1.4.2, 15.3.5
		if !into.Tags.Wrong && !into.Count.Wrong || into.Tags.Value != nil || into.Count.Value != 0 {
			t.Errorf("%s was read as %+v", body, into)
		}
	}
}

func post(mediaType, body string) *http.Request {
	r := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(body))
	if mediaType != "" {
		r.Header.Set("Content-Type", mediaType)
	}
	return r
}

func TestOtherMediaTypesAreRejected(t *testing.T) {
	for mediaType, want := range map[string]error{
		"application/json":                    nil,
		"Application/JSON; charset=utf-8":     nil,
		"":                                    fault.ErrMediaType,
		"text/plain":                          fault.ErrMediaType,
		"application/x-www-form-urlencoded":   fault.ErrMediaType,
		"application/json-seq":                fault.ErrMediaType,
		"application/json; charset":           fault.ErrMediaType,
		"text/plain, application/json":        fault.ErrMediaType,
		"multipart/form-data; boundary=a; b=": fault.ErrMediaType,
		`application/json; charset="UTF-8"`:   nil,
		"application/json; charset=utf-16":    fault.ErrMediaType,
		"application/json; charset=latin1":    fault.ErrMediaType,
		`application/json; charset=""`:        fault.ErrMediaType,
	} {
		var into form
		// ASVS 3.5.2
		if err := wire.Read(post(mediaType, `{}`), &into); !errors.Is(err, want) {
			t.Errorf("%q: %v, want %v", mediaType, err, want)
		}
	}
}

// A body is never decompressed, so a body with a content coding is rejected.
func TestABodyWithAContentCodingIsRejected(t *testing.T) {
	for coding, want := range map[string]error{
		"identity": nil, "gzip": fault.ErrMediaType, "br": fault.ErrMediaType, "identity, gzip": fault.ErrMediaType,
	} {
		r := post("application/json", `{}`)
		r.Header.Set("Content-Encoding", coding)
		var into form
		if err := wire.Read(r, &into); !errors.Is(err, want) {
			t.Errorf("%q: %v, want %v", coding, err, want)
		}
	}
}

// T10: a body of 64 KiB is read, one byte more is too large.
func TestTheLargestBody(t *testing.T) {
	frame := len(`{"name":""}`)
	for size, want := range map[int]error{wire.MaxBody: nil, wire.MaxBody + 1: fault.ErrTooLarge} {
		var into form
		err := wire.Read(post("application/json", `{"name":"`+strings.Repeat("a", size-frame)+`"}`), &into)
		if !errors.Is(err, want) {
			t.Errorf("%d bytes: %v, want %v", size, err, want)
		}
	}
	var into form
	if err := wire.Read(
		post("text/plain", strings.Repeat("a", wire.MaxBody+1)), &into,
	); !errors.Is(err, fault.ErrMediaType) {
		t.Errorf("the media type is judged before the size, got %v", err)
	}
}
