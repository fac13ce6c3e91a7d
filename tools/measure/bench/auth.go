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
	options.NoLimits = true
	auth, err := stack.StartAlone(ctx, options, "auth")
	if err != nil {
		return nil, err
	}
	defer auth.Stop()
	if err := startReference(ctx, options, auth); err != nil {
		return nil, err
	}
	ours, theirs := serverOf(auth.Process("auth")), serverOf(auth.Process("better-auth"))
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

func serverOf(process stack.Process) *authServer {
	return &authServer{target: target{host: fmt.Sprintf("127.0.0.1:%d", process.Port)}, pid: process.PID}
}

func authReport(ours, theirs series, plan Plan) *Report {
	r := newReport()
	table := r.table("calls %s", "figure %s", "Baari %.2f", "better-auth %.2f", "ratio %.2f")
	for _, name := range []string{"get-session", "sign-in"} {
		for _, row := range [][2]string{
			{"a second", " rate"}, {"p50, ms", " p50"}, {"p99, ms", " p99"}, {"CPU of one, us", " CPU 0"},
		} {
			our, their := ours.median(name+row[1]), theirs.median(name+row[1])
			table.add(name, row[0], our, their, our/their)
		}
	}
	hash := ours.median("hash")
	r.note("one hash alone: %.0f us of CPU; %d processors, %s", hash, runtime.NumCPU(), plan)
	reads := ours.median("get-session rate") / theirs.median("get-session rate")
	r.goal("get-session, times better-auth's rate", ">= 10", reads)
	r.goal("CPU of a sign-in, times its hash alone", "<= 1.10", ours.median("sign-in CPU 0")/hash)
	return r
}

// measure reads sessions, then signs in, in turns with plain hashes.
func (s *authServer) measure(ctx context.Context, each time.Duration, figures series) error {
	read := func(i int) call {
		request := s.request(http.MethodGet, "/api/auth/get-session", nil)
		request.Header.Set("Cookie", s.cookies[i])
		return connect(request, nil)
	}
	signIn := func(i int) call {
		body := map[string]string{"email": s.emails[i], "password": password}
		return connect(s.request(http.MethodPost, "/api/auth/sign-in/email", body), nil)
	}
	if err := figures.load(ctx, "get-session", read, readers, each, s.pid); err != nil {
		return err
	}
	for range max(1, int(each/signInSlice)) {
		if err := figures.load(ctx, "sign-in", signIn, signers, signInSlice, s.pid); err != nil {
			return err
		}
		hash, err := hashing(signInSlice)
		if err != nil {
			return err
		}
		figures.add("hash", microseconds(hash))
	}
	return nil
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

// startReference starts better-auth's server on its own database.
func startReference(ctx context.Context, options stack.Options, auth *stack.Stack) error {
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
		return err
	}
	node, err := exec.LookPath("node")
	if err != nil {
		return err
	}
	database, err := makeDatabase(ctx, auth.Postgres(), "better_auth")
	if err != nil {
		return err
	}
	ports, err := stack.FreePorts(1)
	if err != nil {
		return err
	}
	address := fmt.Sprintf("http://127.0.0.1:%d", ports[0])
	return auth.RunBeside(ctx, stack.Spec{
		Name: "better-auth", Path: node, Args: []string{filepath.Join(dir, "server.mjs")}, Port: ports[0],
		Env: append(os.Environ(), "NODE_ENV=production", "DATABASE_URL="+database, "BASE_URL="+address,
			fmt.Sprintf("PORT=%d", ports[0]), "SECRET="+rand.Text()+rand.Text()),
	}, address+"/api/auth/ok")
}

// makeDatabase creates an empty database and returns its URL.
func makeDatabase(ctx context.Context, admin, name string) (string, error) {
	err := stack.WithConnection(ctx, admin, func(connection *pgx.Conn) error {
		_, errDrop := connection.Exec(ctx, "DROP DATABASE IF EXISTS "+name+" WITH (FORCE)")
		_, errCreate := connection.Exec(ctx, "CREATE DATABASE "+name)
		return errors.Join(errDrop, errCreate)
	})
	if err != nil {
		return "", err
	}
	address, err := url.Parse(admin)
	if err != nil {
		return "", err
	}
	address.Path = "/" + name
	return address.String(), nil
}
