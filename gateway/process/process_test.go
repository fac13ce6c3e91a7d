package process

import (
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"

	"baari.dev/gateway"
)

func TestEachInvalidVariableIsNamed(t *testing.T) {
	for name, value := range map[string]string{
		"PORT": "99999", "ADMIN_PORT": "x", "LOG_LEVEL": "loud", "LOG_FORMAT": "xml", "SHUTDOWN_DELAY": "soon",
		"UPSTREAM_AUTH": "auth:8080", "UPSTREAM_VISITS": "http://visits/path", "TRUSTED_PROXIES": "10.0.0.1",
		"LIMITS": "some",
	} {
		t.Setenv(name, value)
	}
	err := new(Edge).Read()
	if err == nil {
		t.Fatal("accepted")
	}
	for _, name := range []string{"PORT:", "ADMIN_PORT:", "LOG_LEVEL:", "LOG_FORMAT:", "SHUTDOWN_DELAY:", "UPSTREAM_AUTH:",
		"UPSTREAM_VISITS:", "TRUSTED_PROXIES:", "LIMITS:", "UPSTREAM_WEB: not set"} {
		if !strings.Contains(err.Error(), name) {
			t.Errorf("%s is not named in\n%v", name, err)
		}
	}
}

// Networks without a number, or a number without networks, would count the wrong address.
func TestProxiesAreDeclaredByNumberAndNetwork(t *testing.T) {
	for _, upstream := range []string{"AUTH", "VISITS", "DIRECTORY", "AUDIT", "REALTIME", "LOBBY", "WEB"} {
		t.Setenv("UPSTREAM_"+upstream, "http://127.0.0.1:1")
	}
	for _, c := range []struct {
		networks, hops string
		ok             bool
	}{{"", "", true}, {"10.1.2.0/24", "1", true}, {"10.1.2.0/24", "", false}, {"", "1", false}} {
		t.Setenv("TRUSTED_PROXIES", c.networks)
		t.Setenv("TRUSTED_PROXY_HOPS", c.hops)
		err := new(Edge).Read()
		if (err == nil) != c.ok || err != nil && !strings.Contains(err.Error(), "TRUSTED_PROXIES") {
			t.Errorf("networks %q and %q proxies: %v", c.networks, c.hops, err)
		}
	}
}

func TestAPortInUseIsReportedInOneSentence(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	port := Port(taken.Addr().(*net.TCPAddr).Port)
	err = Run(Config{Host: "127.0.0.1", Port: port, AdminPort: port},
		Program{Handler: http.NotFoundHandler(), Registry: prometheus.NewRegistry(), Logger: slog.New(slog.DiscardHandler)})
	if err == nil || !strings.Contains(err.Error(), "is in use by another program") {
		t.Errorf("got %v", err)
	}
}

func TestAStoppingProgramIsAliveAndNotReady(t *testing.T) {
	ready := true
	admin := adminHandler(Program{Name: "gateway", Registry: NewRegistry()}, false, func() bool { return ready })
	status := func(path string) int {
		w := httptest.NewRecorder()
		admin.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
		return w.Code
	}
	if status("/healthz") != http.StatusOK || status("/readyz") != http.StatusOK || status("/metrics") != http.StatusOK {
		t.Error("a running program is not healthy")
	}
	ready = false
	if status("/healthz") != http.StatusOK || status("/readyz") != http.StatusServiceUnavailable {
		t.Error("a stopping program must leave the load balancer and live on")
	}
}

func TestProfilesAreServedOnlyIfEnabled(t *testing.T) {
	for wanted, status := range map[bool]int{false: http.StatusNotFound, true: http.StatusOK} {
		w := httptest.NewRecorder()
		admin := adminHandler(Program{Name: "gateway", Registry: NewRegistry()}, wanted, func() bool { return true })
		admin.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/debug/pprof/allocs", nil))
		// ASVS 13.4.2
		if w.Code != status {
			t.Errorf("with profiles %t the answer is %d", wanted, w.Code)
		}
	}
}

func TestTheRateOfAnAddressIsASetting(t *testing.T) {
	for _, c := range []struct{ edge, want [2]int }{
		{[2]int{0, 0}, [2]int{gateway.Rate, gateway.Burst}},
		{[2]int{50, 80}, [2]int{50, 80}},
	} {
		edge := Edge{Limits: true, RatePerSecond: uint16(c.edge[0]), RateBurst: uint16(c.edge[1])}
		if rate, burst := edge.Rate(); rate != c.want[0] || burst != c.want[1] {
			t.Errorf("%v allow %d a second and %d at once, want %v", c.edge, rate, burst, c.want)
		}
	}
	if rate, burst := (Edge{RatePerSecond: 50, RateBurst: 80}).Rate(); rate != 0 || burst != 0 {
		t.Errorf("without limits %d and %d are allowed", rate, burst)
	}
}
