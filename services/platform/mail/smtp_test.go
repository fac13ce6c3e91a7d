package mail

import (
	"context"
	"encoding/base64"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"net"
	"net/mail"
	"slices"
	"strings"
	"testing"

	"github.com/emersion/go-smtp"
	gomail "github.com/wneessen/go-mail"
)

// server is a mail server that keeps the last message.
type server struct {
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
	s.data = string(text)
	return err
}

// A mail has a subject in any script, a text, and, if the message has them, an HTML part and a Reply-To.
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
	message := Message{
		To: "asha@example.com", ReplyTo: "rao@example.com", Subject: "पासवर्ड", Text: "One line.",
		HTML: "<p>One line.</p>",
	}
	if err := mailer.Send(context.Background(), message); err != nil {
		t.Fatal(err)
	}
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
	if parsed.Header.Get("Reply-To") != "<rao@example.com>" {
		t.Errorf("answers go to %s", parsed.Header.Get("Reply-To"))
	}
	if err := mailer.Send(context.Background(), Message{
		To: "asha@example.com", Subject: "Plain", Text: "One line.",
	}); err != nil {
		t.Fatal(err)
	}
	if parsed, err = mail.ReadMessage(strings.NewReader(kept.data)); err != nil ||
		!strings.HasPrefix(parsed.Header.Get("Content-Type"), "text/plain") {
		t.Errorf("without HTML it is %s (%v)", parsed.Header.Get("Content-Type"), err)
	}
}

// A calendar entry is a part with its method, which calendars read, and an attachment, which other programs open.
func TestAMailHasItsCalendarEntryTwice(t *testing.T) {
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
	mailer, err := NewSMTP("smtp://"+listener.Addr().String(), "desk@lekha.example")
	if err != nil {
		t.Fatal(err)
	}
	entry := &Calendar{Method: "CANCEL", Text: "BEGIN:VCALENDAR\r\nSUMMARY:ಭೇಟಿ\r\nEND:VCALENDAR\r\n"}
	err = mailer.Send(context.Background(), Message{
		To: "asha@example.com", Subject: "Cancelled", Text: "One line.", Calendar: entry,
	})
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := mail.ReadMessage(strings.NewReader(kept.data))
	if err != nil {
		t.Fatal(err)
	}
	found := []string{}
	collect(t, parsed.Header.Get("Content-Type"), "", parsed.Body, &found)
	want := []string{
		"text/plain  One line.", "text/calendar CANCEL " + entry.Text, "text/calendar CANCEL appointment.ics " + entry.Text,
	}
	if !slices.Equal(found, want) {
		t.Errorf("the parts are %q, want %q", found, want)
	}
}

// collect adds each part of a mail: its type, method, file and text.
func collect(t *testing.T, kind, file string, body io.Reader, found *[]string) {
	t.Helper()
	kind, parameters, err := mime.ParseMediaType(kind)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(kind, "multipart/") {
		text, err := io.ReadAll(body)
		if err != nil {
			t.Fatal(err)
		}
		*found = append(*found, strings.Join(strings.Fields(kind+" "+parameters["method"]+" "+file), " ")+
			map[bool]string{true: "  ", false: " "}[parameters["method"] == ""]+string(text))
		return
	}
	parts := multipart.NewReader(body, parameters["boundary"])
	for {
		part, err := parts.NextPart()
		if err != nil {
			return
		}
		var content io.Reader = part
		if part.Header.Get("Content-Transfer-Encoding") == "base64" {
			content = base64.NewDecoder(base64.StdEncoding, part)
		}
		collect(t, part.Header.Get("Content-Type"), part.FileName(), content, found)
	}
}

// After an error of the dial, or at the recipient, the message was certainly not sent.
func TestAnErrorSaysWhetherTheMailMayHaveBeenSent(t *testing.T) {
	for name, c := range map[string]struct {
		err            error
		later, refused bool
	}{
		"no server": {&net.OpError{Op: "dial"}, true, false},
		"cut":       {&net.OpError{Op: "read"}, false, false},
		"full":      {&gomail.SendError{Reason: gomail.ErrSMTPData}, false, false},
		"unknown":   {&gomail.SendError{Reason: gomail.ErrSMTPRcptTo}, false, true},
	} {
		err := classify(c.err)
		if errors.Is(err, ErrLater) != c.later || errors.Is(err, ErrRefused) != c.refused {
			t.Errorf("%s: %v", name, err)
		}
	}
	if classify(nil) != nil {
		t.Error("a success is an error")
	}
}

// The error names the setting that is wrong.
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
	for _, address := range []string{
		"smtp://mail.example.com", "smtps://user:secret@mail.example.com", "smtp://user:secret@mail.example.com:587",
	} {
		if _, err := NewSMTP(address, "Desk <desk@example.com>"); err != nil {
			t.Errorf("%s: %v", address, err)
		}
	}
}
