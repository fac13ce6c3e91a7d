// Package mailing sends the mails of accounts: their texts in the language of the reader, their links, the queue that
// sends them after the response, and their rates.
//
// Start with Mailing and Mailing.Send.
package mailing

import (
	"bytes"
	"cmp"
	"context"
	_ "embed"
	"html/template"
	"log/slog"
	texttemplate "text/template"
	"time"

	"baari.dev/services/auth/account"
	"baari.dev/services/auth/settings"
	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/limit"
	"baari.dev/services/platform/mail"
)

// Content is the data of the mail templates.
type Content struct {
	Language string // a key of catalogue
	Subject  string
	Office   string
	Greeting string
	Lines    []string
	Button   string
	Link     string
	Closing  string // the sentence after the link; Send replaces ""
}

//go:embed mail.txt
var mailText string

//go:embed mail.html
var mailHTML string

var (
	textMail = texttemplate.Must(texttemplate.New("mail.txt").Parse(mailText))
	htmlMail = template.Must(template.New("mail.html").Parse(mailHTML))
)

func (c Content) to(address string) (mail.Message, error) {
	var text, page bytes.Buffer
	if err := textMail.Execute(&text, c); err != nil {
		return mail.Message{}, err
	}
	if err := htmlMail.Execute(&page, c); err != nil {
		return mail.Message{}, err
	}
	return mail.Message{To: address, Subject: c.Subject, Text: text.String(), HTML: page.String()}, nil
}

// Settings are an office's choices for its mails.
type Settings struct {
	BaseURL string
	Secret  string                   // signs links
	Office  func() settings.Settings // the office's name and languages
	Pause   time.Duration            // wait between attempts to send a mail; 0: five seconds
}

// Mailing sends the mails of accounts.
type Mailing struct {
	settings Settings
	mailer   mail.Mailer
	limiter  *limit.Limiter
	jobs     *queue
	log      *slog.Logger
}

// New returns a Mailing. mailer is nil without a mail server; limiter is nil if mails are not limited.
func New(settings Settings, mailer mail.Mailer, limiter *limit.Limiter, log *slog.Logger) *Mailing {
	return &Mailing{
		settings: settings, mailer: mailer, limiter: limiter, log: log,
		jobs: newQueue(cmp.Or(settings.Pause, defaultPause), log),
	}
}

// Send renders a mail to a user in the office's name and sends it. Only mails to a verified address contain the user's
// name. Otherwise a stranger could choose both the address and some text of the mail.
func (m *Mailing) Send(ctx context.Context, to account.User, c Content) error {
	texts := catalogue[c.Language]
	c.Office, c.Greeting = m.Office(), texts.GreetingNameless
	if to.EmailVerified {
		c.Greeting = texts.greeting(to.Name)
	}
	c.Closing = cmp.Or(c.Closing, texts.Closing)
	message, err := c.to(to.Email)
	if err != nil {
		return err
	}
	return m.mailer.Send(ctx, message)
}

// Office returns the name that mails are signed with.
func (m *Mailing) Office() string { return cmp.Or(m.settings.Office().Brand, "Baari") }

// Configured reports whether a mail server is configured. Without one it logs the call and the missing settings.
func (m *Mailing) Configured(ctx context.Context, call string) bool {
	if m.mailer == nil {
		m.log.WarnContext(ctx, "no mail can be sent: set SMTP_URL and MAIL_FROM", "call", call)
	}
	return m.mailer != nil
}

// Enqueue adds a job; it returns fault.ErrBusy when the queue is full. The job runs with the values of ctx, but is not
// cancelled with it.
func (m *Mailing) Enqueue(ctx context.Context, do Job) error { return m.jobs.enqueue(ctx, do) }

// Run sends queued mails until ctx ends. It returns nil.
func (m *Mailing) Run(ctx context.Context) error { return m.jobs.run(ctx) }

// Tries is the maximum number of attempts to send a mail.
const Tries = 3

// queueSize is the capacity of the queue, defaultPause the time before a failed job is tried again.
const (
	queueSize    = 256
	defaultPause = 5 * time.Second
)

// Job determines what to mail and sends it. It runs after the response, so the duration of the response does not reveal
// whether an address is known.
type Job func(context.Context) error

// queue runs jobs one after the other in the background.
type queue struct {
	jobs  chan Job
	pause time.Duration
	log   *slog.Logger
}

func newQueue(pause time.Duration, log *slog.Logger) *queue {
	return &queue{jobs: make(chan Job, queueSize), pause: pause, log: log}
}

// enqueue is Mailing.Enqueue.
func (q *queue) enqueue(ctx context.Context, do Job) error {
	ctx = context.WithoutCancel(ctx)
	select {
	case q.jobs <- func(stop context.Context) error {
		bounded, cancel := context.WithCancel(ctx)
		defer cancel()
		defer context.AfterFunc(stop, cancel)()
		return do(bounded)
	}:
		return nil
	default:
		return fault.ErrBusy
	}
}

// attempt is a job with the number of its failed tries, and after a failure the time of the next try.
type attempt struct {
	do    Job
	tries int
	at    time.Time
}

// run executes jobs until ctx ends, and returns nil. A job that fails is tried again after a pause. Meanwhile other
// jobs run, so that a rejected address does not delay them.
func (q *queue) run(ctx context.Context) error {
	var failed []attempt // ordered by their time
	for {
		next, again := q.jobs, (<-chan time.Time)(nil)
		if len(failed) > 0 {
			again = time.After(time.Until(failed[0].at))
		}
		if len(failed) >= queueSize {
			next = nil
		}
		var job attempt
		select {
		case <-ctx.Done():
			return nil
		case job.do = <-next:
		case <-again:
			job, failed = failed[0], failed[1:]
		}
		if q.try(ctx, &job) {
			failed = append(failed, job)
		}
	}
}

// try runs a job and reports whether it is to be tried again.
func (q *queue) try(ctx context.Context, job *attempt) (again bool) {
	err := job.do(ctx)
	if err == nil || ctx.Err() != nil {
		return false
	}
	job.tries++
	job.at = time.Now().Add(q.pause)
	q.log.WarnContext(ctx, "a mail was not sent", "try", job.tries, "cause", err)
	return job.tries < Tries
}
