package system

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"baari.dev/tools/proof/verify"
	"baari.dev/tools/stack"
)

var (
	root    string
	folder  string       // start creates data folders in it
	running *stack.Stack // the system without limits; without -short, each service is a process of its own
	calls   []verify.Call
)

func TestMain(m *testing.M) {
	flag.Parse() // testing.Short needs it
	code, err := runAll(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

func runAll(m *testing.M) (code int, err error) {
	if root, err = stack.FindRoot(); err != nil {
		return 1, err
	}
	if calls, err = verify.ReadCalls(root); err != nil {
		return 1, err
	}
	for _, name := range []string{"DATABASE_URL", "REDIS_URL"} { // each system gets its own servers
		if err = os.Unsetenv(name); err != nil {
			return 1, err
		}
	}
	if folder, err = os.MkdirTemp("", "baari-verify-"); err != nil {
		return 1, err
	}
	defer func() { _ = os.RemoveAll(folder) }()
	if running, err = start("plain", false); err != nil {
		return 1, err
	}
	defer running.Stop()
	defer func() { stopLimited() }()
	return m.Run(), nil
}

// limited returns a system with rate limits, whose gateway trusts X-Forwarded-For from this machine. The system starts
// with the first test that needs it and ends after the last test.
var (
	limited = sync.OnceValues(func() (*stack.Stack, error) {
		err := errors.Join(os.Setenv("TRUSTED_PROXIES", "127.0.0.0/8"), os.Setenv("TRUSTED_PROXY_HOPS", "1"))
		if err != nil {
			return nil, err
		}
		system, err := start("limited", true)
		if err == nil {
			stopLimited = system.Stop
		}
		return system, errors.Join(err, os.Unsetenv("TRUSTED_PROXIES"), os.Unsetenv("TRUSTED_PROXY_HOPS"))
	})
	stopLimited = func() {}
)

// start starts a system on the named data folder. It takes settings from the environment of this process.
func start(name string, limits bool) (*stack.Stack, error) {
	ports, err := stack.FreePorts(1)
	if err != nil {
		return nil, err
	}
	return stack.Start(context.Background(), stack.Options{
		Root: root, Data: filepath.Join(folder, name), Port: ports[0], Gateway: stack.Embedded, NoLimits: !limits,
		Separate: !testing.Short(), Progress: stack.NewProgress(os.Stderr),
	})
}

// startWith starts another system on the named data folder with the given settings, and stops it after the test.
func startWith(t *testing.T, name string, settings map[string]string) *stack.Stack {
	t.Helper()
	for name, value := range settings {
		t.Setenv(name, value)
	}
	system, err := start(name, false)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(system.Stop)
	return system
}
