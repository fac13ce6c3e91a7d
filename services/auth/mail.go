package auth

import (
	"bytes"
	"cmp"
	"context"
	_ "embed"
	"html/template"
	"log/slog"
	"net/url"
	"strings"
	texttemplate "text/template"
	"time"

	"baari.dev/services/auth/account"
	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/mail"
)

// mailContent is the data of the mail templates.
type mailContent struct {
	Language string // of the texts, as languageFor returns it
	Subject  string
	Office   string
	Greeting string
	Lines    []string
	Button   string
	Link     string
	Closing  string // the sentence after the link; sendMail replaces ""
}

//go:embed mail.txt
var mailText string

//go:embed mail.html
var mailHTML string

var (
	textMail = texttemplate.Must(texttemplate.New("mail.txt").Parse(mailText))
	htmlMail = template.Must(template.New("mail.html").Parse(mailHTML))
)

// to renders both templates into a message to address.
func (m mailContent) to(address string) (mail.Message, error) {
	var text, page bytes.Buffer
	if err := textMail.Execute(&text, m); err != nil {
		return mail.Message{}, err
	}
	if err := htmlMail.Execute(&page, m); err != nil {
		return mail.Message{}, err
	}
	return mail.Message{To: address, Subject: m.Subject, Text: text.String(), HTML: page.String()}, nil
}

// sendMail renders a mail to a user in the office's name and sends it. Only a verified address is greeted by name: with
// another one, a stranger chooses what the office writes, and to whom.
func (s *Service) sendMail(ctx context.Context, to account.User, m mailContent) error {
	texts := mailCatalogue[m.Language]
	m.Office, m.Greeting = s.office(), texts.GreetingNameless
	if to.EmailVerified {
		m.Greeting = texts.greeting(to.Name)
	}
	m.Closing = cmp.Or(m.Closing, texts.Closing)
	message, err := m.to(to.Email)
	if err != nil {
		return err
	}
	return s.mailer.Send(ctx, message)
}

// office returns the name that mails are signed with.
func (s *Service) office() string {
	if s.options.Office == "" {
		return "Baari"
	}
	return s.options.Office
}

// hasMail reports whether a mail server is configured. Without one it logs the call and the missing settings.
func (s *Service) hasMail(ctx context.Context, call string) bool {
	if s.mailer == nil {
		s.log.WarnContext(ctx, "no mail can be sent: set SMTP_URL and MAIL_FROM", "call", call)
	}
	return s.mailer != nil
}

// callURL returns the URL of a call of /api/auth, for links in mails.
func (s *Service) callURL(path string, query url.Values) string {
	return strings.TrimSuffix(s.options.BaseURL, "/") + base + path + "?" + query.Encode()
}

// pageURL returns the URL of a page of the web application.
func (s *Service) pageURL(path string, query url.Values) string {
	return strings.TrimSuffix(s.options.BaseURL, "/") + path + "?" + query.Encode()
}

// Size of the mail queue, attempts per job, and the pause before the next one.
const (
	mailQueueSize = 256
	mailTries     = 3
	mailPause     = 5 * time.Second
)

// mailJob finds out what to mail and sends it. It runs after the response, whose duration then does not reveal whether
// an address is known.
type mailJob func(context.Context) error

// mailQueue runs jobs one after the other in the background.
type mailQueue struct {
	queue chan mailJob
	pause time.Duration
	log   *slog.Logger
}

func newMailQueue(log *slog.Logger) *mailQueue {
	return &mailQueue{queue: make(chan mailJob, mailQueueSize), pause: mailPause, log: log}
}

// enqueue adds a job; it returns fault.ErrBusy when the queue is full. The job runs with the values of ctx, but is not
// cancelled with it.
func (q *mailQueue) enqueue(ctx context.Context, do mailJob) error {
	ctx = context.WithoutCancel(ctx)
	select {
	case q.queue <- func(stop context.Context) error {
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

// attempt is a job that failed and is tried again.
type attempt struct {
	do    mailJob
	tries int
	at    time.Time
}

// run executes jobs until ctx ends. A job that fails is tried again after a pause, during which the others run: a
// refused address does not delay them. run returns nil.
func (q *mailQueue) run(ctx context.Context) error {
	var failed []attempt // by their time
	for {
		next, again := q.queue, (<-chan time.Time)(nil)
		if len(failed) > 0 {
			again = time.After(time.Until(failed[0].at))
		}
		if len(failed) >= mailQueueSize {
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
func (q *mailQueue) try(ctx context.Context, job *attempt) (again bool) {
	err := job.do(ctx)
	if err == nil || ctx.Err() != nil {
		return false
	}
	job.tries++
	job.at = time.Now().Add(q.pause)
	q.log.WarnContext(ctx, "a mail was not sent", "try", job.tries, "cause", err)
	return job.tries < mailTries
}
