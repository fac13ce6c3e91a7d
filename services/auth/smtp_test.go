package auth

import (
	"context"
	"io"
	"mime"
	"net"
	"net/mail"
	"strings"
	"sync"
	"testing"

	"github.com/emersion/go-smtp"
)

// server is a mail server that keeps what it is sent.
type server struct {
	mu       sync.Mutex
	from, to string
	data     string
}

func (s *server) NewSession(*smtp.Conn) (smtp.Session, error) { return s, nil }
func (s *server) Mail(from string, _ *smtp.MailOptions) error { s.from = from; return nil }
func (s *server) Rcpt(to string, _ *smtp.RcptOptions) error   { s.to = to; return nil }
func (s *server) Reset()                                      {}
func (s *server) Logout() error                               { return nil }

func (s *server) Data(r io.Reader) error {
	text, err := io.ReadAll(r)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.data = string(text)
	return err
}

// A mail goes out in the office's name, as text and as HTML, in any script.
func TestMailOverSMTP(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	kept := &server{}
	sink := smtp.NewServer(kept)
	sink.Domain = "localhost"
	served := make(chan struct{})
	go func() { defer close(served); _ = sink.Serve(listener) }()
	t.Cleanup(func() { _ = sink.Close(); <-served })

	mailer, err := NewSMTP("smtp://"+listener.Addr().String(), "लेखा <desk@lekha.example>")
	if err != nil {
		t.Fatal(err)
	}
	letter := letter{Subject: "पासवर्ड", Office: "Lekha <Tax>", Name: "आशा", Lines: []string{"One line."}, Button: "Open", Link: site + "/x?a=1&b=2"}
	message, err := letter.to("asha@example.com")
	if err != nil {
		t.Fatal(err)
	}
	if err := mailer.Send(context.Background(), message); err != nil {
		t.Fatal(err)
	}
	kept.mu.Lock()
	defer kept.mu.Unlock()
	parsed, err := mail.ReadMessage(strings.NewReader(kept.data))
	if err != nil {
		t.Fatal(err)
	}
	subject, err := new(mime.WordDecoder).DecodeHeader(parsed.Header.Get("Subject"))
	if err != nil || subject != "पासवर्ड" || kept.from != "desk@lekha.example" || kept.to != "asha@example.com" {
		t.Errorf("%q from %s to %s (%v)", subject, kept.from, kept.to, err)
	}
	if !strings.HasPrefix(parsed.Header.Get("Content-Type"), "multipart/alternative") {
		t.Errorf("it is %s", parsed.Header.Get("Content-Type"))
	}
	if !strings.Contains(message.Text, site+"/x?a=1&b=2") || !strings.Contains(message.HTML, "Lekha &lt;Tax&gt;") || !strings.Contains(message.HTML, "a=1&amp;b=2") {
		t.Errorf("the letter is %+v", message)
	}
}

// A wrong setting is named at start.
func TestMailSettings(t *testing.T) {
	for _, c := range []struct{ address, from, want string }{
		{"mail.example.com:25", "desk@example.com", "SMTP_URL"},
		{"https://mail.example.com", "desk@example.com", "SMTP_URL"},
		{"smtp://mail.example.com", "", "MAIL_FROM"},
		{"smtp://", "desk@example.com", "SMTP_URL"},
	} {
		if _, err := NewSMTP(c.address, c.from); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s from %q: %v", c.address, c.from, err)
		}
	}
	for _, address := range []string{"smtp://mail.example.com", "smtps://user:secret@mail.example.com", "smtp://user:secret@mail.example.com:587"} {
		if _, err := NewSMTP(address, "Desk <desk@example.com>"); err != nil {
			t.Errorf("%s: %v", address, err)
		}
	}
}
