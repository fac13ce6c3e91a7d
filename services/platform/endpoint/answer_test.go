package endpoint

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"github.com/prometheus/client_golang/prometheus/testutil"

	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/identity"
)

// T31: a 500 has a fixed body, whether a method failed or panicked; the log has the cause.
func TestWhatA500Says(t *testing.T) {
	for path, cause := range map[string]string{"/broken": "no relation at db-1", "/panic": "secret of db-1"} {
		var log bytes.Buffer
		table := shop(t, func(d *Deps) { d.Log = slog.New(slog.NewTextHandler(&log, nil)) })
		w := call(table, "GET", path, "")
		// ASVS 16.5.1
		if want := `{"error":"An error occurred","code":"internal","request_id":"r"}`; w.Code != 500 ||
			w.Body.String() != want {
			t.Errorf("%s answered %d %s", path, w.Code, w.Body)
		}
		// ASVS 16.3.4
		if !strings.Contains(log.String(), cause) || !strings.Contains(log.String(), "level=ERROR") {
			t.Errorf("%s was logged as %s", path, log.String())
		}
	}
}

func TestADisconnectedClientIsNotAnInternalError(t *testing.T) {
	var log bytes.Buffer
	table := shop(t, func(d *Deps) { d.Log = slog.New(slog.NewTextHandler(&log, nil)) })
	for path, want := range map[string]string{"/canceled": "503 unavailable", "/late": "503 busy"} {
		if got := short(call(table, "GET", path, "")); got != want {
			t.Errorf("%s answered %s, want %s", path, got, want)
		}
	}
	if strings.Contains(log.String(), "level=ERROR") {
		t.Errorf("logged as a failure: %s", log.String())
	}
}

// T29: every response has its request id and is not cached.
func TestHeadersOfEveryResponse(t *testing.T) {
	table := shop(t)
	for _, path := range []string{"/open", "/nothing", "/orders", "/orders/7", "/broken", "/panic", "/wait", "/taken"} {
		w := call(table, "GET", path, "")
		for name, want := range map[string]string{
			"X-Request-Id": "r", "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff",
			"Content-Type": "application/json",
		} {
			// ASVS 3.4.4, 4.1.1, 14.2.2, 14.3.2
			if got := w.Header().Get(name); got != want {
				t.Errorf("%s (%d): %s is %q, want %q", path, w.Code, name, got, want)
			}
		}
	}
	if w := call(table, "GET", "/wait", ""); w.Header().Get("Retry-After") != "2" {
		t.Errorf("a wait of 1.5 s is sent as %q", w.Header().Get("Retry-After"))
	}
	if w := call(table, "GET", "/taken", ""); w.Header().Get("Retry-After") != "" {
		t.Error("a conflict asks to wait")
	}
}

func TestAResponseSetsStatusAndHeaders(t *testing.T) {
	table := shop(t)
	clerk := []string{"Authorization", "Bearer clerk", "Content-Type", "application/json"}
	w := call(table, "POST", "/orders", `{"name":"a"}`, clerk...)
	if w.Code != 201 || w.Header().Get("X-Place") != "7" || w.Body.String() != `{"name":"a"}` {
		t.Errorf("answered %d %v %s", w.Code, w.Header(), w.Body)
	}
	if w := call(table, "DELETE", "/orders/7", "", "Authorization", "Bearer boss"); w.Code != 204 || w.Body.Len() != 0 {
		t.Errorf("answered %d %q", w.Code, w.Body)
	}
}

// 7b: the counters of every route and role of the table start at 0.
func TestMetricsStartAtZero(t *testing.T) {
	registry := prometheus.NewRegistry()
	table := shop(t, func(d *Deps) { d.Registry = registry })
	for name, want := range map[string]int{
		"baari_authn_failures_total": 3, "baari_authz_denied_total": 5 * 3, "baari_unknown_outcome_total": 1,
	} {
		if got, err := testutil.GatherAndCount(registry, name); err != nil || got != want {
			t.Errorf("%s has %d series (%v), want %d", name, got, err, want)
		}
	}
	call(table, "GET", "/orders/7", "", "Authorization", "Bearer boss")
	call(table, "GET", "/orders/7", "", "Authorization", "Bearer made-up-role")
	call(table, "GET", "/orders/7", "")
	call(table, "GET", "/orders/7", "", "Authorization", "Bearer auth-away")
	call(table, "POST", "/me", "", "Cookie", identity.SessionCookie+"=clerk.x", "Origin", "https://evil.example")
	call(table, "GET", "/panic", "")
	call(table, "GET", "/taken", "")
	figures := gather(t, registry)
	for _, line := range []string{
		`baari_authz_denied_total{role="boss",route="GET /orders/{id}"} 1`,
		`baari_authz_denied_total{role="other",route="GET /orders/{id}"} 1`,
		`baari_authn_failures_total{reason="no_session"} 1`,
		`baari_authn_failures_total{reason="auth_unavailable"} 1`,
		`baari_authn_failures_total{reason="untrusted_origin"} 1`,
		`baari_conflicts_total{code="taken"} 1`,
		`http_server_request_duration_seconds_count{http_request_method="GET",` +
			`http_response_status_code="500",http_route="/panic"} 1`,
	} {
		// ASVS 16.3.3
		if !strings.Contains(figures, line+"\n") {
			t.Errorf("missing: %s", line)
		}
	}
}

func gather(t *testing.T, registry *prometheus.Registry) string {
	t.Helper()
	server := httptest.NewServer(promhttp.HandlerFor(registry, promhttp.HandlerOpts{}))
	defer server.Close()
	res, err := http.Get(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	return readAll(t, res.Body)
}

// The wrapped ResponseWriter of a stream still controls the connection: it can flush, and a deadline ends the stream.
func TestAStreamControlsItsConnection(t *testing.T) {
	deadline := make(chan error, 1)
	table := one(t, Stream(func(w http.ResponseWriter, _ *http.Request) error {
		control := http.NewResponseController(w)
		fmt.Fprintln(w, "first")
		if err := control.Flush(); err != nil {
			return err
		}
		deadline <- errors.Join(control.SetWriteDeadline(time.Now().Add(-time.Second)), control.SetReadDeadline(time.Now()))
		_, err := fmt.Fprintln(w, strings.Repeat("x", 1<<16))
		return err
	}))
	server := httptest.NewServer(table)
	defer server.Close()
	res, err := http.Get(server.URL + "/one")
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	lines := bufio.NewReader(res.Body)
	if first, _ := lines.ReadString('\n'); first != "first\n" {
		t.Errorf("first came %q", first)
	}
	if _, err := lines.ReadString('\n'); err == nil {
		t.Error("the deadline did not cut the stream")
	}
	if err := <-deadline; err != nil {
		t.Errorf("a deadline could not be set: %v", err)
	}
}

func TestABrokenStreamIsNotFollowedByAnError(t *testing.T) {
	for name, fail := range map[string]func() error{
		"a failure": func() error { return errors.New("secret") },
		"a panic":   func() error { panic("secret") },
	} {
		server := httptest.NewServer(one(t, Stream(func(w http.ResponseWriter, _ *http.Request) error {
			fmt.Fprint(w, "begun")
			_ = http.NewResponseController(w).Flush()
			return fail()
		})))
		res, err := http.Get(server.URL + "/one")
		if err != nil {
			t.Fatal(err)
		}
		body, _ := bufio.NewReader(res.Body).ReadString('\n')
		res.Body.Close()
		server.Close()
		if body != "begun" {
			t.Errorf("%s: the client read %q", name, body)
		}
	}
	early := one(t, Stream(func(http.ResponseWriter, *http.Request) error { return fault.ErrNotFound }))
	if got := short(call(early, "GET", "/one", "")); got != "404 not_found" {
		t.Errorf("before its first byte a stream is rejected with %s", got)
	}
}

func TestServiceRoutesRequireAServiceToken(t *testing.T) {
	who := func(ctx context.Context, _ struct{}) (string, error) {
		caller, _ := identity.From(ctx)
		return caller.Name, nil
	}
	handler := JSON(Nothing, who)
	table, err := New(Deps{Service: "shop", Keys: keys(t, "shop"), Log: quiet()},
		Route{Method: "GET", Pattern: "/internal/x", Access: Service(), Handler: handler},
		Route{Method: "GET", Pattern: "/internal/boss", Access: Service("boss"), Handler: handler},
		Route{Method: "GET", Pattern: "/internal/key", Access: Service("boss").ByKey(), Handler: handler},
	)
	if err != nil {
		t.Fatal(err)
	}
	elsewhere, err := keys(t, "till").Token("auth")
	if err != nil {
		t.Fatal(err)
	}
	by := func(k identity.Keys) string {
		r := httptest.NewRequest("GET", "/", nil)
		if err := k.Authorize(r.Header, "shop"); err != nil {
			t.Fatal(err)
		}
		return identity.Bearer(r)
	}
	posing := keys(t, "till") // signs as "boss" with the key of "till"
	posing.Name = "boss"
	shared := keys(t, "boss")
	shared.Secret = sharedSecret
	for _, c := range []struct{ path, token, want string }{
		{"x", by(keys(t, "till")), `200 "till"`}, {"x", elsewhere, "401"}, {"x", "", "401"}, {"x", "clerk", "401"},
		{"boss", by(keys(t, "boss")), `200 "boss"`}, {"boss", by(keys(t, "till")), "403"}, {"boss", by(posing), "401"},
		{"key", by(keys(t, "boss")), `200 "boss"`}, {"key", by(shared), "401"}, {"boss", by(shared), `200 "boss"`},
	} {
		w := call(table, "GET", "/internal/"+c.path, "", "Authorization", "Bearer "+c.token)
		// ASVS 13.2.1
		if got := fmt.Sprint(w.Code, " ", w.Body); !strings.HasPrefix(got, c.want) {
			t.Errorf("%s answered %s, want %s", c.path, got, c.want)
		}
	}
}

// sharedSecret is the secret that the services of the previous release share.
const sharedSecret = "a secret of at least thirty-two characters"

// keys returns the keys of a service in the test. The shop's keys also have the shared secret.
func keys(t *testing.T, name string) identity.Keys {
	t.Helper()
	private := map[string]identity.PrivateKey{}
	var all []string
	for _, each := range []string{"shop", "till", "boss"} {
		seed := sha256.Sum256([]byte(each))
		var key identity.PrivateKey
		if err := key.UnmarshalText([]byte(base64.StdEncoding.EncodeToString(seed[:]))); err != nil {
			t.Fatal(err)
		}
		private[each] = key
		all = append(all, each+"="+key.Public())
	}
	k := identity.Keys{Name: name, Private: private[name]}
	if name == "shop" {
		k.Secret = sharedSecret
	}
	if err := k.Public.UnmarshalText([]byte(strings.Join(all, " "))); err != nil {
		t.Fatal(err)
	}
	return k
}

func one(t *testing.T, handler Handler) *Table {
	t.Helper()
	table, err := New(Deps{Service: "shop", Log: quiet()}, Route{
		Method: "GET", Pattern: "/one", Access: Public(), Handler: handler,
	})
	if err != nil {
		t.Fatal(err)
	}
	return table
}
