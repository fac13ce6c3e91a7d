package auth

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"regexp"
	"strings"
	"sync"
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
	"baari.dev/services/platform/request"
	"baari.dev/services/platform/testkit"
)

func TestMain(m *testing.M) {
	testkit.VerifyNoLeaks(m)
}

const (
	site   = "http://localhost:8080"
	secret = "a secret of the tests, long enough to sign with"
)

// cheap hashes let tests sign in often; what the real ones cost is asked where it matters.
var cheap = &argon2id.Params{Memory: 64, Iterations: 1, Parallelism: 1, SaltLength: 16, KeyLength: 32}

// lifetimes are the defaults of SESSION_IDLE and SESSION_ABSOLUTE, which TestConfiguration compares.
var lifetimes = account.Lifetimes{Idle: 12 * time.Hour, Absolute: 72 * time.Hour}

// cookieAge is the Max-Age of the cookie of a remembered session.
const cookieAge = 72 * 60 * 60

// office is a running auth service with a database of its own.
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

// open makes an office without limits; change alters its options before it opens.
func open(t *testing.T, change ...func(*Options)) *office { return openLimited(t, nil, change...) }

// openWithoutMail makes an office that has no mail server.
func openWithoutMail(t *testing.T) *office {
	o := open(t)
	o.Service.mailer = nil
	return o
}

func openLimited(t *testing.T, limiter *limit.Limiter, change ...func(*Options)) *office {
	t.Helper()
	t.Parallel()
	options := Options{BaseURL: site, Secret: secret, Registration: RegistrationOpen, PasswordMin: 6, Office: "Lekha Tax & Advisory",
		Lifetimes: lifetimes}
	for _, c := range change {
		c(&options)
	}
	o := &office{t: t, db: testkit.NewDatabase(t, outbox.Migrations(), Migrations()), mail: &mailbox{}, denials: &atomic.Int64{}, ahead: &atomic.Int64{}}
	log := slog.New(slog.DiscardHandler)
	var err error
	o.Service, err = New(options, Deps{
		Pool: o.db.Pool, Outbox: outbox.New(contract.SourceAuth, o.db.Pool), Limiter: limiter, Registry: prometheus.NewRegistry(), Log: log,
		Mailer: o.mail, Ahead: func() time.Duration { return time.Duration(o.ahead.Load()) },
	})
	if err != nil {
		t.Fatal(err)
	}
	o.deliver(t)
	if o.hasher, err = newHasher(cheap, prometheus.NewRegistry()); err != nil {
		t.Fatal(err)
	}
	o.table, err = endpoint.New(o.Deps(endpoint.Deps{
		Service: "auth", Verifier: o.Service, Limiter: limiter, Log: log, Proxies: everybody,
		Denied: func(context.Context, identity.Caller, string) { o.denials.Add(1) },
	}), o.Routes()...)
	if err != nil {
		t.Fatal(err)
	}
	o.api = testkit.LoadContract(t, "api.yaml")
	return o
}

// deliver runs the postman while the test does.
func (o *office) deliver(t *testing.T) {
	o.postman.pause = time.Millisecond
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = o.Post(ctx)
	}()
	t.Cleanup(func() { stop(); <-done })
}

// mailed is a message somebody has got.
type mailed struct{ mail.Message }

// mailbox keeps what was mailed.
type mailbox struct {
	mu    sync.Mutex
	mails []mail.Message
	fail  int // how many sendings fail first
}

// Send implements Mailer.
func (m *mailbox) Send(_ context.Context, message mail.Message) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.fail > 0 {
		m.fail--
		return errors.New("the mail server is away")
	}
	m.mails = append(m.mails, message)
	return nil
}

func (m *mailbox) to(address string) (mails []mail.Message) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, mail := range m.mails {
		if mail.To == address {
			mails = append(mails, mail)
		}
	}
	return mails
}

// letter waits for the nth mail to an address and returns it.
func (o *office) letter(address string, n int) mailed {
	o.t.Helper()
	testkit.Eventually(o.t, 5*time.Second, "a mail arrives", func() bool { return len(o.mail.to(address)) >= n })
	return mailed{o.mail.to(address)[n-1]}
}

// settle waits until every errand that was put off is done.
func (o *office) settle() {
	o.t.Helper()
	done := make(chan struct{})
	if err := o.postman.later(context.Background(), func(context.Context) error { close(done); return nil }); err != nil {
		o.t.Fatal(err)
	}
	<-done
}

// link is the path and query of the link in a mail.
func (m mailed) link(t *testing.T) string {
	t.Helper()
	found := regexp.MustCompile(regexp.QuoteMeta(site) + `(/\S+)`).FindStringSubmatch(m.Text)
	if found == nil {
		t.Fatalf("no link in %s", m.Text)
	}
	return found[1]
}

// later moves the clock of the database forward for this office.
func (o *office) later(d time.Duration) { o.ahead.Add(int64(d)) }

// inUse lets time pass in which a session is used every hour.
func (o *office) inUse(token string, d time.Duration) {
	o.t.Helper()
	for ; d > 0; d -= time.Hour {
		o.later(min(d, time.Hour))
		if got, err := o.Introspect(context.Background(), question(token)); err != nil || !got.Active {
			o.t.Fatalf("a session in use ended: %+v, %v", got, err)
		}
	}
}

// reply is an answer that was held against the API document.
type reply struct {
	t      *testing.T
	status int
	body   string
	header http.Header
}

// call asks the service; token "" is nobody. The answer must be one of api.yaml.
func (o *office) call(token, method, target, body string, headers ...string) reply {
	o.t.Helper()
	w := o.api.Call(o.t, o.table, token, method, target, body, headers...)
	return reply{o.t, w.Code, w.Body.String(), w.Header()}
}

// raw asks for what the document does not know.
func (o *office) raw(method, target, body string, headers ...string) reply {
	r := httptest.NewRequest(method, target, strings.NewReader(body))
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	o.table.ServeHTTP(w, r)
	return reply{o.t, w.Code, w.Body.String(), w.Header()}
}

// want fails unless the answer has the status and every text stands in its body.
func (r reply) want(status int, texts ...string) reply {
	r.t.Helper()
	if r.status != status {
		r.t.Fatalf("answered %d %s, want %d", r.status, r.body, status)
	}
	for _, text := range texts {
		if !strings.Contains(r.body, text) {
			r.t.Fatalf("answered %s, which does not say %s", r.body, text)
		}
	}
	return r
}

// code is the error code of the answer.
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

// cookies are the Set-Cookie lines of the answer.
func (r reply) cookies() []string { return r.header.Values("Set-Cookie") }

// person is somebody with a session.
type person struct {
	ID, Email, Token string
}

const password = "right horse battery"

// join signs somebody up; their e-mail address is name@example.com.
func (o *office) join(name string) person {
	o.t.Helper()
	var got struct {
		Token string
		User  struct{ ID, Email string }
	}
	o.call("", "POST", "/api/auth/sign-up/email", `{"name":"`+name+`","email":"`+name+`@example.com","password":"`+password+`"}`).want(200).into(&got)
	return person{got.User.ID, got.User.Email, got.Token}
}

// signIn makes another session of a person.
func (o *office) signedIn(email string, headers ...string) string {
	o.t.Helper()
	var got struct{ Token string }
	o.call("", "POST", "/api/auth/sign-in/email", `{"email":"`+email+`","password":"`+password+`"}`, headers...).want(200).into(&got)
	return got.Token
}

// admin makes an administrator with a session.
func (o *office) admin(name string) person {
	o.t.Helper()
	email := name + "@example.com"
	id, err := o.CreateAdmin(context.Background(), Newcomer{Email: email, Name: name, Password: password})
	if err != nil {
		o.t.Fatal(err)
	}
	return person{id, email, o.signedIn(email)}
}

// event is an announced change.
type event struct {
	Type, EntityID string
	Version        int64
	Actor          *outbox.Actor
	Before, After  map[string]any
}

// events are what was announced of an entity's kind of change, oldest first; "" for all.
func (o *office) events(entityID string) []event {
	o.t.Helper()
	rows, err := o.db.Pool.Query(context.Background(),
		`SELECT type, entity_id, version, actor, before, after FROM outbox WHERE $1 = '' OR entity_id = $1 ORDER BY id`, entityID)
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

// types are the kinds of the announced changes of an entity.
func (o *office) types(entityID string) string {
	var kinds []string
	for _, e := range o.events(entityID) {
		kinds = append(kinds, e.Type)
	}
	return strings.Join(kinds, " ")
}

// count is the number of rows that a statement counts.
func (o *office) count(statement string, args ...any) (n int) {
	o.t.Helper()
	if err := o.db.Pool.QueryRow(context.Background(), statement, args...).Scan(&n); err != nil {
		o.t.Fatal(err)
	}
	return n
}

// everybody may say whom a request comes from: tests choose addresses with X-Forwarded-For.
var everybody = request.Proxies{netip.MustParsePrefix("0.0.0.0/0")}
