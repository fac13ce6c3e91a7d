package system

import (
	"bufio"
	"encoding/csv"
	"io"
	"net"
	"net/http"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"baari.dev/gateway/test/hostile"
	"baari.dev/services/platform/testkit"
)

// attacks are attacks that once succeeded, with their numbers in the report that described them. Each is tried through
// both gateways, by a function that fails the test if the attack succeeds.
var attacks = []struct {
	number, name string
	fails        func(t *testing.T, w way)
}{
	{"2.1", "a request changes the answer of another client", mustKeepClientsApart},
	{"2.2", "a stolen session takes the account", mustKeepItsAccount},
	{"2.3", "a session outlives its end by an administrator", mustEndSessions},
	{"2.3", "a session outlives deactivation and activation", mustNotRevive},
	{"2.7", "a malformed chunked body counts as a failure of the service", mustBlameTheClient},
	{"2.7", "a last event id that cannot be read loses events", mustReset},
	{"2.7", "a name has characters that mislead", mustRefuseMisleadingNames},
	{"2.7", "a formula hides behind an invisible character", mustGuardCells},
	{"2.7", "a body is not what its headers say", mustRefuseOtherBodies},
	{"2.7", "a key of the query comes twice", mustRefuseRepeatedKeys},
	{"3.15", "the build's own notes are served", mustHideTheBuild},
	{"3.15", "a client chooses the ids of its requests in the trail", mustMakeRequestIDs},
}

func TestNoAttackSucceedsThroughEitherGateway(t *testing.T) {
	t.Parallel() // runs after the tests that are not parallel, because it uses up limits of the demo accounts
	// The other tests leave two thousand visits in their system, where lists therefore take a hundred times as long.
	quiet := startWith(t, "attacked", nil)
	for _, w := range gateways(t, quiet, "plain", "LIMITS=off") {
		for _, a := range attacks {
			t.Run(w.name+"/"+a.number+" "+a.name, func(t *testing.T) { a.fails(t, w) })
		}
	}
	system, err := limited()
	if err != nil {
		t.Fatal(err)
	}
	pairs := [][]*person{staff(t, system, "reception", "pa"), staff(t, system, "reception2", "consultant2")}
	through := gateways(t, system, "limited", "LIMITS=on", "TRUSTED_PROXIES=127.0.0.0/8",
		"TRUSTED_PROXY_HOPS=1")
	t.Run("2.5 limits count every address of a client", func(t *testing.T) {
		mustCountClients(t, append(through, ways(system)[0]))
	})
	for i, w := range through {
		t.Run(w.name+"/2.6 strangers lock out a known address", func(t *testing.T) {
			mustKnowItsBrowser(t, w, pairs[i][0], pairs[i][1])
		})
	}
}

// mustHideTheBuild checks that files of the web application's build that are not meant for browsers are not served.
func mustHideTheBuild(t *testing.T, w way) {
	t.Helper()
	for _, path := range []string{"/.vite/manifest.json", "/.vite/board.json", "/needs.json", "/shells.json"} {
		if got := w.send(t, nil, ask{method: http.MethodGet, path: path}); got.status != http.StatusNotFound {
			t.Errorf("%s: %d %.200s", path, got.status, got.body)
		}
	}
}

// mustKeepClientsApart checks that no request of one client changes the answers to another client on the connections
// that the gateway reuses. All paths are attacked at the same time.
func mustKeepClientsApart(t *testing.T, w way) {
	t.Helper()
	o := newOffice(t, w)
	p := o.hire(t, "reception")
	var attacking sync.WaitGroup
	for _, path := range append([]string{"/api/auth/get-session", "/robots.txt"}, everyService...) {
		attacking.Go(func() { o.keepApart(t, p, path) })
	}
	attacking.Wait()
}

func (o *office) keepApart(t *testing.T, p *person, path string) {
	requests, err := hostile.Requests(filepath.Join(root, "gateway", "testdata", "hostile.tsv"), path)
	if err != nil {
		t.Error(err)
	}
	ordinary := ask{method: http.MethodGet, path: path}
	alone, err := o.way.try(p, ordinary)
	if err != nil || alone.status != http.StatusOK {
		t.Errorf("%s alone: %d %v", path, alone.status, err)
	}
	address := strings.TrimPrefix(strings.Replace(o.way.base(path), "localhost", "127.0.0.1", 1), "http://")
	for name, bytes := range requests {
		for left := attempts - 1; ; left-- {
			sendRaw(t, address, bytes)
			got := o.answered(t, p, ordinary, name)
			// The dashboard's answers contain the time, so they always differ.
			if timeless(got) == timeless(alone) || path == "/api/analytics/dashboard" {
				break
			}
			// The office may have changed in between. If a second answer is the same, the first was right.
			alone = o.answered(t, p, ordinary, name)
			if timeless(got) == timeless(alone) {
				break
			}
			if left == 0 {
				t.Errorf("after %s, %s answers another client\n%.2000s\nalone\n%.2000s", name, path, got.body, alone.body)
				break
			}
		}
	}
}

// attempts is the number of times in a row that an attack must change the answer to another client before the test
// fails. Fewer may be a coincidence, because other tests change the office at the same time.
const attempts = 3

// answered returns the answer that another client gets after an attack. It reports an error if the status is not 200.
func (o *office) answered(t *testing.T, p *person, a ask, attack string) reply {
	t.Helper()
	got, err := o.way.try(p, a)
	if err != nil || got.status != http.StatusOK {
		t.Errorf("after %s, %s answers another client %d %v\n%.2000s", attack, a.path, got.status, err, got.body)
	}
	return got
}

// withTime matches the values of an answer that depend on the time.
var withTime = regexp.MustCompile(`"(?:waitTime|sessionDuration)":\d+|"forecast":(?:null|\{[^{}]*\})`)

func timeless(a reply) string { return withTime.ReplaceAllString(string(a.body), "") }

// sendRaw sends bytes unchanged, and returns the answers until no more arrive. It closes the connection only then: when
// a client disconnects, the gateway cancels its requests, and their connections do not return to the pool.
func sendRaw(t *testing.T, address, text string) string {
	t.Helper()
	conn, err := net.Dial("tcp", address)
	if err != nil {
		t.Error(err)
		return ""
	}
	defer func() { _ = conn.Close() }()
	_, _ = io.WriteString(conn, text) // the gateway may have closed the connection before the end
	var answer strings.Builder
	wait, buffer := 60*time.Millisecond, make([]byte, 4<<10)
	for err == nil {
		var n int
		if err = conn.SetReadDeadline(time.Now().Add(wait)); err == nil {
			n, err = conn.Read(buffer)
		}
		answer.Write(buffer[:n])
		wait = 20 * time.Millisecond // An answer has begun, so the rest arrives soon.
	}
	return answer.String()
}

func statusOf(t *testing.T, address, text string) int {
	t.Helper()
	conn, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	_, _ = io.WriteString(conn, text) // the gateway may have closed the connection before the end
	answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatal(err)
	}
	_ = answer.Body.Close()
	return answer.StatusCode
}

// mustBlameTheClient checks that a body with malformed chunks is answered with 400, not with a 5xx status.
func mustBlameTheClient(t *testing.T, w way) {
	t.Helper()
	address := strings.TrimPrefix(strings.Replace(w.base("/"), "localhost", "127.0.0.1", 1), "http://")
	for _, service := range []string{
		"/api/visits", "/api/auth/sign-in/email", "/api/appointments", "/api/telemetry", "/api/users",
	} {
		got := statusOf(t, address, "POST "+service+" HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"+
			"Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n")
		if got != http.StatusBadRequest {
			t.Errorf("%s answered %d", service, got)
		}
	}
}

// mustReset checks that a stream resumed at an unreadable position begins with a reset, so that lists are loaded again.
func mustReset(t *testing.T, w way) {
	t.Helper()
	o := newOffice(t, w)
	p := o.hire(t, "reception")
	for name, a := range map[string]ask{
		"a raw semicolon":  {path: "&last_event_id=visits=a:1;directory=b:2"},
		"a bad escape":     {path: "&last_event_id=%zz"},
		"no position":      {path: "&last_event_id=x"},
		"the header, torn": {header: http.Header{"Last-Event-Id": {"visits=;"}}},
	} {
		a.method, a.path = http.MethodGet, "/api/stream"+query("role", p.role, "user_id", p.id)+a.path
		if text := o.beginning(t, p, a); !strings.Contains(text, `"reset":true`) {
			t.Errorf("%s: the stream begins with %.300q", name, text)
		}
	}
}

// beginning returns the first two frames of a stream, or the answer if it is not a stream.
func (o *office) beginning(t *testing.T, p *person, a ask) string {
	t.Helper()
	request, err := a.request(t.Context(), o.way.base(a.path), p)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := browser.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = answer.Body.Close() }()
	var text strings.Builder
	buffer := make([]byte, 1<<10)
	for err == nil && strings.Count(text.String(), "\n\n") < 2 {
		var n int
		n, err = answer.Body.Read(buffer)
		text.Write(buffer[:n])
	}
	return text.String()
}

// mustRefuseMisleadingNames checks that separators, annotation, deprecated format and tag characters are rejected.
func mustRefuseMisleadingNames(t *testing.T, w way) {
	t.Helper()
	o := newOffice(t, w)
	p := o.hire(t, "reception")
	for _, field := range []string{"name", "notes"} {
		for _, text := range []string{
			"Asha\u2028Nair", "Asha\u2029", "A\ufff9B\ufffaC\ufffb", "Asha\u206a", "Asha\u206fNair", "Asha\U000e0001",
			"Asha\U000e0041\U000e007f", "\ufeffAsha",
		} {
			body := o.visitor()
			body[field] = text
			if got := w.send(t, p, ask{
				method: http.MethodPost, path: "/api/visits", body: body,
			}); got.status != http.StatusBadRequest {
				t.Errorf("%s %+q: %d %.100s", field, text, got.status, got.body)
			}
		}
	}
	if got := w.send(t, nil, ask{method: http.MethodPost, path: "/api/auth/sign-up/email",
		body: object{"name": "Asha\u2028", "email": address(), "password": password}}); got.status != http.StatusBadRequest {
		t.Errorf("a name of an account: %d %.100s", got.status, got.body)
	}
}

// mustGuardCells checks that the export guards a cell that displays as a formula, even after invisible characters.
func mustGuardCells(t *testing.T, w way) {
	t.Helper()
	o := newOffice(t, w)
	body := o.visitor()
	formula := "\u200d=HYPERLINK(\"" + address() + "\")"
	body["name"] = formula
	o.way.must(t, o.admin, http.MethodPost, "/api/visits", body, nil)
	testkit.Eventually(t, "the guarded name is in the export", func() bool {
		admin := o.admin.renewed(t, o.way)
		got := o.way.send(t, admin, ask{method: http.MethodGet, path: "/api/analytics/export"})
		rows, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(string(got.body), "\ufeff"))).ReadAll()
		if err != nil {
			t.Fatalf("%d: %v", got.status, err)
		}
		cells := slices.Concat(rows...)
		if slices.Contains(cells, formula) {
			t.Fatal("the formula is not guarded")
		}
		return slices.Contains(cells, "'"+formula)
	})
}

// mustRefuseOtherBodies checks that four services answer 415 to a charset other than UTF-8 and to a content coding.
func mustRefuseOtherBodies(t *testing.T, w way) {
	t.Helper()
	o := newOffice(t, w)
	for path, body := range map[string]object{
		"/api/visits": o.visitor(), "/api/appointments": o.appointment(), "/api/stream/notify": {"message": "Tea"},
		"/api/auth/sign-in/email": {
			"email": o.admin.email, "password": o.admin.password,
		}, "/api/services": {"name": "A", "est_minutes": 30},
	} {
		for name, header := range map[string]http.Header{
			"UTF-16":      {"Content-Type": {"application/json; charset=utf-16"}},
			"ISO 8859-1":  {"Content-Type": {"application/json; charset=iso-8859-1"}},
			"gzip":        {"Content-Encoding": {"gzip"}},
			"two codings": {"Content-Encoding": {"identity, br"}},
		} {
			got := w.send(t, o.admin, ask{method: http.MethodPost, path: path, body: body, header: header})
			if got.status != http.StatusUnsupportedMediaType {
				t.Errorf("%s, %s: %d %.100s", path, name, got.status, got.body)
			}
		}
	}
}

// mustRefuseRepeatedKeys checks that all services but lobby answer 400 to a repeated key in the query.
func mustRefuseRepeatedKeys(t *testing.T, w way) {
	t.Helper()
	o := newOffice(t, w)
	for _, path := range []string{
		"/api/users?role=pa&role=admin", "/api/users?page=1&%70age=2", "/api/analytics/audit?entity=visit&entity=user",
		"/api/visits/today?a=1&a=2",
		"/api/services?x&x", "/api/stream/notifications?limit=1&limit=2",
		"/api/auth/get-session?disableRefresh=true&disableRefresh=false",
		"/api/stream" + query("role", "admin", "user_id", o.admin.id) + "&role=pa",
	} {
		if got := w.send(t, o.admin, ask{method: http.MethodGet, path: path}); got.status != http.StatusBadRequest {
			t.Errorf("%s: %d %.100s", path, got.status, got.body)
		}
	}
}
