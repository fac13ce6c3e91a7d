package auth

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"baari.dev/services/auth/account"
	"baari.dev/services/auth/data"
	"baari.dev/services/contract"
	"baari.dev/services/platform/postgres"
	"baari.dev/services/platform/process"
	"baari.dev/services/platform/testkit"
)

func TestInvalidOptionsAreRejected(t *testing.T) {
	good := Options{BaseURL: site, Secret: secret, Registration: RegistrationOpen, PasswordMin: 6, Lifetimes: lifetimes}
	for problem, change := range map[string]func(*Options){
		"AUTH_SECRET":                 func(o *Options) { o.Secret = "short" },
		"AUTH_PASSWORD_MIN":           func(o *Options) { o.PasswordMin = 5 },
		"BASE_URL":                    func(o *Options) { o.BaseURL = "desk" },
		"SESSION_IDLE is -1h0m0s":     func(o *Options) { o.Lifetimes.Idle = -time.Hour },
		"SESSION_IDLE is 0s":          func(o *Options) { o.Lifetimes.Idle = 0 },
		"SESSION_ABSOLUTE is 0s":      func(o *Options) { o.Lifetimes.Absolute = 0 },
		"SESSION_IDLE is 720h0m1s":    func(o *Options) { o.Lifetimes.Idle = account.MaxLifetime + time.Second },
		"SESSION_ABSOLUTE is 8760h0m": func(o *Options) { o.Lifetimes.Absolute = 365 * 24 * time.Hour },
	} {
		options := good
		change(&options)
		// ASVS 7.3.1, 7.3.2
		_, err := New(options, Deps{Registry: prometheus.NewRegistry()})
		if err == nil || !strings.Contains(err.Error(), problem) {
			t.Errorf("%s: %v", problem, err)
		}
	}
	if _, err := New(good, Deps{Registry: prometheus.NewRegistry()}); err != nil {
		t.Errorf("good options: %v", err)
	}
}

func TestConfigurationIsReadFromTheEnvironment(t *testing.T) {
	office := filepath.Join(t.TempDir(), "office.json")
	document := []byte(`{"brand":"Lekha Tax & Advisory","timeZone":"Asia/Kolkata"}`)
	if err := os.WriteFile(office, document, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, value := range map[string]string{
		"DATABASE_URL":          "postgres://x",
		"REDIS_URL":             "redis://x",
		"SERVICE_KEY":           testkit.PrivateKey(contract.SourceAuth),
		"SERVICE_PUBLIC_KEYS":   testkit.PublicKeys(),
		"AUTH_SECRET":           secret,
		"OFFICE_FILE":           office,
		"REGISTRATION":          "approval",
		"BOOTSTRAP_ADMIN_EMAIL": "boss@example.com",
		"BASE_URL":              site,
	} {
		t.Setenv(name, value)
	}
	var config Config
	if err := process.OSEnvironment().Read(&config); err != nil {
		t.Fatal(err)
	}
	options := config.Options()
	// ASVS 7.3.1, 7.3.2
	if options.Office != "Lekha Tax & Advisory" || options.Registration != RegistrationApproval ||
		options.Lifetimes != lifetimes || options.PasswordMin != 6 {
		t.Errorf("read as %+v", options)
	}
	if _, _, err := config.First(); err == nil || !strings.Contains(err.Error(), "BOOTSTRAP_ADMIN_PASSWORD") {
		t.Errorf("an administrator without a password: %v", err)
	}
	if mailer, err := config.Mailer(); mailer != nil || err != nil {
		t.Errorf("without SMTP_URL: %v, %v", mailer, err)
	}
	t.Setenv("REGISTRATION", "sometimes")
	if err := process.OSEnvironment().Read(&config); err == nil {
		t.Error("REGISTRATION=sometimes is accepted")
	}
}

func TestSweepDeletesExpiredRows(t *testing.T) {
	o := open(t)
	asha := o.join("asha")
	for _, statement := range []string{
		`INSERT INTO sessions SELECT md5(id), user_id, sha256('x'), remember, now() - interval '1 second',
		   created_at, updated_at, '', '' FROM sessions`,
		`INSERT INTO reset_tokens SELECT sha256('x'), id, now() - interval '1 second' FROM users`,
		`INSERT INTO reset_tokens SELECT sha256('y'), id, now() + interval '1 hour' FROM users`,
		`INSERT INTO sign_in_attempts VALUES (sha256('x'), 3, now(), now() - interval '25 hours'),
		   (sha256('y'), 100, now(), now() - interval '25 hours')`,
	} {
		o.exec(statement)
	}
	o.exec(`INSERT INTO sign_in_attempts VALUES ($1, 100, now(), now() - interval '25 hours')`, data.Digest(asha.Email))
	if err := o.store.Read(t.Context(), func(q data.Querier) error { return o.store.sweep(t.Context(), q) }); err != nil {
		t.Fatal(err)
	}
	for table, want := range map[string]int{"sessions": 1, "reset_tokens": 1, "sign_in_attempts": 1} {
		if n := o.count(`SELECT count(*) FROM ` + table); n != want {
			t.Errorf("%s has %d rows, want %d", table, n, want)
		}
	}
	o.getSession(asha.Token).want(200, asha.ID)
}

// An unavailable database results in 503, not 401, so that clients keep their session.
func TestAnUnavailableDatabaseIs503(t *testing.T) {
	o := open(t)
	asha := o.join("asha")
	nowhere, err := postgres.Open(
		context.Background(), "postgres://baari@127.0.0.1:1/baari?sslmode=disable", postgres.Settings{},
	)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nowhere.Close)
	o.store.Pool = nowhere
	for _, target := range []string{"/api/auth/get-session", "/api/auth/list-accounts", "/api/users/" + asha.ID} {
		// ASVS 16.5.2
		if r := o.call(asha.Token, "GET", target, ""); r.status != 503 {
			t.Errorf("%s: %d %s", target, r.status, r.body)
		}
	}
}

// The hourly sweep keeps a change of address as long as it can be stopped.
func TestSweepKeepsWhatCanBeStopped(t *testing.T) {
	o := open(t)
	asha := o.join("asha")
	o.moveTo(asha.Token, intruder)
	token := o.stopToken(asha.Email, 1)
	o.exec(`INSERT INTO email_changes SELECT $1, user_id, session_id, old_email, new_email, sha256('x'), 'confirmed',
		requested_at, now() - interval '1 second' FROM email_changes`, data.NewID())
	if err := o.store.Read(t.Context(), func(q data.Querier) error { return o.store.sweep(t.Context(), q) }); err != nil {
		t.Fatal(err)
	}
	if n := o.count(`SELECT count(*) FROM email_changes`); n != 1 {
		t.Errorf("%d changes are stored, want the one that can be stopped", n)
	}
	o.stop(token).want(200, `"reverted":true`)
}
