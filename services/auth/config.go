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

// Config is what auth reads from its environment.
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

// Options are the office's decisions in the configuration.
func (c Config) Options() Options {
	return Options{
		BaseURL: c.BaseURL, TrustedOrigins: c.TrustedOrigins, Secret: c.Secret, Registration: c.Registration,
		PasswordMin: c.PasswordMin, Office: c.Office.Name,
		Lifetimes: account.Lifetimes{Idle: c.SessionIdle, Absolute: c.SessionAbsolute},
	}
}

// Mailer is the mail server of the configuration, nil when none is named.
func (c Config) Mailer() (mail.Mailer, error) {
	if c.SMTPURL == "" {
		return nil, nil
	}
	return mail.NewSMTP(c.SMTPURL, c.MailFrom)
}

// First is the first administrator of the configuration; ok is false when none is named. It is an error to name
// one without a password.
func (c Config) First() (first Newcomer, ok bool, err error) {
	if c.BootstrapEmail == "" {
		return first, false, nil
	}
	if c.BootstrapPassword == "" {
		return first, false, errors.New("BOOTSTRAP_ADMIN_EMAIL is set, so BOOTSTRAP_ADMIN_PASSWORD must be too")
	}
	return Newcomer{Email: c.BootstrapEmail, Name: "Administrator", Password: c.BootstrapPassword}, true, nil
}

// Office is the office in whose name auth speaks.
type Office struct{ Name string }

// UnmarshalText takes the path of the office document and reads its brand.
func (o *Office) UnmarshalText(path []byte) error {
	data, err := os.ReadFile(string(path))
	if err != nil {
		return err
	}
	var document struct {
		Brand string `json:"brand"`
	}
	if err := json.Unmarshal(data, &document); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	o.Name = document.Brand
	return nil
}
