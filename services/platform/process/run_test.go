package process

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/prometheus/client_golang/prometheus"

	"baari.dev/services/platform/bus"
	"baari.dev/services/platform/endpoint"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/postgres"
	"baari.dev/services/platform/testkit"
	"baari.dev/services/platform/testkit/port"
)

// program is targets that run in one process.
type program struct {
	env   Environment
	group Group
	ended chan error
	stop  context.CancelFunc

	mu       sync.Mutex
	started  map[string]*Process
	settings map[string]Environment // the environment that Configure received
}

func newProgram(t *testing.T, targets ...Target) *program {
	t.Helper()
	p := &program{
		env: Environment{
			"HOST": "127.0.0.1", "ADMIN_PORT": strconv.Itoa(port.Free(t)), "SHUTDOWN_DELAY": "0s", "LOG_LEVEL": "error",
			"SERVICE_PUBLIC_KEYS": testkit.PublicKeys(),
		},
		ended: make(chan error, 1), started: map[string]*Process{}, settings: map[string]Environment{},
	}
	for i, target := range targets {
		name := strings.ToUpper(target.Name)
		target.Place = i + 1
		p.env[name+"_PORT"], p.env[name+"_INTERNAL_PORT"] = strconv.Itoa(port.Free(t)), strconv.Itoa(port.Free(t))
		p.env[name+"_SERVICE_KEY"] = testkit.PrivateKey(target.Name)
		configure := target.Configure
		target.Configure = func(env Environment) (Start, error) {
			start, err := configure(env)
			return func(ctx context.Context, process *Process) error {
				p.mu.Lock()
				p.started[target.Name], p.settings[target.Name] = process, env
				p.mu.Unlock()
				return start(ctx, process)
			}, err
		}
		p.group.Targets = append(p.group.Targets, target)
	}
	return p
}

// run runs the program until the test ends, and waits until it is ready.
func (p *program) run(t *testing.T) {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	p.stop = stop
	go func() { p.ended <- Run(ctx, p.env, p.group); close(p.ended) }()
	t.Cleanup(func() { stop(); <-p.ended })
	testkit.Eventually(t, "the program is ready", func() bool {
		select {
		case err := <-p.ended:
			t.Fatalf("the program has ended: %v", err)
		default:
		}
		status, _ := p.get("ADMIN_PORT", "/readyz")
		return status == http.StatusOK
	})
}

// get returns the status and the body of a path at the port of a variable, 0 without a response.
func (p *program) get(variable, path string) (int, string) {
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	res, err := client.Get("http://127.0.0.1:" + p.env[variable] + path)
	if err != nil {
		return 0, ""
	}
	defer res.Body.Close()
	body, _ := io.ReadAll(res.Body)
	return res.StatusCode, string(body)
}

// page returns a target without a database, which answers with its name.
func page(name string) Target {
	return Target{Name: name, Configure: Configured(func(_ Common, _ context.Context, p *Process) error {
		p.Public(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, name) }))
		return nil
	})}
}

func counter(name string) Target {
	return Target{Name: name, Migrations: []postgres.Set{outbox.Migrations()},
		Configure: Configured(func(_ Config, _ context.Context, p *Process) error {
			table, err := endpoint.New(endpoint.Deps{Service: name, Log: p.Log}, endpoint.Route{
				Method: "GET", Pattern: "/quick", Access: endpoint.Public(), Handler: endpoint.JSON(endpoint.Nothing,
					func(context.Context, struct{}) (string, error) { return name, nil }),
			})
			p.Public(table)
			p.Registry.MustRegister(prometheus.NewCounter(prometheus.CounterOpts{Name: "shop_sales_total"}))
			p.Ready(name+" counts", func(context.Context) error { return nil })
			return err
		})}
}

func (p *program) withDatabase(t *testing.T, service string) {
	t.Helper()
	db := testkit.NewDatabase(t)
	name := strings.ToUpper(service)
	p.env[name+"_DATABASE_URL"], p.env[name+"_MIGRATE_DATABASE_URL"] = db.URL, db.OwnerURL
}

// Each target listens on its own port, and the target with Edge on the program's port. Each target knows the addresses
// of the others.
func TestTargetsOfOneProcessHaveTheirListeners(t *testing.T) {
	edge := page("edge")
	edge.Edge = true
	p := newProgram(t, page("shop"), page("till"), edge)
	delete(p.env, "EDGE_PORT")
	p.env["PORT"] = strconv.Itoa(port.Free(t))
	p.run(t)
	for variable, want := range map[string]string{"SHOP_PORT": "shop", "TILL_PORT": "till", "PORT": "edge"} {
		if status, body := p.get(variable, "/"); status != http.StatusOK || body != want {
			t.Errorf("%s answers %d %q", variable, status, body)
		}
	}
	if got, want := p.settings["edge"]["UPSTREAM_TILL"], "http://127.0.0.1:"+p.env["TILL_PORT"]; got != want {
		t.Errorf("the edge was given %q, want %q", got, want)
	}
	if host := p.settings["shop"]["HOST"]; host != "127.0.0.1" {
		t.Errorf("a target beside others listens on %q", host)
	}
}

// Without Redis, services in one process share a bus and the counts of limits. Their metrics have the label service.
func TestServicesOfOneProcessShareABusWithoutRedis(t *testing.T) {
	p := newProgram(t, counter("shop"), counter("till"))
	p.withDatabase(t, "shop")
	p.withDatabase(t, "till")
	if _, err := prepare(p.env, p.group); err == nil || !strings.Contains(err.Error(), "REDIS_URL: it is not set") {
		t.Fatalf("a part of the product ran without Redis: %v", err)
	}
	p.group.Whole = true
	r, err := prepare(p.env, p.group)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.unbind)
	shop, till := r.processes[0], r.processes[1]
	for _, process := range r.processes {
		process.metrics = prometheus.NewRegistry()
		process.Registry = r.registerer(process.metrics, process)
		if err := r.connectBus(process); err != nil {
			t.Fatal(err)
		}
		process.Registry.MustRegister(prometheus.NewCounter(prometheus.CounterOpts{Name: "shop_sales_total"}))
	}
	if _, local := shop.Bus.(*bus.Local); !local || shop.Bus != till.Bus || shop.Limiter == nil ||
		shop.Limiter != till.Limiter {
		t.Error("the services do not share the bus and the limiter")
	}
	if shop.Config.DatabaseURL == till.Config.DatabaseURL {
		t.Error("the services share a database")
	}
	page := httptest.NewRecorder()
	r.metrics().ServeHTTP(page, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	for _, want := range []string{
		`shop_sales_total{service="shop"} 0`, `shop_sales_total{service="till"} 0`, `service="baari",version=`,
	} {
		if !strings.Contains(page.Body.String(), want) {
			t.Errorf("no line %s in\n%s", want, page.Body)
		}
	}
}

// A service that is not ready makes the process not ready. A probe can select one target.
func TestReadinessIsThatOfAllTargetsOrOfOne(t *testing.T) {
	away := make(chan struct{})
	shop := page("shop")
	shop.Configure = Configured(func(_ Common, _ context.Context, p *Process) error {
		p.Public(http.NotFoundHandler())
		p.Ready("stock", func(context.Context) error {
			select {
			case <-away:
				return errors.New("no stock")
			default:
				return nil
			}
		})
		return nil
	})
	p := newProgram(t, shop, page("till"))
	p.run(t)
	close(away)
	for path, want := range map[string]int{
		"/readyz": 503, "/readyz?target=shop": 503, "/readyz?target=till": 200, "/readyz?exclude=stock": 200,
	} {
		if status, _ := p.get("ADMIN_PORT", path); status != want {
			t.Errorf("%s answers %d, want %d", path, status, want)
		}
	}
}

// The gateway ends its requests while the targets behind it still answer.
func TestTheEdgeStopsFirst(t *testing.T) {
	release := make(chan struct{})
	entered := make(chan struct{})
	edge := Target{Name: "edge", Edge: true, Configure: Configured(func(_ Common, _ context.Context, p *Process) error {
		p.Public(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { close(entered); <-release }))
		return nil
	})}
	p := newProgram(t, page("shop"), edge)
	p.run(t)
	answered := make(chan int, 1)
	go func() {
		status, _ := p.get("EDGE_PORT", "/")
		answered <- status
	}()
	<-entered
	p.stop()
	testkit.Eventually(t, "the edge accepts nothing", func() bool {
		conn, err := net.Dial("tcp", "127.0.0.1:"+p.env["EDGE_PORT"])
		if err == nil {
			conn.Close()
		}
		return err != nil
	})
	if status, _ := p.get("SHOP_PORT", "/"); status != http.StatusOK {
		t.Errorf("a target behind the edge answers %d before the edge has ended", status)
	}
	close(release)
	if status := <-answered; status != http.StatusOK {
		t.Errorf("the open request was answered %d", status)
	}
	if err := testkit.Receive(t, "the program ends", p.ended); err != nil {
		t.Error(err)
	}
}

func TestAFailureOfOneTargetEndsAll(t *testing.T) {
	broken := errors.New("the till is broken")
	for _, atStart := range []bool{true, false} {
		till := page("till")
		till.Configure = Configured(func(_ Common, _ context.Context, p *Process) error {
			p.Public(http.NotFoundHandler())
			p.Go(func(context.Context) error { return broken })
			if atStart {
				return broken
			}
			return nil
		})
		p := newProgram(t, page("shop"), till)
		err := Run(t.Context(), p.env, p.group)
		if !errors.Is(err, broken) || !strings.HasPrefix(err.Error(), "till: ") {
			t.Errorf("at the start %t: %v", atStart, err)
		}
	}
}

// An occupied port is reported before anything is started.
func TestAPortInUseFailsTheStart(t *testing.T) {
	for _, variable := range []string{"SHOP_PORT", "TILL_PORT", "TILL_INTERNAL_PORT", "ADMIN_PORT"} {
		p := newProgram(t, page("shop"), counter("till"))
		p.group.Whole = true
		p.withDatabase(t, "till")
		taken, err := net.Listen("tcp", "127.0.0.1:"+p.env[variable])
		if err != nil {
			t.Fatal(err)
		}
		err = Run(t.Context(), p.env, p.group)
		taken.Close()
		if err == nil || !strings.Contains(err.Error(), "port "+p.env[variable]+" is in use by another program") {
			t.Errorf("%s: %v", variable, err)
		}
		if len(p.started) > 0 {
			t.Errorf("%s is in use, and %v started", variable, maps.Keys(p.started))
		}
	}
}

func TestWrongSettingsOfSeveralTargetsAreNamedOnce(t *testing.T) {
	p := newProgram(t, counter("shop"), counter("till"))
	p.group.Whole = true
	p.withDatabase(t, "shop")
	p.env["RETENTION_DAYS"] = "3"
	err := Run(t.Context(), p.env, p.group)
	if want := "DATABASE_URL: it is not set (till)"; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("no line %q in %v", want, err)
	}
	if want := "RETENTION_DAYS: the law asks for at least 365 (shop, till)"; err == nil ||
		strings.Count(err.Error(), want) != 1 {
		t.Errorf("no line %q in %v", want, err)
	}
}

// In the address of a database, {service} stands for the service's name.
func TestAnAddressOfADatabaseNamesTheService(t *testing.T) {
	env := Environment{"DATABASE_URL": "postgres://baari_{service}@db/baari_{service}"}
	group := Group{Targets: []Target{counter("shop"), counter("till")}}
	for _, target := range group.Targets {
		want := "postgres://baari_" + target.Name + "@db/baari_" + target.Name
		for _, g := range []Group{group, {Targets: []Target{target}}} {
			if got := g.environment(env, target)["DATABASE_URL"]; got != want {
				t.Errorf("%s is given %q, want %q", target.Name, got, want)
			}
		}
	}
}

// A single target listens on the usual ports and ignores variables with its name, because Kubernetes sets SHOP_PORT.
func TestATargetThatIsAloneReadsNoPrefix(t *testing.T) {
	env := Environment{"SHOP_PORT": "tcp://10.0.0.1:80", "PORT": "8080"}
	if got := (Group{Targets: []Target{page("shop")}}).environment(env, page("shop"))["PORT"]; got != "8080" {
		t.Errorf("the port is %q", got)
	}
}

func TestProfilesAreServedOnlyIfEnabled(t *testing.T) {
	for wanted, status := range map[string]int{"off": http.StatusNotFound, "on": http.StatusOK} {
		p := newProgram(t, page("shop"), page("till"))
		p.env["PROFILES"] = wanted
		p.run(t)
		// ASVS 13.4.2
		if got, _ := p.get("ADMIN_PORT", "/debug/pprof/allocs"); got != status {
			t.Errorf("with PROFILES=%s the answer is %d", wanted, got)
		}
	}
}
