package directory

import (
	"bytes"
	"context"
	"log/slog"
	"strings"
	"time"

	"baari.dev/services/contract"
	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/limit"
	"baari.dev/services/platform/mail"
)

// Post mails appointment requests to the office's address. The database stores which mails are due, so that a request
// is mailed even if the service or the mail server was unavailable. Rows locked by another replica are skipped. Above
// the rate of single mails, one mail is sent about all due requests.
type Post struct {
	service *Service
	mailer  mail.Mailer
	baseURL string
	log     *slog.Logger
	pause   time.Duration
}

// postPause is the interval at which Run checks for due mails.
const postPause = 20 * time.Second

// The rates of the office's mails. Failed attempts count, too, so that a mail server that rejects mails is not flooded.
var (
	singleMails = limit.Rule{
		Name: "appointment-mails", By: limit.PerUser, Count: 20, Period: time.Hour, Burst: 20,
	}
	severalMails = limit.Rule{
		Name: "appointment-mails-several", By: limit.PerUser, Count: 4, Period: time.Hour, Burst: 1,
	}
)

// everyone is the key of a rate that the whole installation shares.
const everyone = "all"

// NewPost returns the Post of s. From then on, s schedules a mail for each appointment request. baseURL is the address
// at which staff open the product.
func NewPost(s *Service, mailer mail.Mailer, baseURL string, log *slog.Logger) *Post {
	s.arrived = make(chan struct{}, 1)
	return &Post{service: s, mailer: mailer, baseURL: strings.TrimSuffix(baseURL, "/"), log: log, pause: postPause}
}

// Run sends due mails until ctx ends: immediately when a request arrives, otherwise at intervals.
func (p *Post) Run(ctx context.Context) error {
	ticker := time.NewTicker(p.pause)
	defer ticker.Stop()
	for {
		p.deliver(ctx)
		select {
		case <-ctx.Done():
			return nil
		case <-p.service.arrived:
		case <-ticker.C:
		}
	}
}

func (p *Post) deliver(ctx context.Context) {
	for ctx.Err() == nil {
		more, err := p.one(ctx)
		if err != nil && ctx.Err() == nil {
			p.log.WarnContext(ctx, "an appointment request was not mailed", "cause", err)
		}
		if !more {
			return
		}
	}
}

// one sends a due mail. more is false if no due mail was read, or if all due mails have to wait.
func (p *Post) one(ctx context.Context) (more bool, err error) {
	request, taken, err := p.service.store.takeDue(ctx)
	if err != nil || !taken {
		return false, err
	}
	if p.service.limiter.Allow(ctx, singleMails, everyone) != nil {
		return p.several(ctx, request)
	}
	return true, p.single(ctx, request)
}

// single sends the mail about one appointment request.
func (p *Post) single(ctx context.Context, request contract.Appointment) error {
	message, err := p.message(request)
	if err != nil {
		return err
	}
	if err := p.mailer.Send(ctx, message); err != nil {
		return err
	}
	return p.service.store.markMailed(ctx, []string{request.ID})
}

// several sends one mail about all due requests; first is the one that has already been read. If the rate is exceeded,
// several postpones all of them.
func (p *Post) several(ctx context.Context, first contract.Appointment) (more bool, err error) {
	if err := p.service.limiter.Allow(ctx, severalMails, everyone); err != nil {
		return false, p.service.store.postponeDue(ctx, first.ID, fault.Of(err).RetryAfter)
	}
	ids, err := p.service.store.takeAllDue(ctx)
	if err != nil {
		return true, err
	}
	if len(ids) == 0 {
		return true, p.single(ctx, first)
	}
	ids = append(ids, first.ID)
	document := p.service.office.Load()
	message := mail.Message{To: document.Email}
	message.Subject, message.Text = requestTexts[document.Languages[0]].severalOf(len(ids), p.link())
	if err := p.mailer.Send(ctx, message); err != nil {
		return true, err
	}
	return true, p.service.store.markMailed(ctx, ids)
}

// link is the address of reception's list of appointment requests.
func (p *Post) link() string { return p.baseURL + "/dashboard/receptionist?tab=appointments" }

// message returns the mail about an appointment request, in the office's language, with the visitor as Reply-To.
func (p *Post) message(request contract.Appointment) (mail.Message, error) {
	document := p.service.office.Load()
	texts := requestTexts[document.Languages[0]]
	var text bytes.Buffer
	err := requestLetter.Execute(&text, struct {
		contract.Appointment
		Link  string
		Texts requestText
	}{request, p.link(), texts})
	return mail.Message{
		To: document.Email, ReplyTo: request.Email, Subject: texts.subjectOf(request), Text: text.String(),
	}, err
}
