package testkit

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// The test runs its own program again without a server: it must print one message and nothing else.
func TestWithoutPostgresTheTestsEndWithOneMessage(t *testing.T) {
	if os.Getenv("TESTKIT_ALONE") != "" {
		for _, name := range []string{"first", "second"} {
			t.Run(name, func(t *testing.T) { NewDatabase(t) })
		}
		return
	}
	for url, cause := range map[string]string{
		"":                                   "TEST_DATABASE_URL is not set",
		"postgres://me@127.0.0.1:9/postgres": "the one of TEST_DATABASE_URL does not answer",
	} {
		cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^"+t.Name()+"$")
		cmd.Env = append(os.Environ(), "TESTKIT_ALONE=1", "TEST_DATABASE_URL="+url)
		out, err := cmd.CombinedOutput()
		said := strings.TrimSpace(string(out))
		if err == nil || !strings.HasPrefix(said, "These tests need PostgreSQL, and "+cause) ||
			strings.Count(said, "\n") > 0 {
			t.Errorf("with %q the tests end with %v and say\n%s", url, err, said)
		}
	}
}
