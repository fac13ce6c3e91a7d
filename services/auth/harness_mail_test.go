package auth

import (
	"context"
	"errors"
	"regexp"
	"sync"
	"testing"

	"baari.dev/services/platform/mail"
	"baari.dev/services/platform/testkit"
)

// deliver runs the mail queue until the test ends.
func (o *office) deliver(t *testing.T) {
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = o.SendMails(ctx)
	}()
	t.Cleanup(func() { stop(); <-done })
}

type mailed struct{ mail.Message }

// mailbox is a mailer that stores messages.
type mailbox struct {
	mu    sync.Mutex
	mails []mail.Message
	fail  int // number of messages to reject from now on
}

// Send implements mail.Mailer.
func (m *mailbox) Send(_ context.Context, message mail.Message) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.fail > 0 {
		m.fail--
		return errors.New("the mail server is unavailable")
	}
	m.mails = append(m.mails, message)
	return nil
}

// reject makes the given number of messages fail.
func (m *mailbox) reject(messages int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.fail = messages
}

// awaitRejected waits until the mailbox has rejected the number of messages that reject has set.
func (m *mailbox) awaitRejected(t *testing.T) {
	t.Helper()
	testkit.Eventually(t, "the messages are rejected", func() bool {
		m.mu.Lock()
		defer m.mu.Unlock()
		return m.fail == 0
	})
}

func (m *mailbox) to(address string) (mails []mail.Message) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, mail := range m.mails {
		if mail.To == address {
			mails = append(mails, mail)
		}
	}
	return mails
}

func (o *office) nthMail(address string, n int) mailed {
	o.t.Helper()
	testkit.Eventually(o.t, "a mail arrives", func() bool { return len(o.mail.to(address)) >= n })
	return mailed{o.mail.to(address)[n-1]}
}

// settle waits until each queued mail job has run once. It does not wait for jobs that are tried again later.
func (o *office) settle() {
	o.t.Helper()
	done := make(chan struct{})
	if err := o.mails.Enqueue(context.Background(), func(context.Context) error { close(done); return nil }); err != nil {
		o.t.Fatal(err)
	}
	<-done
}

// link returns the path and query of the link in a mail.
func (m mailed) link(t *testing.T) string {
	t.Helper()
	found := regexp.MustCompile(regexp.QuoteMeta(site) + `(/\S+)`).FindStringSubmatch(m.Text)
	if found == nil {
		t.Fatalf("no link in %s", m.Text)
	}
	return found[1]
}
