// Package auth owns accounts, passwords, sessions and roles: it says who a caller is.
package auth

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/prometheus/client_golang/prometheus"

	"baari.dev/services/auth/account"
	"baari.dev/services/platform/endpoint"
	"baari.dev/services/platform/limit"
	"baari.dev/services/platform/mail"
	"baari.dev/services/platform/outbox"
)

// Registration says what becomes of those who sign up.
type Registration string

// The ways of registration: at once, after an administrator's approval, not at all.
const (
	RegistrationOpen     Registration = "open"
	RegistrationApproval Registration = "approval"
	RegistrationClosed   Registration = "closed"
)

// UnmarshalText reads open, approval or closed.
func (r *Registration) UnmarshalText(text []byte) error {
	switch got := Registration(text); got {
	case RegistrationOpen, RegistrationApproval, RegistrationClosed:
		*r = got
		return nil
	}
	return fmt.Errorf("%q is none of open, approval and closed", text)
}

// Options are what an office decides about its accounts.
type Options struct {
	BaseURL        string
	TrustedOrigins []string
	Secret         string // signs cookies and links
	Registration   Registration
	PasswordMin    int
	Office         string // the office's name
	Lifetimes      account.Lifetimes
}

// secretLength is the shortest secret that signatures are safe with.
const secretLength = 32

func (o Options) validate() error {
	var problems []error
	if len(o.Secret) < secretLength {
		problems = append(problems, fmt.Errorf("AUTH_SECRET has fewer than %d characters", secretLength))
	}
	if o.PasswordMin < 6 || o.PasswordMin > account.MaxPassword {
		problems = append(problems, fmt.Errorf("AUTH_PASSWORD_MIN is %d, it may be 6 to %d", o.PasswordMin, account.MaxPassword))
	}
	if originOf(o.BaseURL) == "" {
		problems = append(problems, fmt.Errorf("BASE_URL is %q, it must be an address such as https://desk.example.com", o.BaseURL))
	}
	problems = append(problems, lifetimeError("SESSION_IDLE", o.Lifetimes.Idle), lifetimeError("SESSION_ABSOLUTE", o.Lifetimes.Absolute))
	return errors.Join(problems...)
}

// lifetimeError says why a limit of sessions cannot be used, nil when it can.
func lifetimeError(variable string, limit time.Duration) error {
	if limit < account.MinLifetime || limit > account.MaxLifetime {
		return fmt.Errorf("%s is %s, it may be %s to %s", variable, limit, account.MinLifetime, account.MaxLifetime)
	}
	return nil
}

// Deps are what the service stands on.
type Deps struct {
	Pool     *pgxpool.Pool
	Outbox   *outbox.Outbox
	Limiter  *limit.Limiter // nil lifts every limit: rates, failure delays, sessions per user
	Registry prometheus.Registerer
	Mailer   mail.Mailer // nil: no mail server, and what needs mail is refused
	Log      *slog.Logger
	// Ahead moves the clock of PostgreSQL forward, in tests; nil leaves it.
	Ahead func() time.Duration
}

// Service is the use cases of auth.
type Service struct {
	options  Options
	store    *store
	lookups  *lookups
	outbox   *outbox.Outbox
	hasher   *hasher
	failures prometheus.Counter // wrong passwords
	limiter  *limit.Limiter
	cookies  cookies
	origins  origins
	password account.PasswordRule
	mailer   mail.Mailer
	postman  *postman
	log      *slog.Logger
}

// New makes the service; the error names each option that is missing or wrong.
func New(options Options, deps Deps) (*Service, error) {
	if err := options.validate(); err != nil {
		return nil, err
	}
	hasher, err := newHasher(argon2Cost, deps.Registry)
	if err != nil {
		return nil, err
	}
	ahead := deps.Ahead
	if ahead == nil {
		ahead = func() time.Duration { return 0 }
	}
	data := &store{pool: deps.Pool, ahead: ahead}
	return &Service{
		options: options, store: data, lookups: &lookups{ask: data.sessionsOf}, outbox: deps.Outbox, hasher: hasher, limiter: deps.Limiter,
		failures: endpoint.AuthnFailures(deps.Registry).WithLabelValues("wrong_password"),
		mailer:   deps.Mailer, postman: newPostman(deps.Log), log: deps.Log,
		cookies: cookies{
			signer: signer{[]byte(options.Secret)}, secure: len(options.BaseURL) > 6 && options.BaseURL[:6] == "https:",
			maxAge: int(options.Lifetimes.Absolute.Seconds()),
		},
		origins:  newOrigins(options.BaseURL, options.TrustedOrigins),
		password: account.PasswordRule{Min: options.PasswordMin, Office: options.Office},
	}, nil
}

// limited reports whether the limits are on.
func (s *Service) limited() bool { return s.limiter != nil }

// Post sends the mails that calls have asked for until ctx ends.
func (s *Service) Post(ctx context.Context) error { return s.postman.run(ctx) }

// sweepEvery is how often expired rows are deleted.
const sweepEvery = time.Hour

// Sweep deletes expired sessions and tokens until ctx ends.
func (s *Service) Sweep(ctx context.Context) error {
	ticker := time.NewTicker(sweepEvery)
	defer ticker.Stop()
	for {
		err := s.store.read(ctx, func(q querier) error { return s.store.sweep(ctx, q) })
		if err != nil && ctx.Err() == nil {
			s.log.WarnContext(ctx, "expired rows were not deleted", "cause", err)
		}
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
		}
	}
}
