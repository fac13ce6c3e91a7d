package stack

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"time"
)

// Servers are the addresses of the PostgreSQL and the Redis that Go tests use.
type Servers struct {
	Postgres string // administrator's URL
	Redis    string
	Stop     func()
}

// StartDependencies starts PostgreSQL and Redis for tests, without the product's programs. The database is empty. It
// is durable only if durable is set, for benchmarks. Otherwise both servers get their addresses of the previous run, if
// these are free, because go test uses cached results only in an unchanged environment. If another launcher already
// runs both in this folder, their addresses are returned.
func StartDependencies(ctx context.Context, data string, durable bool, progress *Progress) (Servers, error) {
	if there, ok := runningServers(ctx, filepath.Join(data, "run", "servers.json")); ok {
		progress.Printf("using the PostgreSQL and Redis that run in %s", data)
		return there, nil
	}
	s, err := open(Options{Data: data, Progress: progress, Separate: true, hasty: !durable}, func(s *Stack) error {
		if !durable {
			s.useMemory()
		}
		if err := clearStaleServer(ctx, s.folder.postgres()); err != nil {
			return err
		}
		if err := os.RemoveAll(s.folder.postgres()); err != nil {
			return err
		}
		var err error
		s.base, err = s.startServers(ctx)
		return err
	})
	if err != nil {
		return Servers{}, err
	}
	return Servers{s.base.Postgres, s.base.Redis, s.Stop}, nil
}

// memory is a file system that Linux keeps in memory. Each test creates databases, and each database has 300 files. On
// a disk this took more CPU time than the tests themselves.
const memory = "/dev/shm"

// leastMemory is the space that must be free, in bytes: twice what the databases of a nightly run need.
const leastMemory = 6 << 30

// useMemory keeps PostgreSQL's data folder in memory until the launcher stops, unless there is too little space.
func (s *Stack) useMemory() {
	if free, err := freeSpace(memory); err != nil || free < leastMemory {
		return
	}
	name := sha256.Sum256([]byte(s.folder.Path()))
	folder := filepath.Join(memory, "baari-"+hex.EncodeToString(name[:6]))
	if err := os.Mkdir(folder, 0o700); err != nil && !errors.Is(err, os.ErrExist) {
		return
	}
	there, err := os.Lstat(folder) // it may exist: left by a launcher that was killed, or made by another user
	if err != nil || there.Mode() != os.ModeDir|0o700 || there.Sys().(*syscall.Stat_t).Uid != uint32(os.Geteuid()) {
		return
	}
	s.folder.database = filepath.Join(folder, "postgres")
	s.onStop(func() { _ = os.RemoveAll(folder) })
}

// runningServers returns the servers that another launcher runs, if they answer.
func runningServers(ctx context.Context, file string) (Servers, bool) {
	var base dependencies
	text, err := os.ReadFile(file)
	if err != nil || json.Unmarshal(text, &base) != nil {
		return Servers{}, false
	}
	redis, err := url.Parse(base.Redis)
	if err != nil || pingPostgres(ctx, base.Postgres) != nil {
		return Servers{}, false
	}
	conn, err := (&net.Dialer{Timeout: time.Second}).DialContext(ctx, "tcp", redis.Host)
	if err != nil {
		return Servers{}, false
	}
	_ = conn.Close()
	return Servers{base.Postgres, base.Redis, func() {}}, true
}

// serverPort returns the port of PostgreSQL or Redis. For tests this is the port of the previous run, if free.
func (s *Stack) serverPort(name string) (int, error) {
	file := filepath.Join(s.folder.Path(), name+".port")
	if s.options.hasty {
		text, _ := os.ReadFile(file)
		if port, err := strconv.Atoi(string(text)); err == nil && checkPort(port) == nil {
			return port, nil
		}
	}
	ports, err := FreePorts(1)
	if err != nil {
		return 0, err
	}
	if s.options.hasty {
		err = os.WriteFile(file, []byte(strconv.Itoa(ports[0])), 0o600)
	}
	return ports[0], err
}
