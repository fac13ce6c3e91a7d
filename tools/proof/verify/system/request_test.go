package system

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"baari.dev/tools/stack"
)

// way is the route that requests take: directly to the services, or through a gateway.
type way struct {
	name   string
	system *stack.Stack
	direct bool

	gateway string // the address of another gateway than the system's own, "" for none
}

func ways(system *stack.Stack) []way {
	return []way{{name: "services", system: system, direct: true}, {name: "gateway", system: system}}
}

// base returns the base address for a path. Without a gateway, a path of no service gets the address of visits.
func (w way) base(path string) string {
	switch {
	case w.gateway != "":
		return w.gateway
	case !w.direct:
		return w.system.URL()
	}
	return w.system.Public(serviceOf(path))
}

// serviceOf returns the service whose API document has the path. The most literal pattern wins.
func serviceOf(path string) string {
	path, _, _ = strings.Cut(path, "?")
	best, service := -1, "visits"
	for _, call := range calls {
		if literal := strings.Count(call.Path, "/") - strings.Count(call.Path, "{"); matches(call.Path, path) &&
			literal > best {
			best, service = literal, call.Service
		}
	}
	return service
}

func matches(pattern, path string) bool {
	want, got := strings.Split(pattern, "/"), strings.Split(path, "/")
	if len(want) != len(got) {
		return false
	}
	for i := range want {
		if !strings.HasPrefix(want[i], "{") && want[i] != got[i] {
			return false
		}
	}
	return true
}

// ask is one request. A body other than []byte is encoded as JSON.
type ask struct {
	method, path string
	body         any
	header       http.Header
	byCookie     bool   // set if the session is sent as a cookie instead of as a bearer token
	origin       string // value of the header Origin, "" for none
}

const foreign = "https://evil.example"

// reply is an answer. Its body is complete, or empty if the answer is a stream.
type reply struct {
	status int
	header http.Header
	body   []byte
}

func (r reply) json(t *testing.T, into any) {
	t.Helper()
	if err := json.Unmarshal(r.body, into); err != nil {
		t.Fatalf("%d %.200s: %v", r.status, r.body, err)
	}
}

var browser = &http.Client{
	Timeout:       30 * time.Second,
	Transport:     &http.Transport{MaxIdleConnsPerHost: 16, DisableCompression: true},
	CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
}

// send sends the request with the session of sender; nil means without a session.
func (w way) send(t *testing.T, sender *person, a ask) reply {
	t.Helper()
	answer, err := w.try(sender, a)
	if err != nil {
		t.Fatalf("%s %s: %v", a.method, a.path, err)
	}
	if !w.direct {
		mustCarryHeaders(t, a.method+" "+a.path, a, answer)
	}
	return answer
}

func (w way) try(sender *person, a ask) (reply, error) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel() // Ends a stream whose headers were read.
	request, err := a.request(ctx, w.base(a.path), sender)
	if err != nil {
		return reply{}, err
	}
	answer, err := browser.Do(request)
	if err != nil {
		return reply{}, err
	}
	defer func() { _ = answer.Body.Close() }()
	got := reply{status: answer.StatusCode, header: answer.Header}
	if strings.HasPrefix(answer.Header.Get("Content-Type"), "text/event-stream") {
		return got, nil
	}
	got.body, err = io.ReadAll(answer.Body)
	return got, err
}

func (a ask) request(ctx context.Context, base string, sender *person) (*http.Request, error) {
	body, isBytes := a.body.([]byte)
	if !isBytes && a.body != nil {
		var err error
		if body, err = json.Marshal(a.body); err != nil {
			return nil, err
		}
	}
	request, err := http.NewRequestWithContext(ctx, a.method, base+a.path, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	if a.body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	for name, values := range a.header {
		request.Header[http.CanonicalHeaderKey(name)] = values
	}
	if a.origin != "" {
		request.Header.Set("Origin", a.origin)
	}
	sender.identify(request, a.byCookie)
	return request, nil
}

// identify adds the token of the session, if there is one. Without a session, byCookie adds an invalid cookie.
func (p *person) identify(request *http.Request, byCookie bool) {
	switch {
	case byCookie:
		signed := "unknown.nothing"
		if p != nil && p.signed != "" {
			signed = p.signed
		}
		request.Header.Set("Cookie", "better-auth.session_token="+url.QueryEscape(signed))
	case p != nil && p.token != "":
		request.Header.Set("Authorization", "Bearer "+p.token)
	}
}

// must sends a request that has to succeed and decodes its answer.
func (w way) must(t *testing.T, sender *person, method, path string, body, into any) {
	t.Helper()
	a := ask{method: method, path: path, body: body}
	answer := w.send(t, sender, a)
	if answer.status == http.StatusForbidden && strings.Contains(string(answer.body), "session_not_fresh") {
		sender.enter(t, w, "/api/auth/sign-in/email")
		answer = w.send(t, sender, a)
	}
	if answer.status >= 300 {
		t.Fatalf("%s %s: %d %.200s", method, path, answer.status, answer.body)
	}
	if into != nil {
		answer.json(t, into)
	}
}

func query(pairs ...string) string {
	values := url.Values{}
	for i := 0; i+1 < len(pairs); i += 2 {
		values.Set(pairs[i], pairs[i+1])
	}
	return "?" + values.Encode()
}

func readAll(t *testing.T, answer *http.Response) string {
	t.Helper()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
