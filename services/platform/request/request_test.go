package request_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"unicode/utf8"

	"baari.dev/services/platform/request"
)

func TestTheClientsAddress(t *testing.T) {
	cases := []struct {
		name      string
		proxies   int
		peer      string
		forwarded []string
		want      string
	}{
		{"no proxy", 0, "198.51.100.7:4000", nil, "198.51.100.7"},
		{"a client's own header is ignored", 0, "198.51.100.7:4000", []string{"203.0.113.9"}, "198.51.100.7"},
		{"a proxy", 1, "10.0.0.1:4000", []string{"203.0.113.9"}, "203.0.113.9"},
		{"a proxy without the header", 1, "10.0.0.1:4000", nil, "10.0.0.1"},
		{"two headers are one list", 2, "10.0.0.1:4000", []string{"203.0.113.9", "192.0.2.1"}, "203.0.113.9"},
		{
			"what the client put before is not believed", 1, "10.0.0.1:4000", []string{"1.1.1.1, 10.2.2.2"}, "10.2.2.2",
		},
		{"nothing readable", 1, "10.0.0.1:4000", []string{"unknown"}, "10.0.0.1"},
		{"no address at all", 1, "@", []string{"203.0.113.9"}, ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			r := httptest.NewRequest(http.MethodGet, "/", nil)
			r.RemoteAddr = c.peer
			r.Header["X-Forwarded-For"] = c.forwarded
			// ASVS 15.3.4
			if got := request.Read(r, c.proxies).Address; got != c.want {
				t.Errorf("read %q, want %q", got, c.want)
			}
		})
	}
}

// T11: a request id is copied into responses and logs, so only a harmless one is accepted.
func TestTheRequestID(t *testing.T) {
	read := func(id string) string {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.Header[request.HeaderID] = []string{id}
		return request.Read(r, 0).ID
	}
	for _, id := range []string{"a", "0f9c-77", strings.Repeat("a", 64)} {
		if got := read(id); got != id {
			t.Errorf("%q became %q", id, got)
		}
	}
	for _, id := range []string{"", strings.Repeat("a", 65), "a b", "a\r\nSet-Cookie: x", "a\x00", "\u0906", "a\x7f"} {
		if got := read(id); got == id || len(got) != 36 {
			t.Errorf("%q became %q, want an id of our own", id, got)
		}
	}
	if first, second := read(""), read(""); first == second {
		t.Error("two requests got the same id")
	}
}

func TestTheAgentIsValidUTF8(t *testing.T) {
	for sent, want := range map[string]string{
		"curl/8": "curl/8", "a\xffb": "ab", strings.Repeat("a", 600): strings.Repeat("a", 512),
	} {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.Header.Set("User-Agent", sent)
		if got := request.Read(r, 0).Agent; got != want || !utf8.ValidString(got) {
			t.Errorf("%q was read as %q", sent, got)
		}
	}
}

func TestAContextWithoutARequestHasNoInfo(t *testing.T) {
	if got := request.From(t.Context()); got != (request.Info{}) {
		t.Errorf("knows %+v", got)
	}
	want := request.Info{ID: "r", Address: "203.0.113.9", Agent: "curl"}
	if got := request.From(request.With(t.Context(), want)); got != want {
		t.Errorf("knows %+v, want %+v", got, want)
	}
}
