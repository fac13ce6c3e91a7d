package auth

import (
	"bytes"
	"context"
	_ "embed"
	"html/template"
	"log/slog"
	texttemplate "text/template"
	"time"

	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/mail"
)

// letter is what a mail says: who writes, what about, and the link it is about.
type letter struct {
	Subject string
	Office  string
	Name    string
	Lines   []string
	Button  string
	Link    string
	Closing string // the sentence after the link; "" for the one that says nothing need be done
}

//go:embed mail.txt
var mailText string

//go:embed mail.html
var mailHTML string

var (
	textLetter = texttemplate.Must(texttemplate.New("mail.txt").Parse(mailText))
	htmlLetter = template.Must(template.New("mail.html").Parse(mailHTML))
)

func (l letter) to(address string) (mail.Message, error) {
	var text, page bytes.Buffer
	if err := textLetter.Execute(&text, l); err != nil {
		return mail.Message{}, err
	}
	if err := htmlLetter.Execute(&page, l); err != nil {
		return mail.Message{}, err
	}
	return mail.Message{To: address, Subject: l.Subject, Text: text.String(), HTML: page.String()}, nil
}

// How many errands wait, how often one is tried, and how long between.
const (
	errandQueue = 256
	errandTries = 3
	errandPause = 5 * time.Second
)

// errand is work after a response whose duration must not reveal what was found.
type errand func(context.Context) error

// postman does errands, one after the other, in the background.
type postman struct {
	queue chan errand
	pause time.Duration
	log   *slog.Logger
}

func newPostman(log *slog.Logger) *postman {
	return &postman{queue: make(chan errand, errandQueue), pause: errandPause, log: log}
}

// later puts an errand into the queue; fault.ErrBusy when it is full. The errand keeps the request's id, not its end.
func (p *postman) later(ctx context.Context, do errand) error {
	ctx = context.WithoutCancel(ctx)
	select {
	case p.queue <- func(stop context.Context) error {
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

// run does errands until ctx ends.
func (p *postman) run(ctx context.Context) error {
	for {
		select {
		case <-ctx.Done():
			return nil
		case do := <-p.queue:
			p.try(ctx, do)
		}
	}
}

func (p *postman) try(ctx context.Context, do errand) {
	for n := 1; ; n++ {
		err := do(ctx)
		if err == nil || ctx.Err() != nil {
			return
		}
		p.log.WarnContext(ctx, "a mail was not sent", "try", n, "cause", err)
		if n == errandTries {
			return
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(p.pause):
		}
	}
}
