package auth

import (
	"errors"
	"os"
	"time"

	"github.com/go-json-experiment/json"

	"baari.dev/services/auth/account"
	offices "baari.dev/services/office"
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
	document := c.office()
	return Options{
		BaseURL: c.BaseURL, TrustedOrigins: c.TrustedOrigins, Secret: c.Secret, Registration: c.Registration,
		PasswordMin: c.PasswordMin, Office: document.Name, Languages: document.Languages,
		Lifetimes: account.Lifetimes{Idle: c.SessionIdle, Absolute: c.SessionAbsolute},
	}
}

// Mailer returns the mailer of SMTP_URL, or nil if the variable is empty.
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

// Office has the parts of the office document that auth reads. Mails are signed with Name. Languages are the languages
// of the screens, the default first.
type Office struct {
	Name      string
	Languages []string
}

// office returns the office of OFFICE_FILE, or of the default document.
func (c Config) office() Office {
	if c.Office.Name == "" {
		_ = c.Office.read(offices.Default) // cannot fail: a test reads the default document
	}
	return c.Office
}

// UnmarshalText reads the office document at path.
func (o *Office) UnmarshalText(path []byte) error {
	data, err := os.ReadFile(string(path))
	if err != nil {
		return err
	}
	return o.read(data)
}

func (o *Office) read(data []byte) error {
	var document struct {
		Brand     string   `json:"brand"`
		Languages []string `json:"languages"`
	}
	if err := json.Unmarshal(data, &document); err != nil {
		return err
	}
	o.Name, o.Languages = document.Brand, document.Languages
	return nil
}
