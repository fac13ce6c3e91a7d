package system

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"baari.dev/tools/stack"
	"baari.dev/tools/verify"
)

var (
	root    string        // of the repository
	folder  string        // data folder of the system, kept from one start to the next
	running *stack.Stack  // the system with every default of a developer's machine, but without limits
	calls   []verify.Call // of the API documents
)

func TestMain(m *testing.M) {
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
	for _, name := range []string{"DATABASE_URL", "REDIS_URL"} { // each system gets servers of its own
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
	return m.Run(), nil
}

// start starts a system on a data folder of its own. Settings are those of the process's environment.
func start(name string, limits bool) (*stack.Stack, error) {
	ports, err := stack.FreePorts(1)
	if err != nil {
		return nil, err
	}
	return stack.Start(context.Background(), stack.Options{
		Root: root, Data: filepath.Join(folder, name), Port: ports[0], Gateway: stack.Embedded, NoLimits: !limits,
		Progress: stack.NewProgress(os.Stderr),
	})
}

// startWith starts another system, on the named data folder, with settings of its own; it ends with the test.
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
