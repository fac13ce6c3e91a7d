package process_test

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"baari.dev/services/platform/process"
	"baari.dev/services/platform/testkit"
)

type config struct {
	process.Config
	Often int `env:"HOW_OFTEN"`
}

// load reads the configuration with the given variables and the required ones.
func load(t *testing.T, variables map[string]string) (config, error) {
	t.Helper()
	for name, value := range map[string]string{
		"DATABASE_URL": "postgres://a@b/c", "REDIS_URL": "redis://d",
		"SERVICE_KEY": testkit.PrivateKey("shop"), "SERVICE_PUBLIC_KEYS": testkit.PublicKeys(),
	} {
		t.Setenv(name, value)
	}
	for name, value := range variables {
		t.Setenv(name, value)
	}
	var c config
	err := process.OSEnvironment().Read(&c)
	return c, err
}

// The error names all invalid variables, not the fields of the struct.
func TestEachInvalidVariableIsNamed(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "office.json")
	_, err := load(t, map[string]string{
		"PORT": "eighty", "HOW_OFTEN": "twice", "LIMITS": "maybe", "OFFICE_FILE": missing, "SHUTDOWN_DELAY": "5",
	})
	if err == nil {
		t.Fatal("it started")
	}
	for _, name := range []string{"PORT: ", "HOW_OFTEN: ", "LIMITS: ", "OFFICE_FILE: ", "SHUTDOWN_DELAY: "} {
		if !strings.Contains(err.Error(), name) {
			t.Errorf("%v does not name %s", err, name)
		}
	}
	t.Setenv("DATABASE_URL", "")
	if err := os.Unsetenv("DATABASE_URL"); err != nil {
		t.Fatal(err)
	}
	var c config
	if err := process.OSEnvironment().Read(&c); err == nil || !strings.Contains(err.Error(), "DATABASE_URL: ") {
		t.Errorf("a missing variable answered %v", err)
	}
}

func TestASecretCanBeInAFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(path, []byte("postgres://from@a/file\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	c, err := load(t, map[string]string{"DATABASE_URL_FILE": path, "LIMITS": "off", "HOW_OFTEN": "3"})
	if err != nil || c.DatabaseURL != "postgres://from@a/file" || bool(c.Limits) || c.Often != 3 {
		t.Errorf("%+v, %v", c, err)
	}
	if _, err := load(t, map[string]string{
		"DATABASE_URL_FILE": path + "2",
	}); err == nil || !strings.Contains(err.Error(), "DATABASE_URL_FILE") {
		t.Errorf("a missing file answered %v", err)
	}
}

func TestEverySecretCanBeInAFile(t *testing.T) {
	var read struct {
		Database      string `env:"DATABASE_URL"`
		Migrate       string `env:"MIGRATE_DATABASE_URL"`
		Admin         string `env:"ADMIN_DATABASE_URL"`
		Redis         string `env:"REDIS_URL"`
		Service       string `env:"SERVICE_KEY"`
		Shared        string `env:"SERVICE_SECRET"`
		Auth          string `env:"AUTH_SECRET"`
		Audit         string `env:"AUDIT_KEY"`
		FirstPassword string `env:"BOOTSTRAP_ADMIN_PASSWORD"`
		Mail          string `env:"SMTP_URL"`
	}
	fields := reflect.TypeOf(read)
	for i := range fields.NumField() {
		name := fields.Field(i).Tag.Get("env")
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, []byte("secret of "+name+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		t.Setenv(name, "overruled")
		t.Setenv(name+"_FILE", path)
	}
	if err := process.OSEnvironment().Read(&read); err != nil {
		t.Fatal(err)
	}
	for i := range fields.NumField() {
		// ASVS 13.3.1
		if got, want := reflect.ValueOf(read).Field(i).String(), "secret of "+fields.Field(i).Tag.Get("env"); got != want {
			t.Errorf("read %q, want %q", got, want)
		}
	}
}

// A value that parses can still be invalid. The error then names the variable, too, and never repeats the value.
func TestAnInvalidSettingIsNamed(t *testing.T) {
	wrong := map[string]string{
		"PORT": "70000", "INTERNAL_PORT": "-1", "ADMIN_PORT": "65536",
		"BASE_URL": "office.example", "AUTH_URL": "ftp://auth", "VISITS_URL": "http://",
		"DIRECTORY_URL": ":", "AUDIT_URL": "//audit", "REALTIME_URL": "hunter2",
		"DATABASE_URL":         "postgres://a:hunter2@host:port/c",
		"MIGRATE_DATABASE_URL": "hunter2", "REDIS_URL": "redis://:hunter2@host:port",
		"SERVICE_SECRET": "hunter2", "RETENTION_DAYS": "364",
		"SERVICE_KEY": "hunter2", "SERVICE_PUBLIC_KEYS": "auth=hunter2",
		"SHUTDOWN_DELAY": "-1s", "LOG_FORMAT": "hunter2", "LOG_LEVEL": "loud",
		"TRUSTED_PROXY_HOPS": "gateway", "HOW_OFTEN": "twice",
	}
	_, err := load(t, wrong)
	if err == nil {
		t.Fatal("it started")
	}
	lines := strings.Split(err.Error(), "\n")
	if len(lines) != len(wrong) {
		t.Errorf("%d lines for %d variables:\n%v", len(lines), len(wrong), err)
	}
	for name := range wrong {
		if !strings.Contains("\n"+err.Error(), "\n"+name+": ") {
			// ASVS 11.2.3, 13.2.3
			t.Errorf("%s is not named", name)
		}
	}
	if strings.Contains(err.Error(), "hunter2") {
		t.Errorf("a value is repeated: %v", err)
	}
}

func TestEachSettingHasItsDefault(t *testing.T) {
	c, err := load(t, nil)
	if err != nil {
		t.Fatal(err)
	}
	if c.Port != 8080 || c.InternalPort != 8081 || c.AdminPort != 9090 || !bool(c.Limits) || c.RetentionDays != 400 ||
		c.Zone.Name() != "Asia/Kolkata" || c.Host != "" {
		t.Errorf("%+v", c)
	}
}

// Days begin in the office document's time zone, and in India's if the document has none.
func TestTheZoneIsThatOfTheOfficeDocument(t *testing.T) {
	for text, want := range map[string]string{
		`{"timeZone":"Europe/Paris","brand":"x"}`: "Europe/Paris", `{"brand":"x"}`: "Asia/Kolkata",
		`{"timeZone":"Mars/North"}`: "", `{`: "",
	} {
		path := filepath.Join(t.TempDir(), "office.json")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		c, err := load(t, map[string]string{"OFFICE_FILE": path})
		if want == "" && (err == nil || !strings.Contains(err.Error(), "OFFICE_FILE: ")) || want != "" &&
			(err != nil || c.Zone.Name() != want) {
			t.Errorf("%s: %s, %v", text, c.Zone.Name(), err)
		}
	}
}

// Targets that share a process prefer variables with their own prefix, such as VISITS_PORT, to the common ones.
func TestATargetsVariablesStandBeforeTheCommonOnes(t *testing.T) {
	env := process.Environment{
		"PORT": "1", "VISITS_PORT": "2", "LIMITS": "on", "VISITS_LIMITS": "", "AUDIT_PORT": "3", "DATABASE_URL_FILE": "/all",
		"VISITS_DATABASE_URL": "postgres://visits", "SMTP_URL": "smtp://all", "VISITS_SMTP_URL_FILE": "/visits",
	}
	own := env.For("visits")
	for name, want := range map[string]string{
		"PORT": "2", "LIMITS": "", "DATABASE_URL": "postgres://visits", "DATABASE_URL_FILE": "", "SMTP_URL_FILE": "/visits",
		"SMTP_URL": "",
	} {
		if own[name] != want {
			t.Errorf("%s is %q, want %q", name, own[name], want)
		}
	}
	if env["PORT"] != "1" || env.For("audit")["PORT"] != "3" || env.For("lobby")["PORT"] != "1" {
		t.Errorf("the variables of one target changed those of others: %v", env)
	}
}
