package visits_test

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/prometheus/client_golang/prometheus"

	"baari.dev/services/contract"
	"baari.dev/services/platform/endpoint"
	"baari.dev/services/platform/identity"
	"baari.dev/services/platform/limit"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/testkit"
	"baari.dev/services/visits"
)

const (
	zone   = "Asia/Kolkata"
	secret = "a secret between services, for tests only"
)

// desk is the service visits with a real database, signed-in users and one active service of the office.
type desk struct {
	t         testing.TB
	db        *testkit.Database
	owner     *pgx.Conn // connection for changes that the service does not make
	limiter   *limit.Limiter
	people    *testkit.People
	deps      visits.Deps
	registry  *prometheus.Registry // the service's metrics
	service   *visits.Service
	table     *endpoint.Table
	contract  *testkit.Contract
	offered   string // id of the active service of the office
	newer     *newerAppointments
	unchecked bool // responses are not validated, for tests with many requests
}

func newDesk(t testing.TB) *desk {
	t.Helper()
	return newDeskOn(t, testkit.NewDatabase(t, visits.Migrations()...))
}

func newDeskOn(t testing.TB, db *testkit.Database) *desk {
	t.Helper()
	d := &desk{t: t, db: db, offered: uuid.NewString(), newer: &newerAppointments{}}
	d.people = testkit.NewPeople(contract.RoleReception, contract.RolePA, contract.RoleConsultant, contract.RoleAdmin)
	d.people.SignIn("consultant2", contract.RoleConsultant)
	d.people.SignIn("reception2", contract.RoleReception)
	d.people.SignIn("pa2", contract.RolePA)
	ctx := context.Background()
	if err := outbox.EnsureStream(ctx, d.db.Pool, contract.SourceVisits); err != nil {
		t.Fatal(err)
	}
	d.owner = d.db.Owner(t)
	exec(t, d.owner, `INSERT INTO services VALUES ($1, 'ITR Filing', true)`, d.offered)
	for _, name := range []string{"consultant", "consultant2"} {
		exec(t, d.owner, `INSERT INTO consultants VALUES ($1, $2, true)`, testkit.ID(name), "The "+name)
	}
	directory := httptest.NewServer(http.HandlerFunc(d.answerAsDirectory))
	t.Cleanup(directory.Close)
	d.deps = visits.Deps{
		Pool: d.db.Pool, Background: d.db.Pool, Outbox: outbox.New(contract.SourceVisits, d.db.Pool), Zone: zone,
		Directory: identity.NewClient(directory.URL, testkit.Keys("visits"), "directory"),
		Auth:      identity.NewClient("http://127.0.0.1:1", testkit.Keys("visits"), "auth"),
	}
	d.with(func(*visits.Deps) {})
	d.contract = testkit.LoadContract(t, "api.yaml")
	return d
}

// with replaces the desk's service by one with changed dependencies.
func (d *desk) with(change func(*visits.Deps)) {
	d.t.Helper()
	change(&d.deps)
	d.registry = prometheus.NewRegistry()
	d.deps.Registry = d.registry
	d.service = visits.New(d.deps)
	d.table = d.tableOf(d.service)
}

func (d *desk) tableOf(service *visits.Service) *endpoint.Table {
	d.t.Helper()
	table, err := endpoint.New(
		endpoint.Deps{
			Service:  "visits",
			Verifier: d.people,
			Limiter:  d.limiter,
			Registry: prometheus.NewRegistry(),
			Log:      slog.New(slog.DiscardHandler),
		},
		service.Routes()...)
	if err != nil {
		d.t.Fatal(err)
	}
	return table
}

// Only directory has lateService and lateConsultant: their events have not arrived in visits.
const lateService = "01890000-0000-7000-8000-000000000001"

// unansweredService is a service for which directory responds with 503.
const unansweredService = "01890000-0000-7000-8000-000000000002"

var lateConsultant = testkit.ID("late")

func (d *desk) answerAsDirectory(w http.ResponseWriter, r *http.Request) {
	switch r.URL.Path {
	case "/internal/services/" + lateService:
		fmt.Fprintf(
			w,
			`{"id":%q,"name":"Trust Registration","description":"","est_minutes":30,"is_active":1}`,
			lateService,
		)
	case "/internal/consultants/" + lateConsultant:
		fmt.Fprintf(w, `{"id":%q,"name":"The late","specialization":[],"isActive":true}`, lateConsultant)
	case "/internal/services/" + unansweredService:
		w.WriteHeader(http.StatusServiceUnavailable)
	default:
		d.newer.answer(w, r)
	}
}

// fataler has the methods of *testing.T that helpers need; *rapid.T has them, too.
type fataler interface {
	Helper()
	Fatal(args ...any)
}

func exec(t fataler, conn *pgx.Conn, statement string, args ...any) {
	t.Helper()
	if _, err := conn.Exec(context.Background(), statement, args...); err != nil {
		t.Fatal(err)
	}
}

func count(t fataler, d *desk, query string, args ...any) (n int) {
	t.Helper()
	if err := d.db.Pool.QueryRow(context.Background(), query, args...).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

type answer struct {
	status int
	header http.Header
	Visit  *visitBody   `json:"visit"`
	Visits []*visitBody `json:"visits"`
	Line   []struct {
		VisitID string
		Reasons []struct{ Code string }

		Forecast *forecastBody
	} `json:"line"`
	Accuracy *struct {
		Coverage float64
		N        int
	}
	ReturnPositions map[string]int

	Reasons []struct{ Code string }
	Again   bool
	Results []batchResult
	Waiting int
	Error   string `json:"error"`
	Code    string `json:"code"`
	Fields  map[string]string
	Params  map[string]any
	text    string
}

type visitBody struct {
	ID, Token, Day, Name, Phone, Status, Notes string
	ReceptionNotes, PANotes, SessionNotes      string
	Language                                   string
	AssignedConsultant, AssignedConsultantID   *string
	CreatedAt, UpdatedAt                       string
	DecidedAt, StartedAt, CompletedAt          *string
	Service                                    struct{ ID, Name string }
	WaitTime                                   int
	SessionDuration                            *int
	Version                                    int64
	Queue                                      struct {
		Stage, Class                             string
		Pinned                                   bool
		Counter, SatSince, EndedAt, CorrectedAt  *string
		CalledAt                                 *string
		CallCount, Bypassed, Transfers, Sittings int
		SessionSeconds, PassedByHand             int
		Undo                                     *struct{ Action, Until, By string }
		Forecast                                 *forecastBody
		Call                                     *callBody
	}
}

type callBody struct {
	RecallAt, MissAt, NudgeAt string
	AutoRecallAt, AutoMissAt  *string
	BySystem                  bool
}

type forecastBody struct {
	From, To, Likely, Note *string
	Early                  bool
	Sooner                 *int
	MadeAt                 string
}

// as sends a request as the named user ("" for no session) and validates the response against the API document, unless
// the desk is unchecked.
func (d *desk) as(name, method, path, body string, headers ...string) answer {
	d.t.Helper()
	token := ""
	if name != "" {
		token = "token-" + name
	}
	call := d.contract.Call
	if d.unchecked {
		call = testkit.Call
	}
	w := call(d.t, d.table, token, method, path, body, headers...)
	a := answer{status: w.Code, header: w.Header(), text: w.Body.String()}
	if err := json.Unmarshal(w.Body.Bytes(), &a, json.MatchCaseInsensitiveNames(true)); err != nil {
		d.t.Fatalf("%s %s answered %d %s: %v", method, path, w.Code, w.Body, err)
	}
	return a
}

func (d *desk) arrive(name string) *visitBody {
	d.t.Helper()
	a := retried(func() answer { return d.as("reception", http.MethodPost, "/api/visits", d.visitor(name)) })
	if a.status != http.StatusCreated {
		d.t.Fatalf("registering %s answered %d %s", name, a.status, a.text)
	}
	return a.Visit
}

func (d *desk) visitor(name string) string {
	return fmt.Sprintf(
		`{"name":%q,"phone":"9876543210","service_id":%q,"serviceId":%q,"notes":"","reception_id":"reception-001"}`,
		name,
		d.offered,
		d.offered,
	)
}

// set requests a change of a visit's status. more has further members of the body.
func (d *desk) set(person, id, status string, more ...string) answer {
	d.t.Helper()
	body := fmt.Sprintf(`{"status":%q`, status)
	for _, member := range more {
		body += "," + member
	}
	return d.as(person, http.MethodPut, "/api/visits/"+id+"/status", body+"}")
}

func to(consultant string) string {
	return fmt.Sprintf(`"assigned_consultant_id":%q,"pa_id":"pa-001"`, testkit.ID(consultant))
}

// failWrites makes a statement, "INSERT" or "UPDATE", fail for visits of a visitor with this name.
func (d *desk) failWrites(statement, name string) {
	d.t.Helper()
	exec(d.t, d.owner, `
CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no'; END $$;
CREATE TRIGGER fail BEFORE `+statement+` ON visits FOR EACH ROW WHEN (NEW.name = '`+name+`') EXECUTE FUNCTION fail()`)
}

// internal returns the table of the service's internal routes.
func (d *desk) internal(t testing.TB) *endpoint.Table {
	t.Helper()
	table, err := endpoint.New(
		endpoint.Deps{
			Service: contract.SourceVisits,
			Keys:    testkit.Keys(contract.SourceVisits),
			Log:     slog.New(slog.DiscardHandler),
		},
		d.service.InternalRoutes(false)...)
	if err != nil {
		t.Fatal(err)
	}
	return table
}
