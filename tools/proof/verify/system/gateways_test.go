package system

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"baari.dev/services/platform/testkit"
	"baari.dev/tools/stack"
)

// gateways returns a way through each kind of gateway to a system: its own gateway and, except in short tests, a
// Traefik that is started in addition, in the folder traefik-<name>.
func gateways(t *testing.T, system *stack.Stack, name string, settings ...string) []way {
	t.Helper()
	all := []way{{name: "embedded", system: system}}
	if !testing.Short() {
		all = append(all, way{name: "traefik", system: system, gateway: startTraefik(t, system, name, settings)})
	}
	return all
}

// startTraefik starts Traefik in front of a system and returns the address of Traefik, which is stopped after the test.
func startTraefik(t *testing.T, system *stack.Stack, name string, settings []string) string {
	t.Helper()
	program, err := stack.FindTraefik(t.Context(), root, stack.NewProgress(os.Stderr))
	if err != nil {
		t.Fatal(err)
	}
	ports, err := stack.FreePorts(2)
	if err != nil {
		t.Fatal(err)
	}
	at := filepath.Join(folder, "traefik-"+name)
	if err := os.MkdirAll(at, 0o700); err != nil {
		t.Fatal(err)
	}
	env := append(os.Environ(), "HOST=127.0.0.1", "PORT="+strconv.Itoa(ports[0]), "ADMIN_PORT="+strconv.Itoa(ports[1]),
		"SHUTDOWN_DELAY=0s", "DRAIN_TIMEOUT=1s", "BASE_URL="+system.URL(), "UPSTREAM_WEB="+webOf(t, system))
	for _, service := range stack.Services {
		env = append(env, "UPSTREAM_"+strings.ToUpper(service)+"="+system.Public(service))
	}
	configure := stack.GoCommand(t.Context(), root, "run", "baari.dev/gateway/cmd/baarid", "traefikconf", "--out", at)
	configure.Env = append(append(configure.Env, env...), settings...)
	if out, err := configure.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	log, err := os.Create(filepath.Join(at, "log"))
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	traefik := exec.CommandContext(ctx, program, "--configFile="+filepath.Join(at, "traefik.yaml"))
	traefik.Env, traefik.Stdout, traefik.Stderr = env, log, log
	go func() { ended <- stack.Run(traefik) }()
	t.Cleanup(func() {
		stop()
		<-ended
		_ = log.Close()
	})
	testkit.Eventually(t, "Traefik is ready", func() bool {
		res, err := browser.Get(fmt.Sprintf("http://127.0.0.1:%d/readyz", ports[1]))
		if err != nil {
			return false
		}
		_ = res.Body.Close()
		return res.StatusCode == http.StatusOK
	})
	return fmt.Sprintf("http://127.0.0.1:%d", ports[0])
}

func webOf(t *testing.T, system *stack.Stack) string {
	t.Helper()
	for _, process := range system.Processes() {
		if process.Name == "web" {
			return fmt.Sprintf("http://127.0.0.1:%d", process.Port)
		}
	}
	t.Fatal("the system has no web server")
	return ""
}
