package lobby

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/google/uuid"
	"github.com/prometheus/client_golang/prometheus"

	"baari.dev/services/contract"
	"baari.dev/services/lobby/link"
	"baari.dev/services/lobby/push"
	"baari.dev/services/lobby/seal"
	"baari.dev/services/platform/endpoint"
	"baari.dev/services/platform/feed"
	"baari.dev/services/platform/limit"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/testkit"
	"baari.dev/services/platform/wire"
)

// T18: no test leaves a goroutine behind.
func TestMain(m *testing.M) { testkit.VerifyNoLeaks(m) }

const base = "http://baari.test"

var (
	key     = []byte("a key for the codes of links, for tests only")
	kolkata = time.FixedZone("IST", 5*3600+1800)
)

// porch is lobby over a real database and Redis, with a source for visits and one for directory. It also stands in
// for visits: among others, it returns the line, and carries out visitors' actions and publishes them.
type porch struct {
	*Service
	t        *testing.T
	db       *testkit.Database
	redis    *testkit.Redis
	visits   *testkit.Source
	office   *testkit.Source
	table    *endpoint.Table
	contract *testkit.Contract
	follows  feed.Set

	mu      sync.Mutex
	known   map[string]contract.Visit
	places  string // the JSON of the line
	asked   int    // requests for the line, without those answered with 304
	acts    []string
	senders []string // digests of the visitors' addresses, one per action in acts
	status  int      // status of the next responses, except for the line; 0: success

	arrived []acceptedArrival
	refused bool   // further registrations of arrivals are refused
	meet    func() // called before the response to an accepted arrival
	lost    bool   // the responses to accepted arrivals are lost
	asks    []askedOfVisits

	bookings *bookings
	postbox  *postbox

	phone      *testkit.Phone
	aggregator *aggregator
	zone       *time.Location
}

func newPorch(t *testing.T) *porch {
	t.Helper()
	p := &porch{
		t: t, db: testkit.NewDatabase(t, Migrations()...), redis: testkit.NewRedis(t), follows: feed.Set{},
		contract: testkit.LoadContract(t, "api.yaml"), known: map[string]contract.Visit{}, places: `{"places":[],"now":[]}`,
		phone: testkit.NewPhone(t), aggregator: newAggregator(t), zone: kolkata, postbox: &postbox{},
	}
	p.visits = testkit.NewSource(t, contract.SourceVisits, p.redis.Bus)
	p.office = testkit.NewSource(t, contract.SourceDirectory, p.redis.Bus)
	p.bookings = newBookings(p)
	if err := outbox.EnsureStream(t.Context(), p.db.Pool, contract.SourceLobby); err != nil {
		t.Fatal(err)
	}
	internal := httptest.NewServer(http.HandlerFunc(p.answerAsVisits))
	t.Cleanup(internal.Close)
	source := *p.visits
	source.URL = internal.URL
	p.Service = New(p.db.Pool, outbox.New(contract.SourceLobby, p.db.Pool), source.Client(contract.SourceLobby),
		limit.New(p.redis.Client, "lobby"), p.options(), slog.New(slog.DiscardHandler))
	p.follow(p.visits, p.FollowVisits())
	p.follow(p.office, p.FollowDirectory())
	p.open()
	table, err := endpoint.New(endpoint.Deps{
		Service: contract.SourceLobby, Limiter: limit.New(p.redis.Client, "lobby"), Registry: prometheus.NewRegistry(),
		Log: slog.New(slog.DiscardHandler), Await: p.follows.Await,
		Verifier: testkit.NewPeople(contract.RoleReception, contract.RolePA, contract.RoleConsultant, contract.RoleAdmin),
	}, p.Routes()...)
	if err != nil {
		t.Fatal(err)
	}
	p.table = table
	return p
}

// options returns the service's options: push goes to the phone, messages to the aggregator.
func (p *porch) options() Options {
	p.t.Helper()
	private, public := seal.PushKeys(key)
	hosts := func(host string) bool { return "https://"+host == p.phone.URL }
	return Options{
		Key: key, Base: base, Zone: p.zone, Messages: p.channels(),
		Push:   push.NewSenderTo(private, public, "desk@lekha.example", hosts, p.phone.Client()),
		Mailer: p.postbox, Directory: p.bookings.client,
	}
}

func (p *porch) follow(source *testkit.Source, sink feed.Sink) {
	follower := feed.NewFollower(source.Name, source.Client(contract.SourceLobby), p.redis.Bus, sink,
		prometheus.NewRegistry(), slog.New(slog.DiscardHandler))
	p.follows[source.Name] = follower
	testkit.Background(p.t, follower.Run)
}

// open publishes an office that is open all day, an active service and an inactive one.
func (p *porch) open() {
	p.publishOffice("confirm")
	p.office.Publish(p.t, outbox.Change{
		Type: contract.ServiceUpdated, Entity: contract.EntityService, EntityID: itrFiling,
		After: contract.Service{ID: itrFiling, Name: "ITR Filing", IsActive: true, Texts: map[string]contract.ServiceText{
			"hi": {Name: "आईटीआर"},
		}, EstMinutes: 45, Documents: papersOfITR},
	}, outbox.Change{
		Type: contract.ServiceUpdated, Entity: contract.EntityService, EntityID: closedService,
		After: contract.Service{ID: closedService, Name: "GST Registration"},
	})
	p.caughtUp()
}

// publishOffice publishes the office document with a mode of self check-in, as a release without versions does; edits
// change the document.
func (p *porch) publishOffice(checkIn string, edits ...func(document map[string]any)) {
	p.t.Helper()
	p.publishVersion(0, append(edits, func(document map[string]any) { document["checkIn"] = checkIn })...)
}

// publishVersion publishes a version of the office document, which has self check-in; edits change the document.
func (p *porch) publishVersion(number int64, edits ...func(document map[string]any)) {
	p.t.Helper()
	kind := contract.OfficeChanged
	if number == 0 {
		kind = contract.OfficeLoaded
	}
	document := map[string]any{
		"brand": "Lekha Tax", "phone": "080 0000 0142", "languages": []string{"en", "hi", "kn", "ta", "te", "mr"},
		"hours":   []map[string]any{{"days": "Monday-Sunday", "open": "12:00 AM", "close": "11:59 PM"}},
		"checkIn": "confirm", "arrivalsKept": 4, "messages": "on", "email": "desk@lekha.example",
		"address": []string{"12 MG Road", "Bengaluru"}, "mapsQuery": "Lekha Tax, MG Road",
		"notice": map[string]any{
			"version": "2026-11", "title": "How we use your details", "text": "To call you.\n\nFor a year.",
			"contact": "Grievance desk", "children": "A parent registers a child.",
			"purposes": []map[string]string{{"key": "serve", "title": "Your visit", "text": "To serve you."}},
			"translations": map[string]any{
				"hi": map[string]string{"title": "हम आपकी जानकारी", "text": "आपको बुलाने के लिए।"},
				"ur": map[string]string{"title": "آپ کی معلومات", "text": "آپ کو بلانے کے لیے"},
			},
		},
	}
	for _, edit := range edits {
		edit(document)
	}
	p.office.Publish(p.t, outbox.Change{
		Type: kind, Entity: contract.EntityOffice, EntityID: contract.OfficeID, Version: number, After: document,
	})
	p.caughtUp()
}

func (p *porch) internal() *endpoint.Table {
	p.t.Helper()
	table, err := endpoint.New(endpoint.Deps{
		Service: contract.SourceLobby, Keys: testkit.Keys(contract.SourceLobby), Log: slog.New(slog.DiscardHandler),
	}, p.InternalRoutes()...)
	if err != nil {
		p.t.Fatal(err)
	}
	return table
}

// acceptedArrival is the body of the request by which lobby asks visits to register an arrival.
type acceptedArrival struct {
	Name, Phone, Language string
	By                    struct{ Name string }
}

// makeArrival responds to an accepted arrival in place of visits. Every successful call returns the same visit.
func (p *porch) makeArrival(w http.ResponseWriter, r *http.Request) {
	var got acceptedArrival
	if err := json.UnmarshalRead(r.Body, &got, json.MatchCaseInsensitiveNames(true)); err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	p.mu.Lock()
	refused, lost, meet := p.refused, p.lost, p.meet
	if len(p.arrived) == 0 && !refused {
		p.arrived = append(p.arrived, got)
	}
	p.mu.Unlock()
	switch {
	case meet != nil:
		meet()
	case refused:
		w.WriteHeader(http.StatusPreconditionFailed)
		return
	case lost:
		w.WriteHeader(http.StatusGatewayTimeout)
		return
	}
	w.WriteHeader(http.StatusCreated)
	_, _ = io.WriteString(w, `{"visit":`+acceptedVisit+`}`)
}

// refuseArrival responds to a refused arrival in place of visits: it returns the arrival's visit, if there is one.
func (p *porch) refuseArrival(w http.ResponseWriter) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.arrived) > 0 {
		_, _ = io.WriteString(w, `{"visitId":"01a21545-06e3-7303-8e62-7b1e5e73f2af"}`)
		return
	}
	p.refused = true
	_, _ = io.WriteString(w, `{"visitId":null}`)
}

const (
	itrFiling     = "01890000-0000-7000-8000-000000000001"
	closedService = "01890000-0000-7000-8000-000000000002"
)

// personal has the values that no page may contain.
var personal = []string{"Asha Rao", "9876543210", "CA Iyer", "a note of the desk", "a note of the assistant"}

func (p *porch) arrive(edits ...func(*contract.Visit)) string {
	p.t.Helper()
	consultant := personal[2]
	v := contract.Visit{
		ID: uuid.Must(uuid.NewV7()).String(), TokenNo: 14, Token: "T-014", Day: time.Now().In(kolkata).Format(time.DateOnly),
		Name: personal[0], Phone: personal[1], ServiceID: itrFiling, ServiceName: "ITR Filing", Status: "approved",
		Stage: contract.StageWaiting, Language: "en", ConsultantName: &consultant, ReceptionNotes: personal[3],
		PANotes: personal[4], HeldNote: personal[3], CreatedAt: wire.Time(time.Now()),
	}
	for _, edit := range edits {
		edit(&v)
	}
	p.publish(contract.VisitCreated, v, nil)
	return v.ID
}

// publish publishes a change of a visit and waits until lobby has applied it.
func (p *porch) publish(kind string, v contract.Visit, actor *outbox.Actor) {
	p.t.Helper()
	p.mu.Lock()
	v.Version++
	p.known[v.ID] = v
	p.mu.Unlock()
	p.visits.Publish(p.t, outbox.Change{
		Type: kind, Entity: contract.EntityVisit, EntityID: v.ID, Version: v.Version, After: v, Actor: actor,
	})
	p.caughtUp()
}

func (p *porch) caughtUp() {
	p.t.Helper()
	for _, source := range []*testkit.Source{p.visits, p.office} {
		testkit.Eventually(p.t, "lobby has applied all events of "+source.Name, func() bool {
			var waiting int
			err := source.DB.Pool.QueryRow(context.Background(), `SELECT count(*) FROM outbox WHERE seq IS NULL`).Scan(&waiting)
			return err == nil && waiting == 0 && p.follows[source.Name].Position() == source.Head(p.t)
		})
	}
}

func (p *porch) change(kind, id string, edit func(*contract.Visit)) {
	p.t.Helper()
	p.mu.Lock()
	v := p.known[id]
	p.mu.Unlock()
	edit(&v)
	p.publish(kind, v, nil)
}

func (p *porch) answerAsVisits(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	places, status := p.places, p.status
	p.mu.Unlock()
	if r.URL.Path == "/internal/line" {
		w.Header().Set("ETag", fmt.Sprintf(`"%d"`, len(places)))
		if r.Header.Get("If-None-Match") == w.Header().Get("ETag") {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		p.mu.Lock()
		p.asked++
		p.mu.Unlock()
		_, _ = io.WriteString(w, places)
		return
	}
	if status != 0 {
		w.WriteHeader(status)
		_, _ = io.WriteString(w, `{}`)
		return
	}
	if p.answerRights(w, r) {
		return
	}
	if strings.HasSuffix(r.URL.Path, "/refusal") {
		p.refuseArrival(w)
		return
	}
	if strings.HasPrefix(r.URL.Path, "/internal/arrivals/") {
		p.makeArrival(w, r)
		return
	}
	p.makeAct(w, r)
}

// makeAct carries out a visitor's action in place of visits. A repetition changes nothing.
func (p *porch) makeAct(w http.ResponseWriter, r *http.Request) {
	id := strings.TrimSuffix(strings.TrimPrefix(r.URL.Path, "/internal/visits/"), "/visitor")
	var req visitorRequest
	if err := json.UnmarshalRead(r.Body, &req); err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	p.mu.Lock()
	p.acts, p.senders = append(p.acts, req.Action), append(p.senders, req.From)
	v := p.known[id]
	p.mu.Unlock()
	was, now := v.Stage, wire.Time(time.Now())
	kind := ""
	switch req.Action {
	case actionLate:
		until := wire.Time(time.Now().Add(time.Duration(req.Minutes) * time.Minute))
		v.Stage, v.HeldReason, v.HeldUntil, kind = contract.StageHeld, "late", &until, contract.VisitHeld
	case actionLeft:
		v.Stage, v.EndedAt, kind = contract.StageLeft, &now, contract.VisitLeft
	case actionHere:
		v.Stage, v.HeldReason, v.EndedAt, kind = contract.StageWaiting, "", nil, contract.VisitResumed
	}
	if was != v.Stage {
		v.Version++
		p.mu.Lock()
		p.known[id] = v
		p.mu.Unlock()
		p.visits.Publish(p.t, outbox.Change{
			Type: kind, Entity: contract.EntityVisit, EntityID: id, Version: v.Version, After: v,
			Actor: &outbox.Actor{Name: "Visitor", Role: roleVisitor},
		})
	}
	_, _ = fmt.Fprintf(w, `{"stage":%q,"changed":%v,"version":%d}`, v.Stage, was != v.Stage, v.Version)
}

// get requests a path of the pages and validates the response against the API document.
func (p *porch) get(path string, headers ...string) *httptest.ResponseRecorder {
	p.t.Helper()
	return p.contract.Call(p.t, p.table, "", http.MethodGet, path, "", headers...)
}

func (p *porch) post(path, form string, headers ...string) *httptest.ResponseRecorder {
	p.t.Helper()
	headers = append([]string{"Content-Type", "application/x-www-form-urlencoded", "Origin", base}, headers...)
	return p.contract.Call(p.t, p.table, "", http.MethodPost, path, form, headers...)
}

func codeOf(id string) string { return link.Code(key, id, 1) }

func (p *porch) shows(id, state string) string {
	p.t.Helper()
	w := p.get("/q/" + codeOf(id))
	if w.Code != http.StatusOK || !strings.Contains(w.Body.String(), fmt.Sprintf("data-state=%q", state)) {
		p.t.Fatalf("the page is %d, want the state %s:\n%s", w.Code, state, w.Body)
	}
	return w.Body.String()
}
