package stack

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

const (
	superuser     = "baari"
	postgresMajor = "18"
)

// startPostgres uses the server of DATABASE_URL if that is set. Otherwise it starts a server in the data folder. It
// returns the administrator's URL.
func (s *Stack) startPostgres(ctx context.Context) (string, error) {
	if given := os.Getenv("DATABASE_URL"); given != "" {
		if err := Await(ctx, 10*time.Second, func(ctx context.Context) error {
			return pingPostgres(ctx, given)
		}); err != nil {
			return "", advise("The PostgreSQL of DATABASE_URL does not answer: start it, or unset DATABASE_URL. (%v)", err)
		}
		return given, nil
	}
	server, err := s.preparePostgres(ctx)
	if err != nil {
		return "", err
	}
	port, err := s.serverPort("postgres")
	if err != nil {
		return "", err
	}
	child, err := s.run(databases, server.spec(port, s.options.hasty))
	if err != nil {
		return "", err
	}
	at := (&url.URL{
		Scheme: "postgres", User: url.UserPassword(superuser, s.secrets.Postgres),
		Host: address(port), Path: "/postgres", RawQuery: "sslmode=disable",
	}).String()
	err = Await(ctx, 30*time.Second, func(ctx context.Context) error { return pingPostgres(ctx, at) })
	if err != nil {
		text, _ := os.ReadFile(child.spec.Log)
		return "", explain(fmt.Errorf("PostgreSQL does not start: %w\n%s", err, lastLines(string(text), 8)), s.folder.Path())
	}
	return at, nil
}

// postgresServer is an installed PostgreSQL with an initialized data folder.
type postgresServer struct {
	bin   string
	data  *os.File // kept open, see fileArgument
	owner *syscall.Credential
}

func (s *Stack) preparePostgres(ctx context.Context) (*postgresServer, error) {
	var server postgresServer
	err := s.progress.Step("fetching PostgreSQL", func() (err error) {
		server.bin, err = installPostgres(ctx)
		return err
	})
	if err != nil {
		return nil, err
	}
	dir := s.folder.postgres()
	server.owner = postgresOwner(dir)
	// The folder may have been restored by a process of another account.
	if s.folder.isRestored() {
		if err := giveTo(server.owner, dir); err != nil {
			return nil, err
		}
	}
	if err := clearStaleServer(ctx, dir); err != nil {
		return nil, err
	}
	if _, err := os.Stat(dir); errors.Is(err, os.ErrNotExist) {
		err = s.progress.Step("initialising the database", func() error {
			return server.initialise(ctx, dir, s.secrets.Postgres)
		})
		if err != nil {
			return nil, explain(err, s.folder.Path())
		}
	}
	version, err := os.ReadFile(filepath.Join(dir, "PG_VERSION"))
	if err != nil {
		return nil, advise("%s is not a complete database (%v): start over with --fresh.", dir, err)
	}
	if strings.TrimSpace(string(version)) != postgresMajor {
		return nil, advise("%s was created by PostgreSQL %s, this is %s: start over with --fresh.",
			dir, strings.TrimSpace(string(version)), postgresMajor)
	}
	server.data, err = os.Open(dir)
	if err != nil {
		return nil, explain(err, s.folder.Path())
	}
	s.onStop(func() { _ = server.data.Close() })
	return &server, nil
}

// initialise creates the data folder under a temporary name and renames it when it is complete, so that an
// interrupted first start leaves no partial database.
func (p *postgresServer) initialise(ctx context.Context, dir, password string) error {
	unfinished := dir + ".new"
	if err := errors.Join(os.RemoveAll(unfinished), os.Mkdir(unfinished, 0o700)); err != nil {
		return err
	}
	secret, err := os.CreateTemp(filepath.Dir(dir), "password") // mode 0600
	if err != nil {
		return err
	}
	defer func() { _ = errors.Join(secret.Close(), os.Remove(secret.Name())) }()
	if _, err := secret.WriteString(password + "\n"); err != nil {
		return err
	}
	if p.owner != nil {
		uid, gid := int(p.owner.Uid), int(p.owner.Gid)
		if err := errors.Join(os.Chown(unfinished, uid, gid), os.Chown(secret.Name(), uid, gid)); err != nil {
			return err
		}
	}
	data, err := os.Open(unfinished)
	if err != nil {
		return err
	}
	defer func() { _ = data.Close() }()
	cmd := exec.CommandContext(ctx, filepath.Join(p.bin, "initdb"), "-D", p.fileArgument(data, 3), "-U", superuser,
		"--auth=scram-sha-256", "--pwfile="+p.fileArgument(secret, 4), "-E", "UTF8",
		"--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C")
	cmd.Dir, cmd.Env = "/", postgresEnv()
	cmd.ExtraFiles = []*os.File{data, secret}
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: p.owner}
	if err := runQuietly(cmd); err != nil {
		return err
	}
	return os.Rename(unfinished, dir)
}

// fileArgument returns a path by which PostgreSQL can open a file or folder. If the launcher is root, PostgreSQL runs
// as another account, perhaps without access to the file. The path then names a descriptor that PostgreSQL inherits.
func (p *postgresServer) fileArgument(file *os.File, descriptor int) string {
	if p.owner != nil {
		return fmt.Sprintf("/proc/self/fd/%d", descriptor)
	}
	return file.Name()
}

func (p *postgresServer) spec(port int, hasty bool) Spec {
	args := []string{
		"-D", p.fileArgument(p.data, 3), "-h", loopback, "-p", strconv.Itoa(port),
		"-c", "unix_socket_directories=", "-c", "timezone=UTC", "-c", "log_timezone=UTC", "-c", "max_connections=300",
		"-c", "shared_preload_libraries=pg_stat_statements",
	}
	if hasty {
		args = append(args, "-c", "fsync=off", "-c", "synchronous_commit=off", "-c", "full_page_writes=off")
	}
	return Spec{
		Name: "postgres", Path: filepath.Join(p.bin, "postgres"), Args: args, Env: postgresEnv(), Port: port,
		Stop: syscall.SIGINT, Orphan: syscall.SIGINT, Owner: p.owner, Files: []*os.File{p.data}, // SIGINT: fast shutdown
	}
}

// postgresEnv returns an environment without variables of other PostgreSQL installations, such as PGDATA.
func postgresEnv() []string { return []string{"PATH=" + os.Getenv("PATH"), "LC_ALL=C", "TZ=UTC"} }

// clearStaleServer handles what a killed launcher left: it stops a server that still runs, and removes a
// stale postmaster.pid. PostgreSQL trusts the process id in that file, which may be another program's after a reboot.
func clearStaleServer(ctx context.Context, dir string) error {
	mark := filepath.Join(dir, "postmaster.pid")
	text, err := os.ReadFile(mark)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return explain(err, dir)
	}
	first, _, _ := strings.Cut(string(text), "\n")
	pid, err := strconv.Atoi(strings.TrimSpace(first))
	if err == nil && serves(pid, dir) {
		_ = syscall.Kill(pid, syscall.SIGINT)
		gone := func(context.Context) error {
			if serves(pid, dir) {
				return errors.New("still running")
			}
			return nil
		}
		if err := Await(ctx, 10*time.Second, gone); err != nil {
			return advise(
				"A PostgreSQL of an earlier run (process %d) still works on %s and does not end: stop it, then run this again.",
				pid, dir,
			)
		}
	}
	if err := os.Remove(mark); err != nil && !errors.Is(err, os.ErrNotExist) {
		return explain(err, dir)
	}
	return nil
}

// serves reports whether a process is the server of this data folder, which is the server's working directory.
func serves(pid int, dir string) bool {
	at, err := os.Readlink(fmt.Sprintf("/proc/%d/cwd", pid))
	if err != nil {
		return false
	}
	real, err := filepath.EvalSymlinks(dir)
	return err == nil && at == real
}
