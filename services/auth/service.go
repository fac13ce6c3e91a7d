// Package auth is the service that owns accounts, passwords, sessions and roles. It introspects session tokens for the
// other services.
//
// Start with package account, which has the rules. Then read service.go for the options, sign.go and session.go for the
// main use cases, store*.go for the SQL, http.go for better-auth's conventions and http_*.go for routes and decoders.
package auth

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"github.com/alexedwards/argon2id"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/prometheus/client_golang/prometheus"

	"baari.dev/services/auth/account"
	"baari.dev/services/auth/data"
	"baari.dev/services/auth/devices"
	"baari.dev/services/auth/mailing"
	"baari.dev/services/auth/settings"
	"baari.dev/services/platform/endpoint"
	"baari.dev/services/platform/limit"
	"baari.dev/services/platform/mail"
	"baari.dev/services/platform/outbox"
)

// Registration is the mode of sign-up.
type Registration string

// The modes of sign-up. open: new accounts are active. approval: an administrator activates them. closed: no sign-ups.
const (
	RegistrationOpen     Registration = "open"
	RegistrationApproval Registration = "approval"
	RegistrationClosed   Registration = "closed"
)

// UnmarshalText accepts open, approval and closed.
func (r *Registration) UnmarshalText(text []byte) error {
	switch got := Registration(text); got {
	case RegistrationOpen, RegistrationApproval, RegistrationClosed:
		*r = got
		return nil
	}
	return fmt.Errorf("%q is not open, approval or closed", text)
}

// Options are an office's settings for the service.
type Options struct {
	BaseURL        string
	TrustedOrigins []string
	Secret         string // signs cookies and links; 32 bytes or more
	PasswordMin    int    // UTF-16 units

	// The settings that apply until directory has published a version of the office document.
	Registration Registration
	Office       string   // the office's name
	Languages    []string // the office's languages, the default first; none: English

	Lifetimes account.Lifetimes

	hashCost  *argon2id.Params // cost of new passwords; argon2Cost if nil, as in production
	mailPause time.Duration    // wait before a mail is tried again; five seconds if 0, as in production
}

func (o Options) mails(office *settings.Copy) mailing.Settings {
	return mailing.Settings{BaseURL: o.BaseURL, Secret: o.Secret, Office: office.Current, Pause: o.mailPause}
}

// settings returns the settings that apply before the first event of directory.
func (o Options) settings() settings.Settings {
	return settings.Settings{Brand: o.Office, Languages: o.Languages, Registration: string(o.Registration)}
}

// secretLength is the length of the shortest accepted secret, in bytes: the size of an HMAC-SHA256 (RFC 2104, 3).
const secretLength = 32

func (o Options) validate() error {
	var problems []error
	if len(o.Secret) < secretLength {
		problems = append(problems, fmt.Errorf("AUTH_SECRET has fewer than %d characters", secretLength))
	}
	if o.PasswordMin < account.MinBreachedLength || o.PasswordMin > account.MaxPassword {
		problems = append(problems, fmt.Errorf("AUTH_PASSWORD_MIN is %d, must be %d to %d",
			o.PasswordMin, account.MinBreachedLength, account.MaxPassword))
	}
	if originOf(o.BaseURL) == "" {
		problems = append(problems, fmt.Errorf("BASE_URL is %q, must be a URL such as https://desk.example.com", o.BaseURL))
	}
	problems = append(problems,
		checkLifetime("SESSION_IDLE", o.Lifetimes.Idle),
		checkLifetime("SESSION_ABSOLUTE", o.Lifetimes.Absolute))
	return errors.Join(problems...)
}

func checkLifetime(variable string, limit time.Duration) error {
	if limit < account.MinLifetime || limit > account.MaxLifetime {
		return fmt.Errorf("%s is %s, must be %s to %s", variable, limit, account.MinLifetime, account.MaxLifetime)
	}
	return nil
}

// Deps are the dependencies of the service.
type Deps struct {
	Pool     *pgxpool.Pool
	Outbox   *outbox.Outbox
	Limiter  *limit.Limiter // nil switches off all limits: rates, pauses after wrong passwords, sessions per user
	Registry prometheus.Registerer
	Mailer   mail.Mailer // nil without a mail server: calls that need mail are rejected
	Log      *slog.Logger
	// Ahead is added to PostgreSQL's clock in tests; nil adds nothing.
	Ahead func() time.Duration
}

// Service has the use cases. The calls of /api/auth get their session with currentOf.
type Service struct {
	options  Options
	settings *settings.Copy
	store    *store
	lookups  *lookups
	devices  *devices.Devices
	outbox   *outbox.Outbox
	hasher   *hasher
	failures prometheus.Counter // wrong passwords
	limiter  *limit.Limiter
	cookies  cookies
	origins  origins
	mails    *mailing.Mailing
	log      *slog.Logger
}

// New returns a service. The error names each option that is missing or invalid.
func New(options Options, deps Deps) (*Service, error) {
	if err := options.validate(); err != nil {
		return nil, err
	}
	hasher, err := newHasher(cmp.Or(options.hashCost, argon2Cost), deps.Registry)
	if err != nil {
		return nil, err
	}
	ahead := deps.Ahead
	if ahead == nil {
		ahead = func() time.Duration { return 0 }
	}
	db := &data.DB{Pool: deps.Pool, Ahead: ahead}
	paired, err := devices.New(db, deps.Outbox, deps.Registry)
	if err != nil {
		return nil, err
	}
	rows, office := &store{db}, settings.New(deps.Pool, options.settings())
	deps.Registry.MustRegister(office.Metric())
	return &Service{
		options:  options,
		settings: office,
		store:    rows,
		lookups:  &lookups{query: rows.sessionsOf},
		devices:  paired,
		outbox:   deps.Outbox,
		hasher:   hasher,
		limiter:  deps.Limiter,
		failures: endpoint.AuthnFailures(deps.Registry).WithLabelValues("wrong_password"),
		mails:    mailing.New(options.mails(office), deps.Mailer, deps.Limiter, deps.Log),
		log:      deps.Log,
		cookies: cookies{
			signer: signer{[]byte(options.Secret)},
			secure: strings.HasPrefix(options.BaseURL, "https:"),
			maxAge: int(options.Lifetimes.Absolute.Seconds()),
		},
		origins: newOrigins(options.BaseURL, options.TrustedOrigins),
	}, nil
}

// Settings returns the settings of the office, which follow directory.
func (s *Service) Settings() *settings.Copy { return s.settings }

// registration returns the mode of sign-up that applies now.
func (s *Service) registration() Registration { return Registration(s.settings.Current().Registration) }

func (s *Service) password() account.PasswordRule {
	return account.PasswordRule{Min: s.options.PasswordMin, Office: s.settings.Current().Brand}
}

// limited reports whether limits are switched on.
func (s *Service) limited() bool { return s.limiter != nil }

// SendMails sends queued mails until ctx ends. It returns nil.
func (s *Service) SendMails(ctx context.Context) error { return s.mails.Run(ctx) }
