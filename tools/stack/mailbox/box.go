// Package mailbox is a mail server for a developer's machine. It accepts every message, keeps the most recent ones in
// memory and shows them in a browser, but delivers none. Start reading at Open.
package mailbox

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/emersion/go-smtp"
)

const (
	keep       = 500     // number of messages kept; older ones are dropped
	maxMessage = 1 << 20 // bytes
)

// Message is one mail as one recipient gets it, decoded.
type Message struct {
	To      string    `json:"to"`
	Subject string    `json:"subject"`
	Text    string    `json:"text"`
	HTML    string    `json:"html"`
	At      time.Time `json:"-"`

	Calendar *Calendar `json:"calendar"` // nil: the mail has no entry
}

// Calendar is the calendar entry of a mail.
type Calendar struct {
	Method string `json:"method"`
	Text   string `json:"text"` // its lines end with CRLF
}

// Box receives mail by SMTP and shows it by HTTP, each on a free port.
type Box struct {
	smtp *smtp.Server
	http *http.Server
	mail net.Listener
	page net.Listener
	done sync.WaitGroup

	mu       sync.Mutex
	messages []Message
}

// Open starts a mailbox on two free ports of the host's address.
func Open(host string) (*Box, error) {
	box := &Box{}
	var err error
	if box.mail, err = net.Listen("tcp", net.JoinHostPort(host, "0")); err != nil {
		return nil, fmt.Errorf("mailbox: %w", err)
	}
	if box.page, err = net.Listen("tcp", net.JoinHostPort(host, "0")); err != nil {
		return nil, errors.Join(fmt.Errorf("mailbox: %w", err), box.mail.Close())
	}
	box.smtp = smtp.NewServer(box)
	box.smtp.Domain = "localhost"
	box.smtp.AllowInsecureAuth = true
	box.smtp.EnableSMTPUTF8 = true
	box.smtp.MaxMessageBytes = maxMessage
	box.smtp.ReadTimeout, box.smtp.WriteTimeout = 10*time.Second, 10*time.Second
	box.smtp.ErrorLog = quiet{}
	box.http = &http.Server{Handler: box.handler(), ReadHeaderTimeout: 5 * time.Second}
	box.done.Go(func() { _ = box.smtp.Serve(box.mail) }) // both calls of Serve return when the box is closed
	box.done.Go(func() { _ = box.http.Serve(box.page) })
	return box, nil
}

// SMTP returns the address of the SMTP listener as host:port.
func (b *Box) SMTP() string { return b.mail.Addr().String() }

// URL returns the address of the page that shows the messages.
func (b *Box) URL() string { return "http://" + b.page.Addr().String() }

// Close stops both listeners.
func (b *Box) Close() {
	_ = errors.Join(b.smtp.Close(), b.http.Close()) // an error is ignored, because there is nothing to save
	// If Serve has not been called yet, the server does not know its listener and has not closed it.
	_ = errors.Join(b.mail.Close(), b.page.Close())
	b.done.Wait()
}

// Messages returns the messages to an address, or all if it is empty, the newest last.
func (b *Box) Messages(to string) []Message {
	b.mu.Lock()
	defer b.mu.Unlock()
	found := []Message{}
	for _, message := range b.messages {
		if to == "" || strings.EqualFold(message.To, to) {
			found = append(found, message)
		}
	}
	return found
}

func (b *Box) add(messages []Message) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.messages = append(b.messages, messages...)
	b.messages = b.messages[max(0, len(b.messages)-keep):]
}

// NewSession accepts every client; it implements smtp.Backend.
func (b *Box) NewSession(*smtp.Conn) (smtp.Session, error) { return &session{box: b}, nil }

type session struct {
	box *Box
	to  []string
}

func (s *session) Mail(string, *smtp.MailOptions) error { return nil }

func (s *session) Rcpt(to string, _ *smtp.RcptOptions) error {
	s.to = append(s.to, to)
	return nil
}

func (s *session) Data(r io.Reader) error {
	message, err := decode(r)
	if err != nil {
		return &smtp.SMTPError{Code: 554, EnhancedCode: smtp.EnhancedCode{5, 6, 0}, Message: err.Error()}
	}
	copies := make([]Message, 0, len(s.to))
	for _, to := range s.to {
		message.To, message.At = to, time.Now()
		copies = append(copies, message)
	}
	s.box.add(copies)
	return nil
}

func (s *session) Reset()        { s.to = nil }
func (s *session) Logout() error { return nil }

// quiet drops what the SMTP server logs, such as messages about closed connections.
type quiet struct{}

func (quiet) Printf(string, ...any) {}
func (quiet) Println(...any)        {}
