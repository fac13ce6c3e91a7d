package test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"baari.dev/services/platform/testkit/port"
)

// baarid is the path of the built program.
var baarid string

func TestMain(m *testing.M) {
	folder, err := os.MkdirTemp("", "baari-gateway-test-")
	if err == nil {
		err = build(folder)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	code := m.Run()
	_ = os.RemoveAll(folder)
	os.Exit(code)
}

func build(folder string) error {
	baarid = filepath.Join(folder, "baarid")
	cmd := exec.Command("go", "build", "-o", baarid, "baari.dev/gateway/cmd/baarid")
	// Like the shipped program, this one is built without cgo; only the tests need cgo, for the race detector.
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	out, err := cmd.CombinedOutput()
	if err != nil {
		return fmt.Errorf("building baarid: %w\n%s", err, out)
	}
	return nil
}

type kind struct {
	name    string
	program string
	command func(t *testing.T, env []string) *exec.Cmd
}

var kinds = []kind{
	{"embedded", "baarid", func(_ *testing.T, _ []string) *exec.Cmd {
		return exec.Command(baarid, "--target=gateway")
	}},
	{"traefik", "traefik", traefikCommand},
}

func traefikCommand(t *testing.T, env []string) *exec.Cmd {
	t.Helper()
	traefik := os.Getenv("TRAEFIK")
	if traefik == "" {
		found, err := exec.LookPath("traefik")
		if err != nil {
			t.Fatal("Traefik is not on PATH and TRAEFIK does not name it: build it as gateway/traefik/README.md says.")
		}
		traefik = found
	}
	folder := t.TempDir()
	write := exec.Command(baarid, "traefikconf", "--out", folder)
	write.Env = env
	if out, err := write.CombinedOutput(); err != nil {
		t.Fatalf("traefikconf: %v\n%s", err, out)
	}
	return exec.Command(traefik, "--configFile="+filepath.Join(folder, "traefik.yaml"))
}

// edge is a running gateway and the services behind it.
type edge struct {
	kind     kind
	base     string
	port     int
	admin    string
	services *services
	command  *exec.Cmd
	ended    chan struct{} // closed when the process has ended; err is set then
	err      error
	log      *os.File
}

type setting struct{ name, value string }

// forEach runs the test with each kind of gateway. The rate limit is off unless a setting turns it on.
func forEach(t *testing.T, test func(t *testing.T, e *edge), settings ...setting) {
	t.Helper()
	for _, k := range kinds {
		t.Run(k.name, func(t *testing.T) {
			t.Parallel()
			test(t, start(t, k, settings...))
		})
	}
}

func start(t *testing.T, k kind, settings ...setting) *edge {
	t.Helper()
	behind := newServices(t)
	public, admin := port.Free(t), port.Free(t)
	env := []string{"HOST=127.0.0.1", "SHUTDOWN_DELAY=0", "DRAIN_TIMEOUT=1s", "LIMITS=off",
		"PORT=" + strconv.Itoa(public), "ADMIN_PORT=" + strconv.Itoa(admin)}
	for name, address := range behind.addresses {
		env = append(env, "UPSTREAM_"+strings.ToUpper(name)+"="+address)
	}
	for _, s := range settings {
		env = append(env, s.name+"="+s.value)
	}
	log, err := os.Create(filepath.Join(t.TempDir(), "log"))
	if err != nil {
		t.Fatal(err)
	}
	e := &edge{kind: k, port: public, services: behind, log: log, ended: make(chan struct{}), command: k.command(t, env),
		base: fmt.Sprintf("http://127.0.0.1:%d", public), admin: fmt.Sprintf("http://127.0.0.1:%d", admin)}
	e.command.Env, e.command.Stdout, e.command.Stderr = env, log, log
	e.command.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := e.command.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		e.err = e.command.Wait()
		close(e.ended)
	}()
	t.Cleanup(func() { e.stop(t) })
	e.awaitReady(t)
	return e
}

func (e *edge) awaitReady(t *testing.T) {
	t.Helper()
	limit := time.After(60 * time.Second)
	for {
		if res, err := http.Get(e.admin + "/readyz"); err == nil {
			_ = res.Body.Close()
			if res.StatusCode == http.StatusOK {
				return
			}
		}
		select {
		case <-time.After(20 * time.Millisecond):
		case <-e.ended:
			t.Fatalf("%s ended: %v\n%s", e.kind.name, e.err, e.logText(t))
		case <-limit:
			t.Fatalf("%s is not ready\n%s", e.kind.name, e.logText(t))
		}
	}
}

func (e *edge) logText(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(e.log.Name())
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// stop asks the process to end and waits for it. Stopping twice is allowed.
func (e *edge) stop(t *testing.T) {
	_ = e.command.Process.Signal(syscall.SIGTERM)
	if <-e.ended; e.err != nil {
		t.Errorf("%s did not shut down gracefully: %v\n%s", e.kind.name, e.err, e.logText(t))
	}
}

type reply struct {
	status int
	header http.Header
	body   string
}

type call struct {
	method, path, body string
	header             http.Header
	from               string // local address; "" is 127.0.0.1
}

// do sends the request of c. The path is sent unchanged, even if it is not clean.
func (e *edge) do(t *testing.T, c call) reply {
	t.Helper()
	got, err := e.try(c)
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", c.method, c.path, err, e.logText(t))
	}
	return got
}

func (e *edge) try(c call) (reply, error) {
	if c.method == "" {
		c.method = http.MethodGet
	}
	request, err := http.NewRequestWithContext(context.Background(), c.method, e.base, strings.NewReader(c.body))
	if err != nil {
		return reply{}, err
	}
	if request.URL.Opaque = c.path; strings.HasPrefix(c.path, "//") { // otherwise net/http would read it as a host
		request.URL.Opaque, request.URL.Path = "", c.path
	}
	for name, values := range c.header {
		request.Header[name] = values
	}
	if host := c.header.Get("Host"); host != "" {
		request.Host = host
	}
	res, err := client(c.from).Do(request)
	if err != nil {
		return reply{}, err
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	return reply{res.StatusCode, res.Header, string(body)}, err
}

func (e *edge) get(t *testing.T, path string) reply {
	t.Helper()
	return e.do(t, call{path: path})
}

func (e *edge) metrics(t *testing.T) string {
	t.Helper()
	res, err := http.Get(e.admin + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// client makes connections from one local address, as one device in the office would.
func client(from string) *http.Client {
	dialer := &net.Dialer{}
	if from != "" {
		dialer.LocalAddr = &net.TCPAddr{IP: net.ParseIP(from)}
	}
	return &http.Client{
		Timeout:       15 * time.Second,
		Transport:     &http.Transport{DialContext: dialer.DialContext, DisableKeepAlives: true, DisableCompression: true},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// raw sends bytes unchanged and returns all bytes that the gateway sends until it closes the connection. It returns an
// error if the connection is still open after ten seconds.
func (e *edge) raw(t *testing.T, text string) (string, error) {
	t.Helper()
	conn, err := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", e.port))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if err := conn.SetDeadline(time.Now().Add(10 * time.Second)); err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(conn, text); err != nil {
		t.Fatal(err)
	}
	all, err := io.ReadAll(conn)
	if errors.Is(err, syscall.ECONNRESET) { // the gateway closed before it read all bytes
		err = nil
	}
	return string(all), err
}

// sendOpen sends bytes unchanged and closes the connection after the end of the response. An earlier close would end
// the requests, and their connections to the service would not return to the pool.
func (e *edge) sendOpen(text string) error {
	conn, err := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", e.port))
	if err != nil {
		return err
	}
	defer conn.Close()
	_, _ = io.WriteString(conn, text) // the gateway may reject the request before all of it was sent
	wait, buffer := 150*time.Millisecond, make([]byte, 4<<10)
	for err == nil {
		if err = conn.SetReadDeadline(time.Now().Add(wait)); err == nil {
			_, err = conn.Read(buffer)
		}
		wait = 20 * time.Millisecond // shorter, because an answer has begun
	}
	return nil
}
