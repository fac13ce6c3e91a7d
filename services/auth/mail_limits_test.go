package auth

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"testing"
	"time"

	"baari.dev/services/auth/mailing"
	"baari.dev/services/platform/mail"
	"baari.dev/services/platform/testkit"
)

// from returns the nth client address.
func from(n int) string { return fmt.Sprintf("10.1.0.%d", n) }

// Sixty requests from twenty client addresses cause three mails. The response is the same for all.
func TestAnAddressGetsThreeResetMailsAnHour(t *testing.T) {
	o, _ := limited(t)
	asha, ravi := o.join("asha"), o.signUpFrom("ravi", from(200))
	for n := range 60 {
		o.post("", "/request-password-reset", body("email", asha.Email, "redirectTo", "/reset-password"),
			"X-Forwarded-For", from(n/3)).want(200, "If this email exists in our system")
	}
	o.post("", "/request-password-reset", body("email", ravi.Email, "redirectTo", "/reset-password"),
		"X-Forwarded-For", from(201)).want(200)
	o.nthMail(ravi.Email, 1)
	if mails := o.mail.to(asha.Email); len(mails) != 3 {
		t.Errorf("%d mails", len(mails))
	}
}

// Each kind of mail has its own count, so that a stranger who requests mails of one kind does not use up the limit of
// another kind.
func TestTheKindsOfMailsAreCountedApart(t *testing.T) {
	o, _ := limited(t)
	asha := o.join("asha")
	for n := range 8 {
		o.post("", "/request-password-reset", body("email", asha.Email), "X-Forwarded-For", from(n)).want(200)
		o.post("", "/send-verification-email", body("email", asha.Email), "X-Forwarded-For", from(n+100)).want(200)
	}
	o.settle()
	if mails := o.mail.to(asha.Email); len(mails) != 6 {
		t.Errorf("%d mails, want three of each kind", len(mails))
	}
	o.post(asha.Token, "/change-email", body("newEmail", "new@example.com", "password", password)).want(200)
	o.nthMail("new@example.com", 1)
	if mails := o.mail.to(asha.Email); len(mails) != 7 {
		t.Errorf("%d mails, want the notice of the change", len(mails))
	}
}

// A new address gets at most three mails an hour that ask it to confirm a change. If the notice to the old address is
// not sent, the new address gets no mail.
func TestAnAddressGetsThreeMailsOfChangesAnHour(t *testing.T) {
	o, _ := limited(t)
	asha := o.join("asha")
	for range 3 {
		o.post(asha.Token, "/change-email", body("newEmail", "new@example.com")).want(200)
	}
	o.settle()
	o.limiterPasses(t, asha)
	o.settle()
	if old, fresh := o.mail.to(asha.Email), o.mail.to("new@example.com"); len(old) != 3 || len(fresh) != 3 {
		t.Errorf("%d mails to the old and %d to the new address", len(old), len(fresh))
	}
}

// limiterPasses repeats a request for a change of address until it is accepted: the limiter accepts three in ten
// seconds.
func (o *office) limiterPasses(t *testing.T, p person) {
	t.Helper()
	testkit.Eventually(t, "another change is accepted", func() bool {
		return o.post(p.Token, "/change-email", body("newEmail", "new@example.com")).status == 200
	})
}

// Only the newest reset link is valid. The link of an invitation, which has a longer lifetime, stays valid.
func TestTheNewestResetLinkEndsTheOthers(t *testing.T) {
	o := open(t)
	asha, admin := o.join("asha"), o.admin("boss")
	var links []string
	for n := range 3 {
		links = append(links, tokenOf(o.resetLink(asha.Email, n+1)))
	}
	for _, old := range links[:2] {
		o.resetTo(old, newPassword).wantCode(400, "INVALID_TOKEN")
	}
	o.resetTo(links[2], newPassword).want(200)
	o.call(admin.Token, "POST", "/api/users", invitation("ravi")).want(201)
	invited := query(t, o.nthMail("ravi@example.com", 1).link(t), "token")
	o.resetLink("ravi@example.com", 2)
	o.resetTo(invited, newPassword).want(200)
}

// At most sixty users can sign up in an hour, from however many client addresses.
func TestSignUpsAreLimitedInTotal(t *testing.T) {
	o, _ := limited(t)
	for n := range signUpTotal.Burst {
		o.signUpFrom(fmt.Sprint("user", n), from(n))
	}
	o.post("", "/sign-up/email", registration("late"), "X-Forwarded-For", from(250)).want(429)
	o.trySignIn("user1@example.com", password, from(251)).want(200)
}

// refusing is a mailer that rejects mails to one address.
type refusing struct {
	mailbox
	address string
}

func (m *refusing) Send(ctx context.Context, message mail.Message) error {
	if message.To == m.address {
		return errors.New("this address is refused")
	}
	return m.mailbox.Send(ctx, message)
}

// A mail that the server rejects is tried again later. It does not delay the mails behind it in the queue.
func TestARefusedAddressDoesNotHoldTheQueue(t *testing.T) {
	mails := mailing.New(mailing.Settings{Pause: time.Hour}, nil, nil, slog.New(slog.DiscardHandler))
	server := &refusing{address: "gone@example.com"}
	send := func(to string) {
		err := mails.Enqueue(t.Context(), func(ctx context.Context) error {
			return server.Send(ctx, mail.Message{To: to})
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	testkit.Background(t, mails.Run)
	send("gone@example.com")
	send("asha@example.com")
	testkit.Eventually(t, "the next mail is sent", func() bool { return len(server.to("asha@example.com")) == 1 })
}
