package mutants

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"baari.dev/tools/stack"
)

// TryTest runs the mutant's Go test twice, without and with the bug, on the given servers, and writes the overlay into
// folder. It returns the first line that the test reports about the bug, or "" if the test passes despite the bug. It
// returns an error if the test does not run, or fails without the bug.
func (m Mutant) TryTest(ctx context.Context, root, folder string, servers stack.Servers) (string, error) {
	folder, err := filepath.Abs(folder) // the test runs in another folder
	if err != nil {
		return "", err
	}
	replaced, err := m.Overlay(ctx, root, filepath.Join(folder, "sources"))
	if err != nil {
		return "", err
	}
	overlay := filepath.Join(folder, "overlay.json")
	text, err := json.Marshal(map[string]any{"Replace": replaced})
	if err == nil {
		err = os.WriteFile(overlay, text, 0o600)
	}
	if err != nil {
		return "", err
	}
	if said := m.runTest(ctx, root, servers); !bytes.Contains(said, []byte("--- PASS: "+m.Test+" (")) {
		return "", fmt.Errorf("%s.%s does not pass without the bug: %s", m.Package, m.Test, bytes.TrimSpace(said))
	}
	said := m.runTest(ctx, root, servers, "-overlay="+overlay)
	switch {
	case bytes.Contains(said, []byte("--- PASS: "+m.Test+" (")):
		return "", nil
	case !bytes.Contains(said, []byte("--- FAIL: "+m.Test+" (")):
		return "", fmt.Errorf("%s.%s does not run with the bug: %s", m.Package, m.Test, bytes.TrimSpace(said))
	}
	return firstReport(string(said), m.Test), nil
}

func (m Mutant) runTest(ctx context.Context, root string, servers stack.Servers, flags ...string) []byte {
	args := append([]string{"test", "-v", "-count=1", "-run", "^" + m.Test + "$"}, flags...)
	test := stack.GoCommand(ctx, filepath.Join(root, "services"), append(args, "./"+m.Package)...)
	test.Env = append(test.Env, "TEST_DATABASE_URL="+servers.Postgres, "TEST_REDIS_URL="+servers.Redis)
	said, err := test.CombinedOutput()
	if err != nil && len(said) == 0 {
		return []byte(err.Error())
	}
	return said
}

// firstReport returns the first printed line with a position in a test file, or "<test> failed" if there is none.
func firstReport(said, test string) string {
	for line := range strings.Lines(said) {
		if source, _, _ := strings.Cut(strings.TrimSpace(line), ":"); strings.HasSuffix(source, "_test.go") {
			return strings.TrimSpace(line)
		}
	}
	return test + " failed"
}
