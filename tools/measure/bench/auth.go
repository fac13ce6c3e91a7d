package bench

import (
	"context"
	"crypto/rand"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/valyala/fasthttp"

	"baari.dev/tools/stack"
)

// reference is better-auth's own server with its packages pinned.
//
//go:embed better-auth
var reference embed.FS

const (
	password = "right horse battery"
	readers  = 32 // clients that read their session
	signers  = 4  // clients that sign in: more would measure the queue
	warmUp   = time.Second
)

// Plan sets the duration of the measurement.
type Plan struct {
	Each   time.Duration // one measurement
	Rounds int           // how often each is taken; the median counts
}

// server is one of the two that are measured.
type server struct {
	name   string
	host   string
	pid    int
	reads  []*fasthttp.Request
	signIn []*fasthttp.Request
}

// Auth measures auth beside better-auth's own server: Node, the same PostgreSQL, the same load, in turns. It
// returns Advice where the user can correct the cause of a failure.
func Auth(ctx context.Context, options stack.Options, plan Plan) (Report, error) {
	ports, err := stack.FreePorts(2)
	if err != nil {
		return Report{}, err
	}
	options.Port, options.NoLimits = ports[0], true
	alone, err := stack.StartAlone(ctx, options, "auth")
	if err != nil {
		return Report{}, err
	}
	defer alone.Stop()
	ours := &server{name: "Baari", host: hostOf(ports[0]), pid: alone.Process.PID()}
	theirs, err := startReference(ctx, options, alone, ports[1])
	if err != nil {
		return Report{}, err
	}
	for _, s := range []*server{ours, theirs} {
		if err := s.prepare(); err != nil {
			return Report{}, fmt.Errorf("%s: %w", s.name, err)
		}
	}
	var report Report
	err = options.Progress.Step("measuring", func() error {
		report, err = measure(ctx, ours, theirs, plan)
		return err
	})
	return report, err
}

func hostOf(port int) string { return "127.0.0.1:" + strconv.Itoa(port) }

// startReference starts better-auth's server on a database of its own.
func startReference(ctx context.Context, options stack.Options, alone *stack.Alone, port int) (*server, error) {
	folder, err := fs.Sub(reference, "better-auth")
	if err != nil {
		return nil, err
	}
	var dir string
	err = options.Progress.Step("fetching better-auth's own server", func() (err error) {
		dir, err = stack.FetchPackages(ctx, "better-auth", folder)
		return err
	})
	if err != nil {
		return nil, err
	}
	database, err := makeDatabase(ctx, alone.Postgres)
	if err != nil {
		return nil, err
	}
	node, err := exec.LookPath("node")
	if err != nil {
		return nil, err
	}
	address := "http://" + hostOf(port)
	child, err := alone.RunBeside(ctx, stack.Spec{
		Name: "better-auth", Path: node, Args: []string{filepath.Join(dir, "server.mjs")}, Port: port,
		Env: append(os.Environ(), "NODE_ENV=production", "DATABASE_URL="+database, "BASE_URL="+address,
			"PORT="+strconv.Itoa(port), "SECRET="+rand.Text()+rand.Text()),
	}, address+"/api/auth/ok")
	if err != nil {
		return nil, fmt.Errorf("better-auth's own server does not start: %w", err)
	}
	return &server{name: "better-auth 1.7.7", host: hostOf(port), pid: child.PID()}, nil
}

const referenceDatabase = "better_auth"

// makeDatabase makes an empty database for the reference and returns its address.
func makeDatabase(ctx context.Context, admin string) (string, error) {
	connection, err := pgx.Connect(ctx, admin)
	if err != nil {
		return "", err
	}
	defer func() { _ = connection.Close(context.WithoutCancel(ctx)) }()
	for _, statement := range []string{"DROP DATABASE IF EXISTS " + referenceDatabase + " WITH (FORCE)", "CREATE DATABASE " + referenceDatabase} {
		if _, err := connection.Exec(ctx, statement); err != nil {
			return "", err
		}
	}
	address, err := url.Parse(admin)
	if err != nil {
		return "", err
	}
	address.Path = "/" + referenceDatabase
	return address.String(), nil
}

// prepare creates an account for each client and its request.
func (s *server) prepare() error {
	for n := range readers {
		email := fmt.Sprintf("reader%d-%d@example.com", n, time.Now().UnixNano())
		cookie, err := s.signUp(email)
		if err != nil {
			return err
		}
		read := s.request(fasthttp.MethodGet, "/api/auth/get-session", nil)
		read.Header.Set("Cookie", cookie)
		s.reads = append(s.reads, read)
		if n < signers {
			s.signIn = append(s.signIn, s.request(fasthttp.MethodPost, "/api/auth/sign-in/email", map[string]string{"email": email, "password": password}))
		}
	}
	return nil
}

// signUp makes an account and returns its session cookie.
func (s *server) signUp(email string) (cookie string, err error) {
	answer := &fasthttp.Response{}
	body := map[string]string{"name": "Reader", "email": email, "password": password}
	if err := fasthttp.Do(s.request(fasthttp.MethodPost, "/api/auth/sign-up/email", body), answer); err != nil {
		return "", err
	}
	if answer.StatusCode() != fasthttp.StatusOK {
		return "", fmt.Errorf("sign-up answered %d: %s", answer.StatusCode(), answer.Body())
	}
	cookie, _, found := strings.Cut(string(answer.Header.Peek("Set-Cookie")), ";")
	if !found {
		return "", errors.New("sign-up set no cookie")
	}
	return cookie, nil
}

func (s *server) request(method, path string, body any) *fasthttp.Request {
	request := &fasthttp.Request{}
	request.Header.SetMethod(method)
	request.SetRequestURI("http://" + s.host + path)
	if body != nil {
		text, err := json.Marshal(body)
		if err != nil {
			panic(err) // texts and nothing else
		}
		request.Header.SetContentType("application/json")
		request.SetBody(text)
	}
	return request
}
