package bench

import (
	"context"
	"crypto/rand"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/valyala/fasthttp"
	"golang.org/x/crypto/argon2"

	"baari.dev/tools/stack"
)

// reference is better-auth's own server with its packages pinned.
//
//go:embed better-auth
var reference embed.FS

const (
	password = "right horse battery"
	readers  = 32 // clients that read their session
	signers  = 4  // clients that sign in; more would measure the queue of hashes

	// signInSlice is how long sign-ins and plain hashes alternate, so that other load affects both.
	signInSlice = 500 * time.Millisecond
)

// authServer is one of the two that are compared, with an account and a session for each client.
type authServer struct {
	target
	pid             int
	emails, cookies [readers]string
}

// Auth compares auth with better-auth's own server in Node: the same PostgreSQL, the same load, in turns. It returns
// Advice if the user can fix the cause of an error.
func Auth(ctx context.Context, options stack.Options, plan Plan) (*Report, error) {
	ports, err := stack.FreePorts(2)
	if err != nil {
		return nil, err
	}
	options.Port, options.NoLimits = ports[0], true
	alone, err := stack.StartAlone(ctx, options, "auth")
	if err != nil {
		return nil, err
	}
	defer alone.Stop()
	ours := &authServer{target: target{host: hostOf(ports[0])}, pid: alone.Process.PID()}
	theirs := &authServer{target: target{host: hostOf(ports[1])}}
	if theirs.pid, err = startReference(ctx, options, alone, ports[1]); err != nil {
		return nil, err
	}
	for _, s := range []*authServer{ours, theirs} {
		for i := range readers {
			if err := s.signUp(i); err != nil {
				return nil, err
			}
		}
	}
	var both []series
	err = options.Progress.Step("measuring", func() error {
		both, err = alternate(plan.Rounds,
			func(s series) error { return ours.measure(ctx, plan.Each, s) },
			func(s series) error { return theirs.measure(ctx, plan.Each, s) })
		return err
	})
	if err != nil {
		return nil, err
	}
	return authReport(both[0], both[1], plan), nil
}

func authReport(ours, theirs series, plan Plan) *Report {
	r := newReport()
	table := r.table(" %s", "Baari %.2f", "better-auth %.2f", "ratio %.2f")
	for _, name := range []string{
		"get-session a second", "get-session p50, ms", "get-session p99, ms", "CPU of get-session, us",
		"sign-ins a second", "sign-in p50, ms", "CPU of a sign-in, ms",
	} {
		table.add(name, ours.median(name), theirs.median(name), ours.median(name)/theirs.median(name))
	}
	hash := ours.median("CPU of a hash, ms")
	r.note("one hash alone: %.1f ms of CPU; %d processors, %s", hash, runtime.NumCPU(), plan)
	reads := ours.median("get-session a second") / theirs.median("get-session a second")
	r.goal("get-session, times better-auth's rate", ">= 10", reads)
	r.goal("CPU of a sign-in, times its hash alone", "<= 1.10", ours.median("CPU of a sign-in, ms")/hash)
	return r
}

// measure reads sessions, then signs in, in turns with plain hashes.
func (s *authServer) measure(ctx context.Context, each time.Duration, figures series) error {
	reads, cpu, err := s.load(ctx, readers, each, func(i int) *fasthttp.Request {
		request := s.request(http.MethodGet, "/api/auth/get-session", nil)
		request.Header.Set("Cookie", s.cookies[i])
		return request
	})
	if err != nil {
		return err
	}
	figures.add("get-session a second", reads.perSecond())
	figures.add("get-session p50, ms", reads.latencies.quantile(.5))
	figures.add("get-session p99, ms", reads.latencies.quantile(.99))
	figures.add("CPU of get-session, us", microseconds(cpu))
	for range max(1, int(each/signInSlice)) {
		signIns, cpu, err := s.load(ctx, signers, signInSlice, func(i int) *fasthttp.Request {
			return s.request(http.MethodPost, "/api/auth/sign-in/email",
				map[string]string{"email": s.emails[i], "password": password})
		})
		if err != nil {
			return err
		}
		figures.add("sign-ins a second", signIns.perSecond())
		figures.add("sign-in p50, ms", signIns.latencies.quantile(.5))
		figures.add("CPU of a sign-in, ms", milliseconds(cpu))
		hash, err := hashing(signInSlice)
		if err != nil {
			return err
		}
		figures.add("CPU of a hash, ms", milliseconds(hash))
	}
	return nil
}

// load repeats the clients' requests and returns the server's processor time for each call.
func (s *authServer) load(
	ctx context.Context, clients int, lasting time.Duration, request func(i int) *fasthttp.Request,
) (done load, each time.Duration, err error) {
	used, err := spent([]int{s.pid}, func() error {
		done, err = repeat(ctx, clients, lasting, func(i int) (call, func()) { return connect(request(i), nil) })
		return err
	})
	if err != nil {
		return done, 0, err
	}
	return done, used[0] / time.Duration(done.calls), nil
}

// hashing returns the processor time of a password hash with auth's parameters, computed on all processors: argon2id,
// 19 MiB, two passes.
func hashing(lasting time.Duration) (time.Duration, error) {
	var hashes atomic.Int64
	used, err := spent([]int{os.Getpid()}, func() error {
		var workers sync.WaitGroup
		end := time.Now().Add(lasting)
		for range runtime.NumCPU() {
			workers.Go(func() {
				for time.Now().Before(end) {
					argon2.IDKey([]byte(password), []byte("sixteen bytes ok"), 2, 19*1024, 1, 32)
					hashes.Add(1)
				}
			})
		}
		workers.Wait()
		return nil
	})
	if err != nil {
		return 0, err
	}
	return used[0] / time.Duration(hashes.Load()), nil
}

// signUp creates the account of client i and keeps its session cookie.
func (s *authServer) signUp(i int) error {
	s.emails[i] = fmt.Sprintf("reader%d-%d@example.com", i, time.Now().UnixNano())
	body := map[string]string{"name": "Reader", "email": s.emails[i], "password": password}
	answer := &fasthttp.Response{}
	if err := fasthttp.Do(s.request(http.MethodPost, "/api/auth/sign-up/email", body), answer); err != nil {
		return err
	}
	var found bool
	s.cookies[i], _, found = strings.Cut(string(answer.Header.Peek("Set-Cookie")), ";")
	if answer.StatusCode() != http.StatusOK || !found {
		return fmt.Errorf("sign-up at %s answered %d without a session: %s", s.host, answer.StatusCode(), answer.Body())
	}
	return nil
}

// startReference starts better-auth's server on its own database and returns its process id.
func startReference(ctx context.Context, options stack.Options, alone *stack.Alone, port int) (int, error) {
	var dir string
	err := options.Progress.Step("fetching better-auth's own server", func() error {
		folder, err := fs.Sub(reference, "better-auth")
		if err != nil {
			return err
		}
		dir, err = stack.FetchPackages(ctx, "better-auth", folder)
		return err
	})
	if err != nil {
		return 0, err
	}
	node, err := exec.LookPath("node")
	if err != nil {
		return 0, err
	}
	database, err := makeDatabase(ctx, alone.Postgres, "better_auth")
	if err != nil {
		return 0, err
	}
	address := "http://" + hostOf(port)
	child, err := alone.RunBeside(ctx, stack.Spec{
		Name: "better-auth", Path: node, Args: []string{filepath.Join(dir, "server.mjs")}, Port: port,
		Env: append(os.Environ(), "NODE_ENV=production", "DATABASE_URL="+database, "BASE_URL="+address,
			"PORT="+strconv.Itoa(port), "SECRET="+rand.Text()+rand.Text()),
	}, address+"/api/auth/ok")
	if err != nil {
		return 0, fmt.Errorf("better-auth's own server does not start: %w", err)
	}
	return child.PID(), nil
}

// makeDatabase creates an empty database and returns its URL.
func makeDatabase(ctx context.Context, admin, name string) (string, error) {
	connection, err := pgx.Connect(ctx, admin)
	if err != nil {
		return "", err
	}
	_, errDrop := connection.Exec(ctx, "DROP DATABASE IF EXISTS "+name+" WITH (FORCE)")
	_, errCreate := connection.Exec(ctx, "CREATE DATABASE "+name)
	address, err := url.Parse(admin)
	if err := errors.Join(err, errDrop, errCreate, connection.Close(ctx)); err != nil {
		return "", err
	}
	address.Path = "/" + name
	return address.String(), nil
}
