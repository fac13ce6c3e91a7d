package process_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"baari.dev/services/platform/process"
)

type config struct {
	process.Config
	Often int `env:"HOW_OFTEN"`
}

// load reads the configuration with the given variables and the required ones.
func load(t *testing.T, variables map[string]string) (config, error) {
	t.Helper()
	for name, value := range map[string]string{"DATABASE_URL": "postgres://a@b/c", "REDIS_URL": "redis://d", "SERVICE_SECRET": strings.Repeat("s", 40)} {
		t.Setenv(name, value)
	}
	for name, value := range variables {
		t.Setenv(name, value)
	}
	var c config
	err := process.Load(&c)
	return c, err
}

// Whoever starts a service knows variables, not fields: each one that is bad is named, all at once.
func TestEachBadVariableIsNamed(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "office.json")
	_, err := load(t, map[string]string{"PORT": "eighty", "HOW_OFTEN": "twice", "LIMITS": "maybe", "OFFICE_FILE": missing, "SHUTDOWN_DELAY": "5"})
	if err == nil {
		t.Fatal("it started")
	}
	for _, name := range []string{"PORT: ", "HOW_OFTEN: ", "LIMITS: ", "OFFICE_FILE: ", "SHUTDOWN_DELAY: "} {
		if !strings.Contains(err.Error(), name) {
			t.Errorf("%v does not name %s", err, name)
		}
	}
	t.Setenv("REDIS_URL", "")
	if err := os.Unsetenv("REDIS_URL"); err != nil {
		t.Fatal(err)
	}
	var c config
	if err := process.Load(&c); err == nil || !strings.Contains(err.Error(), "REDIS_URL") {
		t.Errorf("a missing variable answered %v", err)
	}
}

func TestASecretMayBeInAFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(path, []byte("postgres://from@a/file\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	c, err := load(t, map[string]string{"DATABASE_URL_FILE": path, "LIMITS": "off", "HOW_OFTEN": "3"})
	if err != nil || c.DatabaseURL != "postgres://from@a/file" || bool(c.Limits) || c.Often != 3 {
		t.Errorf("%+v, %v", c, err)
	}
	if _, err := load(t, map[string]string{"DATABASE_URL_FILE": path + "2"}); err == nil || !strings.Contains(err.Error(), "DATABASE_URL_FILE") {
		t.Errorf("a missing file answered %v", err)
	}
}
