package auth

import (
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/go-json-experiment/json"

	"baari.dev/services/auth/account"
	"baari.dev/services/platform/mail"
	"baari.dev/services/platform/process"
)

// Config holds the environment variables of auth.
type Config struct {
	process.Config
	Secret            string        `env:"AUTH_SECRET,required"`
	Registration      Registration  `env:"REGISTRATION" envDefault:"open"`
	PasswordMin       int           `env:"AUTH_PASSWORD_MIN" envDefault:"6"`
	SessionIdle       time.Duration `env:"SESSION_IDLE" envDefault:"12h"`
	SessionAbsolute   time.Duration `env:"SESSION_ABSOLUTE" envDefault:"72h"`
	BootstrapEmail    string        `env:"BOOTSTRAP_ADMIN_EMAIL"`
	BootstrapPassword string        `env:"BOOTSTRAP_ADMIN_PASSWORD"`
	SMTPURL           string        `env:"SMTP_URL"`
	MailFrom          string        `env:"MAIL_FROM"`
	Office            Office        `env:"OFFICE_FILE"`
}

// Options returns the options that the configuration sets.
func (c Config) Options() Options {
	return Options{
		BaseURL: c.BaseURL, TrustedOrigins: c.TrustedOrigins, Secret: c.Secret, Registration: c.Registration,
		PasswordMin: c.PasswordMin, Office: c.Office.Name, Languages: c.Office.Languages,
		Lifetimes: account.Lifetimes{Idle: c.SessionIdle, Absolute: c.SessionAbsolute},
	}
}

// Mailer returns the mailer of SMTP_URL, nil when the variable is empty.
func (c Config) Mailer() (mail.Mailer, error) {
	if c.SMTPURL == "" {
		return nil, nil
	}
	return mail.NewSMTP(c.SMTPURL, c.MailFrom)
}

// First returns the administrator that BOOTSTRAP_ADMIN_EMAIL names; ok is false when the variable is empty. An address
// without BOOTSTRAP_ADMIN_PASSWORD is an error.
func (c Config) First() (first NewAdmin, ok bool, err error) {
	if c.BootstrapEmail == "" {
		return first, false, nil
	}
	if c.BootstrapPassword == "" {
		return first, false, errors.New("BOOTSTRAP_ADMIN_EMAIL is set without BOOTSTRAP_ADMIN_PASSWORD")
	}
	return NewAdmin{Email: c.BootstrapEmail, Name: "Administrator", Password: c.BootstrapPassword}, true, nil
}

// Office is the office document, as far as auth reads it: Name signs mails; Languages are those of the screens, the
// default first.
type Office struct {
	Name      string
	Languages []string
}

// UnmarshalText reads the office document at path.
func (o *Office) UnmarshalText(path []byte) error {
	data, err := os.ReadFile(string(path))
	if err != nil {
		return err
	}
	var document struct {
		Brand     string   `json:"brand"`
		Languages []string `json:"languages"`
	}
	if err := json.Unmarshal(data, &document); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	o.Name, o.Languages = document.Brand, document.Languages
	return nil
}
