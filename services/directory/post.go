package directory

import (
	"bytes"
	"context"
	_ "embed"
	"errors"
	"log/slog"
	"strings"
	"text/template"
	"time"

	"github.com/jackc/pgx/v5"

	"baari.dev/services/contract"
	"baari.dev/services/platform/mail"
	"baari.dev/services/platform/postgres"
)

// Post mails appointment requests to the office's address. Due mails are stored in the database, so that a request is
// mailed even if the service or the mail server was unavailable; rows locked by another replica are skipped.
type Post struct {
	directory *Directory
	mailer    mail.Mailer
	baseURL   string
	log       *slog.Logger
	pause     time.Duration
}

// postPause is how long a request waits that another replica took and did not mail.
const postPause = 20 * time.Second

// NewPost makes the post of d, which sets its requests due from then on. baseURL is where staff open the product.
func NewPost(d *Directory, mailer mail.Mailer, baseURL string, log *slog.Logger) *Post {
	d.arrived = make(chan struct{}, 1)
	return &Post{directory: d, mailer: mailer, baseURL: strings.TrimSuffix(baseURL, "/"), log: log, pause: postPause}
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
		case <-p.directory.arrived:
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

// Taking a request postpones it: if this replica dies or the mail server rejects the mail, it is due again later. After
// a day it is no longer mailed and only listed on screen.
const takeDue = `
UPDATE appointments SET mail_due = now() + interval '1 minute'
WHERE id = (
  SELECT id FROM appointments WHERE mail_due <= now() AND created_at > now() - interval '1 day'
  ORDER BY mail_due LIMIT 1 FOR UPDATE SKIP LOCKED)
RETURNING` + appointmentColumns

const markMailed = `UPDATE appointments SET mail_due = NULL WHERE id = $1`

// one sends one due mail; more is false when none was due.
func (p *Post) one(ctx context.Context) (more bool, err error) {
	rows, err := p.directory.pool.Query(ctx, takeDue)
	if err != nil {
		return false, postgres.Classify(err)
	}
	request, err := pgx.CollectExactlyOneRow(rows, scanAppointment)
	if errors.Is(err, pgx.ErrNoRows) {
		return false, nil
	}
	if err != nil {
		return false, postgres.Classify(err)
	}
	message, err := p.message(request)
	if err != nil {
		return true, err
	}
	if err := p.mailer.Send(ctx, message); err != nil {
		return true, err
	}
	_, err = p.directory.pool.Exec(ctx, markMailed, request.ID)
	return true, postgres.Classify(err)
}

//go:embed appointment.txt
var appointmentText string

var appointmentLetter = template.Must(template.New("appointment.txt").Parse(appointmentText))

// message is the mail about a request. An answer to it reaches the visitor.
func (p *Post) message(request contract.Appointment) (mail.Message, error) {
	var text bytes.Buffer
	err := appointmentLetter.Execute(&text, struct {
		contract.Appointment
		Link string
	}{request, p.baseURL + "/dashboard/receptionist?tab=appointments"})
	return mail.Message{
		To: p.directory.office.Load().Email, ReplyTo: request.Email,
		Subject: "Appointment request: " + request.Service + ", " + request.PreferredDate + " " + request.PreferredTime,
		Text:    text.String(),
	}, err
}
