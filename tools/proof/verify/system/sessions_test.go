package system

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"baari.dev/services/platform/testkit"
)

// everyService has one path per service (visits, directory, audit, realtime), which any active receptionist may read.
var everyService = []string{
	"/api/visits/today", "/api/services", "/api/analytics/dashboard", "/api/stream/notifications",
}

// After an administrator ends a user's sessions, services reject the token within a second, and the stream is closed.
func TestEndedSessionsAreRejectedByEveryServiceWithinASecond(t *testing.T) {
	mustEndSessions(t, ways(running)[0])
}

func mustEndSessions(t *testing.T, w way) {
	t.Helper()
	o := newOffice(t, w)
	p := o.hire(t, "reception")
	o.mustAnswer(t, p, http.StatusOK)
	closed := o.listen(t, p)
	o.way.must(t, o.admin, http.MethodPost, "/api/users/"+p.id+"/revoke-sessions", nil, nil)
	o.mustTurn(t, p, http.StatusUnauthorized, closed)
	o.mustAnswer(t, p.again(t, w), http.StatusOK)
}

func TestReactivationDoesNotReviveATokenAnywhere(t *testing.T) {
	mustNotRevive(t, ways(running)[0])
}

func mustNotRevive(t *testing.T, w way) {
	t.Helper()
	o := newOffice(t, w)
	p := o.hire(t, "reception")
	o.mustAnswer(t, p, http.StatusOK)
	closed := o.listen(t, p)
	o.dismiss(t, p)
	o.mustTurn(t, p, http.StatusForbidden, closed)
	meanwhile := p.again(t, w)
	o.mustAnswer(t, meanwhile, http.StatusForbidden)
	o.way.must(t, o.admin, http.MethodPut, "/api/users/"+p.id, object{"isActive": true}, nil)
	o.mustTurn(t, p, http.StatusUnauthorized, closed)
	o.mustTurn(t, meanwhile, http.StatusUnauthorized, closed)
	o.mustAnswer(t, p.again(t, w), http.StatusOK)
}

// mustAnswer fails unless every service answers the user's requests with the given status.
func (o *office) mustAnswer(t *testing.T, p *person, status int) {
	t.Helper()
	for _, path := range everyService {
		if got := o.way.send(t, p, ask{method: "GET", path: path}); got.status != status {
			t.Errorf("%s answers %d, want %d: %.200s", path, got.status, status, got.body)
		}
	}
}

// mustTurn fails unless, within a second, every service answers the user with the given status and the stream ends.
func (o *office) mustTurn(t *testing.T, p *person, status int, closed <-chan struct{}) {
	t.Helper()
	changed := time.Now()
	for _, path := range everyService {
		testkit.Eventually(t, path+" has heard of it", func() bool {
			return o.way.send(t, p, ask{method: "GET", path: path}).status == status
		})
	}
	testkit.Receive(t, "the stream is closed", closed)
	testkit.AtMost(t, "the change", time.Since(changed), time.Second)
}

// listen opens a live stream of a user; the channel is closed when the stream ends.
func (o *office) listen(t *testing.T, p *person) <-chan struct{} {
	t.Helper()
	path := "/api/stream" + query("role", p.role, "user_id", p.id)
	request, err := ask{method: "GET", path: path}.request(t.Context(), o.way.base(path), p)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := browser.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	if answer.StatusCode != http.StatusOK {
		t.Fatalf("the stream answers %d", answer.StatusCode)
	}
	closed := make(chan struct{})
	go func() {
		defer close(closed)
		defer func() { _ = answer.Body.Close() }()
		_, _ = io.Copy(io.Discard, answer.Body)
	}()
	return closed
}

// mustKnowItsBrowser checks that a browser in which a user has signed in before can still sign that user in after
// strangers at the same address have used up the account's sign-ins. Its cookie does not help with other accounts.
func mustKnowItsBrowser(t *testing.T, w way, p, other *person) {
	t.Helper()
	at := fmt.Sprintf("198.19.%d.1", counter.Add(1)%250)
	signIn := func(email, with, cookie string) reply {
		header := http.Header{"X-Forwarded-For": {at}}
		if cookie != "" {
			header.Set("Cookie", cookie)
		}
		body := object{"email": email, "password": with}
		return w.send(t, nil, ask{
			method: "POST", path: "/api/auth/sign-in/email", body: body, header: header, origin: w.system.URL(),
		})
	}
	var device string
	for _, line := range signIn(p.email, p.password, "").header.Values("Set-Cookie") {
		if name, _, _ := strings.Cut(line, ";"); strings.HasPrefix(name, "baari.device=") {
			device = name
		}
	}
	if device == "" {
		t.Fatal("sign-in sets no device cookie")
	}
	for _, victim := range []*person{p, other} {
		for range 3 {
			signIn(victim.email, "wrong password", "")
		}
		mustBeLimited(t, signIn(victim.email, victim.password, ""))
	}
	if got := signIn(p.email, p.password, device); got.status != http.StatusOK {
		t.Errorf("a known browser is answered %d %s", got.status, got.body)
	}
	mustBeLimited(t, signIn(other.email, other.password, device))
}
