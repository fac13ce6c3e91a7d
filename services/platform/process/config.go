package process

import (
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"os"
	"time"

	_ "golang.org/x/crypto/x509roots/fallback" // container images have no root certificates
	_ "time/tzdata"                            // container images have no zone files

	"github.com/go-json-experiment/json"
	"github.com/jackc/pgx/v5"

	"baari.dev/services/platform/bus"
	"baari.dev/services/platform/identity"
	"baari.dev/services/platform/postgres"
)

// Common has the settings that every target reads.
type Common struct {
	Host          string        `env:"HOST"`
	Port          int           `env:"PORT" envDefault:"8080"`
	AdminPort     int           `env:"ADMIN_PORT" envDefault:"9090"`
	ShutdownDelay time.Duration `env:"SHUTDOWN_DELAY" envDefault:"5s"`
	DrainTimeout  time.Duration `env:"DRAIN_TIMEOUT" envDefault:"25s"` // time limit for open requests of all targets
	Metrics       Switch        `env:"METRICS" envDefault:"on"`        // off: requests are not counted
	Profiles      Switch        `env:"PROFILES" envDefault:"off"`      // on: /debug/pprof at the admin port
	LogLevel      slog.Level    `env:"LOG_LEVEL" envDefault:"info"`
	LogFormat     string        `env:"LOG_FORMAT" envDefault:"json"`
}

// Config has the settings that every service reads from its environment; services/docs/operating.md lists them.
type Config struct {
	Common
	InternalPort int `env:"INTERNAL_PORT" envDefault:"8081"`

	DatabaseURL        string `env:"DATABASE_URL,required"`
	MigrateDatabaseURL string `env:"MIGRATE_DATABASE_URL"`
	RedisURL           string `env:"REDIS_URL"` // may be empty where all services are in one process
	DatabasePool       int32  `env:"DATABASE_POOL" envDefault:"10"`
	DatabasePooler     Switch `env:"DATABASE_POOLER" envDefault:"off"` // on: DATABASE_URL is a pooler in transaction mode

	AuthURL      string `env:"AUTH_URL" envDefault:"http://auth:8081"`
	VisitsURL    string `env:"VISITS_URL" envDefault:"http://visits:8081"`
	DirectoryURL string `env:"DIRECTORY_URL" envDefault:"http://directory:8081"`
	AuditURL     string `env:"AUDIT_URL" envDefault:"http://audit-analytics:8081"`
	RealtimeURL  string `env:"REALTIME_URL" envDefault:"http://realtime:8081"`
	LobbyURL     string `env:"LOBBY_URL" envDefault:"http://lobby:8081"`

	ServiceKey        identity.PrivateKey `env:"SERVICE_KEY,required"`
	ServicePublicKeys identity.PublicKeys `env:"SERVICE_PUBLIC_KEYS,required"`
	ServiceSecret     string              `env:"SERVICE_SECRET"` // shared by services of the previous release

	BaseURL        string   `env:"BASE_URL" envDefault:"http://localhost:8080"`
	TrustedOrigins []string `env:"TRUSTED_ORIGINS"`
	ProxyHops      uint8    `env:"TRUSTED_PROXY_HOPS"` // proxies before the gateway
	Limits         Switch   `env:"LIMITS" envDefault:"on"`
	Zone           Zone     `env:"OFFICE_FILE"` // the office document names the zone
	RetentionDays  int      `env:"RETENTION_DAYS" envDefault:"400"`
}

const (
	leastRetention = 365 // days; the legal minimum (DPDP Rules 2025, rule 8(3))
	shortestSecret = 32  // characters
	leastPool      = 4   // connections; work that holds one may need a second
	largestPool    = 100
)

// Keys returns the keys with which the named service signs and verifies.
func (c Config) Keys(name string) identity.Keys {
	return identity.Keys{Name: name, Private: c.ServiceKey, Public: c.ServicePublicKeys, Secret: c.ServiceSecret}
}

// Pools returns the settings of the service's pools.
func (c Config) Pools() postgres.Settings {
	return postgres.Settings{MaxConns: c.DatabasePool, Pooler: bool(c.DatabasePooler)}
}

// Proxies returns the number of proxies that a request has passed: the gateway, and those declared before it.
func (c Config) Proxies() int { return int(c.ProxyHops) + 1 }

type checks []wrongSetting

func (c *checks) add(ok bool, name, says string) {
	if !ok {
		*c = append(*c, wrongSetting{name, errors.New(says)})
	}
}

// problems returns the settings whose values parse and are still invalid.
func (c Common) problems() []wrongSetting {
	var found checks
	for name, port := range map[string]int{"PORT": c.Port, "ADMIN_PORT": c.AdminPort} {
		found.add(isPort(port), name, notPort)
	}
	found.add(c.ShutdownDelay >= 0, "SHUTDOWN_DELAY", "a delay is not negative")
	found.add(c.DrainTimeout >= 0, "DRAIN_TIMEOUT", "a limit is not negative")
	found.add(c.LogFormat == "json" || c.LogFormat == "text", "LOG_FORMAT", "it may be json or text")
	return found
}

const notPort = "a port is a number up to 65535"

func isPort(n int) bool { return n >= 0 && n <= 65535 }

// problems returns the settings whose values parse and are still invalid. Their messages do not repeat the values,
// which may contain passwords.
func (c Config) problems() []wrongSetting {
	found := checks(c.Common.problems())
	check := found.add
	check(isPort(c.InternalPort), "INTERNAL_PORT", notPort)
	for name, address := range map[string]string{"BASE_URL": c.BaseURL, "AUTH_URL": c.AuthURL, "VISITS_URL": c.VisitsURL,
		"DIRECTORY_URL": c.DirectoryURL, "AUDIT_URL": c.AuditURL, "REALTIME_URL": c.RealtimeURL,
		"LOBBY_URL": c.LobbyURL} {
		check(isWeb(address), name, "this is no address that begins with http:// or https://")
	}
	_, unreadable := pgx.ParseConfig(c.DatabaseURL)
	check(unreadable == nil, "DATABASE_URL", "this is no address of a PostgreSQL database")
	_, unreadable = pgx.ParseConfig(c.MigrateDatabaseURL)
	check(unreadable == nil, "MIGRATE_DATABASE_URL", "this is no address of a PostgreSQL database")
	check(c.DatabasePool >= leastPool && c.DatabasePool <= largestPool, "DATABASE_POOL",
		"a replica has 4 to 100 connections for requests")
	check(c.RedisURL == "" || bus.Check(c.RedisURL) == nil, "REDIS_URL",
		"this is no address that begins with redis:// or rediss://")
	check(c.ServiceSecret == "" || len(c.ServiceSecret) >= shortestSecret, "SERVICE_SECRET",
		"it has fewer than 32 characters")
	check(c.RetentionDays >= leastRetention, "RETENTION_DAYS", "the law asks for at least 365")
	return found
}

func isWeb(address string) bool {
	parsed, err := url.Parse(address)
	return err == nil && (parsed.Scheme == "http" || parsed.Scheme == "https") && parsed.Host != ""
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

// Key is a secret from which a service derives codes and digests.
type Key []byte

// shortestKey is the minimum length of a Key in bytes, against brute force.
const shortestKey = 32

// UnmarshalText implements encoding.TextUnmarshaler. It rejects a key of fewer than 32 bytes.
func (k *Key) UnmarshalText(text []byte) error {
	if len(text) < shortestKey {
		return fmt.Errorf("it has fewer than %d characters", shortestKey)
	}
	*k = Key(text)
	return nil
}

// Zone is the time zone in which days begin.
type Zone struct{ location *time.Location }

const defaultZone = "Asia/Kolkata"

// UnmarshalText reads the JSON document at path and loads the zone that its "timeZone" names.
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

// Location returns the zone, Asia/Kolkata if none was configured.
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
