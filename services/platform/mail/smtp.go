// Package mail sends messages through a mail server. Start with NewSMTP.
package mail

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/wneessen/go-mail"
)

// smtpTimeout bounds one conversation with the mail server.
const smtpTimeout = 10 * time.Second

// Message is one message to one address, in plain text and optionally in HTML.
type Message struct {
	To      string
	ReplyTo string // "" for the sender's own address
	Subject string
	Text    string
	HTML    string // "" for none

	Calendar *Calendar // nil for none
}

// Calendar is an entry for the reader's calendar: a part of the mail, and the attachment appointment.ics.
type Calendar struct {
	Method string // REQUEST or CANCEL
	Text   string // according to RFC 5545
}

// Errors of Mailer.Send after which the message was certainly not sent. After any other error it may have been sent.
var (
	ErrLater   = errors.New("the mail server does not take the message now")
	ErrRefused = errors.New("the mail server refuses the message")
)

// Mailer sends messages.
type Mailer interface {
	Send(ctx context.Context, message Message) error
}

type smtpMailer struct {
	client *mail.Client
	from   string
}

// NewSMTP returns a mailer for the address of SMTP_URL: smtp://[user:password@]host[:port], or smtps:// for implicit
// TLS. smtp:// uses STARTTLS if the server offers it, and requires it if a password is sent to another machine. from is
// MAIL_FROM. The error names the variable that is wrong.
func NewSMTP(address, from string) (Mailer, error) {
	server, err := url.Parse(address)
	if err != nil {
		return nil, errors.New("SMTP_URL is no address such as smtp://mail.example.com:587")
	}
	options := []mail.Option{mail.WithTimeout(smtpTimeout)}
	switch server.Scheme {
	case "smtp":
		options = append(options, mail.WithTLSPortPolicy(mail.TLSOpportunistic))
	case "smtps":
		options = append(options, mail.WithSSLPort(false))
	default:
		return nil, fmt.Errorf("SMTP_URL begins with %q, it may begin with smtp:// or smtps://", server.Scheme)
	}
	if port := server.Port(); port != "" {
		number, err := strconv.Atoi(port)
		if err != nil {
			return nil, fmt.Errorf("SMTP_URL: port %q is no number", port)
		}
		options = append(options, mail.WithPort(number))
	}
	if user := server.User; user != nil {
		password, _ := user.Password()
		options = append(options,
			mail.WithSMTPAuth(mail.SMTPAuthAutoDiscover),
			mail.WithUsername(user.Username()),
			mail.WithPassword(password),
		)
		if server.Scheme == "smtp" && !loopback(server.Hostname()) {
			options = append(options, mail.WithTLSPolicy(mail.TLSMandatory))
		}
	}
	client, err := mail.NewClient(server.Hostname(), options...)
	if err != nil {
		return nil, fmt.Errorf("SMTP_URL: %w", err)
	}
	if err := mail.NewMsg().From(from); err != nil {
		return nil, fmt.Errorf("MAIL_FROM is %q, it must be an address such as Baari <desk@example.com>", from)
	}
	return &smtpMailer{client: client, from: from}, nil
}

func loopback(host string) bool {
	address := net.ParseIP(host)
	return host == "localhost" || address != nil && address.IsLoopback()
}

// Send implements Mailer.
func (m *smtpMailer) Send(ctx context.Context, message Message) error {
	msg := mail.NewMsg()
	if err := errors.Join(msg.From(m.from), msg.To(message.To)); err != nil {
		return err
	}
	if message.ReplyTo != "" {
		if err := msg.ReplyTo(message.ReplyTo); err != nil {
			return err
		}
	}
	msg.Subject(message.Subject)
	msg.SetBodyString(mail.TypeTextPlain, message.Text)
	if message.HTML != "" {
		msg.AddAlternativeString(mail.TypeTextHTML, message.HTML)
	}
	if entry := message.Calendar; entry != nil {
		kind := mail.ContentType("text/calendar; method=" + entry.Method)
		msg.AddAlternativeString(kind, entry.Text)
		err := msg.AttachReader("appointment.ics", strings.NewReader(entry.Text),
			mail.WithFileContentType("text/calendar; charset=UTF-8; method="+mail.ContentType(entry.Method)))
		if err != nil {
			return err
		}
	}
	return classify(m.client.DialAndSendWithContext(ctx, msg))
}

// classify adds ErrLater or ErrRefused to an error that occurred before the server had the text of the message.
func classify(err error) error {
	var dial *net.OpError
	var send *mail.SendError
	switch {
	case errors.As(err, &dial) && dial.Op == "dial":
		return errors.Join(ErrLater, err)
	case errors.As(err, &send) && (send.Reason == mail.ErrSMTPMailFrom || send.Reason == mail.ErrSMTPRcptTo):
		if send.IsTemp() {
			return errors.Join(ErrLater, err)
		}
		return errors.Join(ErrRefused, err)
	}
	return err
}
