package testkit

import (
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"

	"baari.dev/services/platform/postgres"
	"baari.dev/services/platform/testkit/port"
)

// Timeouts is a statement for NewPooler. In production, a pooler's sessions get these timeouts from their role.
const Timeouts = `SELECT set_config('statement_timeout', '5s', false), set_config('lock_timeout', '2s', false), ` +
	`set_config('idle_in_transaction_session_timeout', '10s', false)`

// Pooler is a PgBouncer in transaction mode in front of the server of TEST_DATABASE_URL.
type Pooler struct{ port int }

const poolerConfig = `
[databases]
* = host=%s port=%s connect_query='%s'
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = %d
auth_type = trust
auth_file = %s
pool_mode = transaction
default_pool_size = %d
max_client_conn = 1000
server_idle_timeout = 5
unix_socket_dir =
`

// NewPooler starts a pooler with at most size sessions for each database. Each session first executes the statement in
// begin. The pooler ends with the test.
func NewPooler(t testing.TB, size int, begin string) *Pooler {
	t.Helper()
	pooler, stop := startPooler(t, size, begin)
	t.Cleanup(stop)
	return pooler
}

var shared struct {
	sync.Once
	pooler *Pooler
}

// SharedPooler returns a pooler that all tests of this process share. It ends with the process.
func SharedPooler(t testing.TB) *Pooler {
	t.Helper()
	shared.Do(func() { shared.pooler, _ = startPooler(t, 20, Timeouts) })
	return shared.pooler
}

func startPooler(t testing.TB, size int, begin string) (*Pooler, func()) {
	t.Helper()
	path, err := exec.LookPath("pgbouncer")
	if err != nil {
		t.Fatal("pgbouncer is not installed: run `go run ./tools/baari test go`, which unpacks it")
	}
	server, err := url.Parse(adminURL(t))
	if err != nil {
		t.Fatal(err)
	}
	folder, err := os.MkdirTemp("", "baari-pooler-")
	if err != nil {
		t.Fatal(err)
	}
	pooler := &Pooler{port: port.Free(t)}
	users, config := filepath.Join(folder, "users"), filepath.Join(folder, "config")
	text := fmt.Sprintf(poolerConfig, server.Hostname(), server.Port(), quoted(begin), pooler.port, users, size)
	if os.Geteuid() == 0 { // PgBouncer refuses to run as root
		text += "user = nobody\n"
	}
	for file, content := range map[string]string{users: fmt.Sprintf("%q %q\n", appRole, "test"), config: text} {
		if err := os.WriteFile(file, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(path, "-q", config)
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	Eventually(t, "PgBouncer listens", func() bool {
		conn, err := net.Dial("tcp", pooler.address())
		if err == nil {
			_ = conn.Close()
		}
		return err == nil
	})
	return pooler, func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		_ = os.RemoveAll(folder)
	}
}

func (p *Pooler) address() string { return net.JoinHostPort("127.0.0.1", strconv.Itoa(p.port)) }

// Before returns a copy of db with the pooler's address and settings, and without a Pool.
func (p *Pooler) Before(t testing.TB, db *Database) *Database {
	t.Helper()
	at, err := url.Parse(db.URL)
	if err != nil {
		t.Fatal(err)
	}
	at.Host = p.address()
	return &Database{URL: at.String(), OwnerURL: db.OwnerURL, Settings: postgres.Settings{Pooler: true}}
}

// quoted doubles the quotes of a value in PgBouncer's connection strings.
func quoted(value string) string { return strings.ReplaceAll(value, "'", "''") }
