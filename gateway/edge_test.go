package gateway_test

import (
	"strings"
	"testing"

	"baari.dev/gateway"
	"baari.dev/services/platform/process"
)

func upstreams() process.Environment {
	env := process.Environment{}
	for _, name := range []string{"AUTH", "VISITS", "DIRECTORY", "AUDIT", "REALTIME", "LOBBY", "WEB"} {
		env["UPSTREAM_"+name] = "http://127.0.0.1:1"
	}
	return env
}

func TestEachInvalidVariableIsNamed(t *testing.T) {
	_, err := gateway.ReadEdge(process.Environment{
		"PORT": "99999x", "ADMIN_PORT": "x", "LOG_LEVEL": "loud", "SHUTDOWN_DELAY": "soon", "DRAIN_TIMEOUT": "late",
		"UPSTREAM_AUTH": "auth:8080", "UPSTREAM_VISITS": "http://visits/path", "TRUSTED_PROXIES": "10.0.0.1",
		"LIMITS": "some",
	})
	if err == nil {
		t.Fatal("accepted")
	}
	for _, name := range []string{"PORT:", "ADMIN_PORT:", "LOG_LEVEL:", "SHUTDOWN_DELAY:", "DRAIN_TIMEOUT:",
		"UPSTREAM_AUTH:", "UPSTREAM_VISITS:", "TRUSTED_PROXIES:", "LIMITS:", "UPSTREAM_WEB: it is not set"} {
		if !strings.Contains(err.Error(), name) {
			t.Errorf("%s is not named in\n%v", name, err)
		}
	}
}

// With networks but no number of proxies, or a number but no networks, the rate limit would count the wrong address.
func TestProxiesAreDeclaredByNumberAndNetwork(t *testing.T) {
	for _, c := range []struct {
		networks, hops string
		ok             bool
	}{{"", "", true}, {"10.1.2.0/24", "1", true}, {"10.1.2.0/24", "", false}, {"", "1", false}} {
		env := upstreams()
		env["TRUSTED_PROXIES"] = c.networks
		if c.hops != "" {
			env["TRUSTED_PROXY_HOPS"] = c.hops
		}
		_, err := gateway.ReadEdge(env)
		if (err == nil) != c.ok || err != nil && !strings.Contains(err.Error(), "TRUSTED_PROXIES") {
			t.Errorf("networks %q and %q proxies: %v", c.networks, c.hops, err)
		}
	}
}

func TestTheRateOfAnAddressIsASetting(t *testing.T) {
	for _, c := range []struct{ config, want [2]int }{
		{[2]int{0, 0}, [2]int{gateway.Rate, gateway.Burst}},
		{[2]int{50, 80}, [2]int{50, 80}},
	} {
		config := gateway.Edge{Limits: true, RatePerSecond: uint16(c.config[0]), RateBurst: uint16(c.config[1])}
		if rate, burst := config.Rate(); rate != c.want[0] || burst != c.want[1] {
			t.Errorf("%v allow %d a second and %d at once, want %v", c.config, rate, burst, c.want)
		}
	}
	if rate, burst := (gateway.Edge{RatePerSecond: 50, RateBurst: 80}).Rate(); rate != 0 || burst != 0 {
		t.Errorf("without limits %d and %d are allowed", rate, burst)
	}
}
