// Package process runs a service: configuration, listeners, health, background work and an orderly end.
package process

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"time"

	_ "time/tzdata" // images have no zone files

	"github.com/caarlos0/env/v11"
	"github.com/go-json-experiment/json"

	"baari.dev/services/platform/request"
)

// Config is what every service reads from its environment.
type Config struct {
	Host         string `env:"HOST"`
	Port         int    `env:"PORT" envDefault:"8080"`
	InternalPort int    `env:"INTERNAL_PORT" envDefault:"8081"`
	AdminPort    int    `env:"ADMIN_PORT" envDefault:"9090"`

	DatabaseURL        string `env:"DATABASE_URL,required"`
	MigrateDatabaseURL string `env:"MIGRATE_DATABASE_URL"`
	RedisURL           string `env:"REDIS_URL,required"`

	AuthURL      string `env:"AUTH_URL" envDefault:"http://auth:8081"`
	VisitsURL    string `env:"VISITS_URL" envDefault:"http://visits:8081"`
	DirectoryURL string `env:"DIRECTORY_URL" envDefault:"http://directory:8081"`
	AuditURL     string `env:"AUDIT_URL" envDefault:"http://audit-analytics:8081"`
	RealtimeURL  string `env:"REALTIME_URL" envDefault:"http://realtime:8081"`

	ServiceSecret  string          `env:"SERVICE_SECRET,required"`
	BaseURL        string          `env:"BASE_URL" envDefault:"http://localhost:8080"`
	TrustedOrigins []string        `env:"TRUSTED_ORIGINS"`
	TrustedProxies request.Proxies `env:"TRUSTED_PROXIES"`
	Limits         Switch          `env:"LIMITS" envDefault:"on"`
	Zone           Zone            `env:"OFFICE_FILE"` // the office document says where days begin
	RetentionDays  int             `env:"RETENTION_DAYS" envDefault:"400"`

	ShutdownDelay time.Duration `env:"SHUTDOWN_DELAY" envDefault:"5s"`
	LogLevel      slog.Level    `env:"LOG_LEVEL" envDefault:"info"`
	LogFormat     string        `env:"LOG_FORMAT" envDefault:"json"`
}

// leastRetention is the law's minimum (DPDP Rules 2025, rule 8(3)), in days.
const leastRetention = 365

func (c Config) validate() error {
	var problems []error
	if c.RetentionDays < leastRetention {
		problems = append(problems, fmt.Errorf("RETENTION_DAYS is %d, the law asks for at least %d", c.RetentionDays, leastRetention))
	}
	if len(c.ServiceSecret) < 32 {
		problems = append(problems, errors.New("SERVICE_SECRET has fewer than 32 characters"))
	}
	if c.LogFormat != "json" && c.LogFormat != "text" {
		problems = append(problems, fmt.Errorf("LOG_FORMAT is %q, it may be json or text", c.LogFormat))
	}
	return errors.Join(problems...)
}

// Switch is on or off.
type Switch bool

// UnmarshalText reads "on" or "off".
func (s *Switch) UnmarshalText(text []byte) error {
	switch string(text) {
	case "on":
		*s = true
	case "off":
		*s = false
	default:
		return fmt.Errorf("%q is neither on nor off", text)
	}
	return nil
}

// Zone is the time zone in which days begin.
type Zone struct{ location *time.Location }

// defaultZone holds where no document names another.
const defaultZone = "Asia/Kolkata"

// UnmarshalText takes the path of a JSON document and loads the zone it names under "timeZone".
func (z *Zone) UnmarshalText(path []byte) error {
	data, err := os.ReadFile(string(path))
	if err != nil {
		return err
	}
	var document struct {
		TimeZone string `json:"timeZone"`
	}
	if err := json.Unmarshal(data, &document); err != nil {
		return err
	}
	if document.TimeZone == "" {
		return nil
	}
	z.location, err = time.LoadLocation(document.TimeZone)
	return err
}

// Location is the zone, Asia/Kolkata when none was configured.
func (z Zone) Location() *time.Location {
	if z.location != nil {
		return z.location
	}
	location, err := time.LoadLocation(defaultZone)
	if err != nil {
		return time.FixedZone("IST", 5*3600+1800)
	}
	return location
}

// Name is the zone's IANA name.
func (z Zone) Name() string { return z.Location().String() }

// secrets may also be given as the path of a file, in NAME_FILE.
var secrets = []string{
	"DATABASE_URL", "MIGRATE_DATABASE_URL", "REDIS_URL", "SERVICE_SECRET", "AUTH_SECRET", "AUDIT_KEY",
	"BOOTSTRAP_ADMIN_PASSWORD", "SMTP_URL",
}

// Load reads the environment into target, a pointer to a struct that embeds Config. The error names each
// variable that is missing or wrong.
func Load(target any) error {
	environment := map[string]string{}
	for _, pair := range os.Environ() {
		name, value, _ := strings.Cut(pair, "=")
		environment[name] = value
	}
	for _, name := range secrets {
		path := environment[name+"_FILE"]
		if path == "" {
			continue
		}
		value, err := os.ReadFile(path)
		if err != nil {
			return fmt.Errorf("%s_FILE: %w", name, err)
		}
		environment[name] = strings.TrimSpace(string(value))
	}
	return namingVariables(target, env.ParseWithOptions(target, env.Options{Environment: environment}))
}
