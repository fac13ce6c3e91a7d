package mailing

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"baari.dev/services/platform/fault"
)

const site = "https://desk.example.com"

func TestAMailEscapesNamesInItsHTML(t *testing.T) {
	content := Content{
		Subject:  "पासवर्ड",
		Office:   "Lekha <Tax>",
		Greeting: "नमस्ते आशा,",
		Lines:    []string{"One line."},
		Button:   "Open",
		Link:     site + "/x?a=1&b=2",
	}
	message, err := content.to("asha@example.com")
	if err != nil || message.To != "asha@example.com" || message.Subject != "पासवर्ड" {
		t.Fatalf("the mail is %+v (%v)", message, err)
	}
	// ASVS 1.1.2, 1.2.1
	if !strings.Contains(message.Text, site+"/x?a=1&b=2") || !strings.Contains(message.HTML, "Lekha &lt;Tax&gt;") ||
		!strings.Contains(message.HTML, "a=1&amp;b=2") {
		t.Errorf("the mail is %+v", message)
	}
	before, _, found := strings.Cut(message.HTML, ">Open</a>")
	if !found || !strings.Contains(before, "background: #22307A; color: #ffffff") {
		t.Errorf("the button does not have the action colour of the screens: %s", message.HTML)
	}
}

func TestAFullMailQueueIsBusy(t *testing.T) {
	p := newQueue(time.Second, slog.New(slog.DiscardHandler))
	for range queueSize {
		if err := p.enqueue(context.Background(), func(context.Context) error { return nil }); err != nil {
			t.Fatal(err)
		}
	}
	// ASVS 15.2.2
	if err := p.enqueue(context.Background(), func(context.Context) error { return nil }); !errors.Is(err, fault.ErrBusy) {
		t.Errorf("got %v", err)
	}
}
