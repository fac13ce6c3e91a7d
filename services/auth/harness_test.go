package auth

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/alexedwards/argon2id"
	"github.com/go-json-experiment/json"
	"github.com/jackc/pgx/v5"
	"github.com/prometheus/client_golang/prometheus"

	"baari.dev/services/auth/account"
	"baari.dev/services/contract"
	"baari.dev/services/platform/endpoint"
	"baari.dev/services/platform/identity"
	"baari.dev/services/platform/limit"
	"baari.dev/services/platform/mail"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/testkit"
)

func TestMain(m *testing.M) {
	testkit.VerifyNoLeaks(m)
}

const (
	site   = "http://localhost:8080"
	secret = "a secret of the tests, long enough to sign with"
)

// cheap is the cost of hashes in tests that do not measure it.
var cheap = &argon2id.Params{Memory: 64, Iterations: 1, Parallelism: 1, SaltLength: 16, KeyLength: 32}

// lifetimes are the defaults of SESSION_IDLE and SESSION_ABSOLUTE.
var lifetimes = account.Lifetimes{Idle: 12 * time.Hour, Absolute: 72 * time.Hour}

// cookieAge is the Max-Age of the cookie of a remembered session, in seconds.
const cookieAge = 72 * 60 * 60

// office is a running auth service with its own database.
type office struct {
	*Service
	t       *testing.T
	table   *endpoint.Table
	api     *testkit.Contract
	db      *testkit.Database
	mail    *mailbox
	denials *atomic.Int64
	ahead   *atomic.Int64
}

// open starts an office without limits. change alters its options first.
func open(t *testing.T, change ...func(*Options)) *office { return openLimited(t, nil, change...) }

func openWithoutMail(t *testing.T) *office { return openWith(t, nil, nil) }

// openLimited starts an office with the limits of limiter, which can be nil.
func openLimited(t *testing.T, limiter *limit.Limiter, change ...func(*Options)) *office {
	t.Helper()
	return openWith(t, limiter, &mailbox{}, change...)
}

// openWith starts an office with the limits of limiter, and without a mail server if box is nil.
func openWith(t *testing.T, limiter *limit.Limiter, box *mailbox, change ...func(*Options)) *office {
	t.Helper()
	t.Parallel()
	options := Options{
		BaseURL:      site,
		Secret:       secret,
		Registration: RegistrationOpen,
		PasswordMin:  6,
		Office:       "Lekha Tax & Advisory",
		Lifetimes:    lifetimes,
		hashCost:     cheap,
		mailPause:    time.Millisecond,
	}
	for _, c := range change {
		c(&options)
	}
	o := &office{
		t:       t,
		db:      testkit.NewDatabase(t, Migrations()...),
		mail:    box,
		denials: &atomic.Int64{},
		ahead:   &atomic.Int64{},
	}
	log := slog.New(slog.DiscardHandler)
	var mailer mail.Mailer
	if box != nil {
		mailer = box
	}
	var err error
	o.Service, err = New(options, Deps{
		Pool:     o.db.Pool,
		Outbox:   outbox.New(contract.SourceAuth, o.db.Pool),
		Limiter:  limiter,
		Registry: prometheus.NewRegistry(),
		Log:      log,
		Mailer:   mailer,
		Ahead:    func() time.Duration { return time.Duration(o.ahead.Load()) },
	})
	if err != nil {
		t.Fatal(err)
	}
	o.deliver(t)
	o.table, err = endpoint.New(o.Deps(endpoint.Deps{
		Service: "auth", Verifier: o.Service, Limiter: limiter, Log: log, Proxies: 1,
		Denied: func(context.Context, identity.Caller, string) { o.denials.Add(1) },
	}), o.Routes()...)
	if err != nil {
		t.Fatal(err)
	}
	o.api = testkit.LoadContract(t, "api.yaml")
	return o
}

// later moves the office's clock forward.
func (o *office) later(d time.Duration) { o.ahead.Add(int64(d)) }

// inUse moves the clock forward while a session is used every hour.
func (o *office) inUse(token string, d time.Duration) {
	o.t.Helper()
	for ; d > 0; d -= time.Hour {
		o.later(min(d, time.Hour))
		if got, err := o.Introspect(context.Background(), introspectOf(token)); err != nil || !got.Active {
			o.t.Fatalf("a session in use ended: %+v, %v", got, err)
		}
	}
}

type reply struct {
	t      *testing.T
	status int
	body   string
	header http.Header
	again  func() reply
}

// call sends a request with a bearer token, or without one if token is "". It fails the test unless api.yaml describes
// the response.
func (o *office) call(token, method, target, body string, headers ...string) reply {
	o.t.Helper()
	w := o.api.Call(o.t, o.table, token, method, target, body, headers...)
	again := func() reply { return o.call(token, method, target, body, headers...) }
	return reply{o.t, w.Code, w.Body.String(), w.Header(), again}
}

func (o *office) post(token, path, body string, headers ...string) reply {
	o.t.Helper()
	return o.call(token, "POST", "/api/auth"+path, body, headers...)
}

func (o *office) get(target string) reply {
	o.t.Helper()
	return o.call("", "GET", target, "")
}

func (o *office) getSession(token string) reply {
	o.t.Helper()
	return o.call(token, "GET", "/api/auth/get-session", "")
}

func (o *office) location(target string) string {
	o.t.Helper()
	return o.get(target).want(302).header.Get("Location")
}

// raw sends a request that api.yaml does not have to describe.
func (o *office) raw(method, target, body string, headers ...string) reply {
	r := httptest.NewRequest(method, target, strings.NewReader(body))
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	o.table.ServeHTTP(w, r)
	again := func() reply { return o.raw(method, target, body, headers...) }
	return reply{o.t, w.Code, w.Body.String(), w.Header(), again}
}

// served sends a request again if it was rejected because the machine is busy, as clients do.
func (r reply) served() reply {
	r.t.Helper()
	if r.status == http.StatusServiceUnavailable && r.code() == "busy" {
		testkit.Eventually(r.t, "the service is not busy", func() bool {
			r = r.again()
			return r.status != http.StatusServiceUnavailable
		})
	}
	return r
}

// want fails the test unless the response of served has the status and its body contains every text.
func (r reply) want(status int, texts ...string) reply {
	r.t.Helper()
	if status != http.StatusServiceUnavailable {
		r = r.served()
	}
	if r.status != status {
		r.t.Fatalf("answered %d %s, want %d", r.status, r.body, status)
	}
	for _, text := range texts {
		if !strings.Contains(r.body, text) {
			r.t.Fatalf("answered %s, which does not contain %s", r.body, text)
		}
	}
	return r
}

func (r reply) wantCode(status int, code string) reply {
	r.t.Helper()
	if got := r.want(status).code(); got != code {
		r.t.Errorf("answered code %q, want %q: %s", got, code, r.body)
	}
	return r
}

func (r reply) wantPause(seconds string) reply {
	r.t.Helper()
	r.want(429, `{"message":"Too many requests. Please try again later."}`)
	if r.header.Get("Retry-After") != seconds || r.header.Get("X-Retry-After") != seconds {
		r.t.Errorf("asks to wait %s s, want %s", r.header.Get("Retry-After"), seconds)
	}
	return r
}

func (r reply) code() string {
	var body struct{ Code string }
	r.into(&body)
	return body.Code
}

func (r reply) into(value any) {
	r.t.Helper()
	if err := json.Unmarshal([]byte(r.body), value, json.MatchCaseInsensitiveNames(true)); err != nil {
		r.t.Fatalf("%s: %v", r.body, err)
	}
}

func (r reply) cookies() []string { return r.header.Values("Set-Cookie") }

type event struct {
	Type, EntityID string
	Version        int64
	Actor          *outbox.Actor
	Before, After  map[string]any
}

// events returns the events of an entity, or of all entities if entityID is "", oldest first.
func (o *office) events(entityID string) []event {
	o.t.Helper()
	rows, err := o.db.Pool.Query(context.Background(),
		`SELECT type, entity_id, version, actor, before, after FROM outbox WHERE $1 = '' OR entity_id = $1 ORDER BY id`,
		entityID)
	if err != nil {
		o.t.Fatal(err)
	}
	list, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (e event, err error) {
		return e, row.Scan(&e.Type, &e.EntityID, &e.Version, &e.Actor, &e.Before, &e.After)
	})
	if err != nil {
		o.t.Fatal(err)
	}
	return list
}

// wantLastSessionEvent fails the test unless the last event of a user has the given type and actor, and names the given
// number of sessions.
func (o *office) wantLastSessionEvent(of person, kind string, sessions int, by person) {
	o.t.Helper()
	events := o.events(of.ID)
	last := events[len(events)-1]
	ended, _ := last.After["sessionIds"].([]any)
	if last.Type != kind || len(ended) != sessions || last.Actor.ID != by.ID {
		o.t.Errorf("published %+v, want %s of %d sessions by %s", last, kind, sessions, by.ID)
	}
}

func (o *office) types(entityID string) string {
	var kinds []string
	for _, e := range o.events(entityID) {
		kinds = append(kinds, e.Type)
	}
	return strings.Join(kinds, " ")
}

func (o *office) exec(statement string, args ...any) {
	o.t.Helper()
	if _, err := o.db.Pool.Exec(context.Background(), statement, args...); err != nil {
		o.t.Fatal(err)
	}
}

func (o *office) count(statement string, args ...any) (n int) {
	o.t.Helper()
	if err := o.db.Pool.QueryRow(context.Background(), statement, args...).Scan(&n); err != nil {
		o.t.Fatal(err)
	}
	return n
}
