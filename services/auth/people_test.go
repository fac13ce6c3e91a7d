package auth

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"baari.dev/services/auth/mailing"
)

func withApproval(options *Options) { options.Registration = RegistrationApproval }

// listed returns the names of a list of users, and whether each waits and until when it is invited.
func (o *office) listed(token, query string) string {
	o.t.Helper()
	var got struct {
		Users []struct {
			Name         string
			Awaiting     bool
			InvitedUntil *time.Time
		}
	}
	o.call(token, "GET", "/api/users?"+query, "").want(200).into(&got)
	var lines []string
	for _, u := range got.Users {
		lines = append(lines, fmt.Sprint(u.Name, " ", u.Awaiting, " ", u.InvitedUntil != nil))
	}
	return strings.Join(lines, ", ")
}

func TestTheListHasThePeopleWhoWait(t *testing.T) {
	o := open(t, withApproval)
	admin, asha := o.admin("boss"), o.join("asha")
	o.join("bina")
	for query, want := range map[string]string{
		"awaiting=true":           "asha true false, bina true false",
		"awaiting=false":          "boss false false",
		"awaiting=true&q=bina":    "bina true false",
		"awaiting=true&role=pa":   "",
		"awaiting=1&active=false": "asha true false, bina true false",
	} {
		if got := o.listed(admin.Token, query); got != want {
			t.Errorf("%s: %s, want %s", query, got, want)
		}
	}
	o.call(asha.Token, "GET", "/api/users/"+asha.ID, "").want(200, `"awaiting":true`, `"invitedUntil":null`)
	o.call(admin.Token, "PUT", "/api/users/"+asha.ID, `{"role":"pa","isActive":true}`).
		want(200, `"role":"pa"`, `"awaiting":false`)
	if got := o.listed(admin.Token, "awaiting=true"); got != "bina true false" {
		t.Errorf("after an approval: %s", got)
	}
}

// A person who was let in gets a mail, in the office's language. A later activation sends none.
func TestAPersonWhoIsLetInGetsAMail(t *testing.T) {
	o := open(t, withApproval, func(options *Options) { options.Languages = []string{"kn", "en"} })
	admin, asha := o.admin("boss"), o.join("asha")
	put := func(change string) { o.call(admin.Token, "PUT", "/api/users/"+asha.ID, change).want(200) }
	put(`{"role":"consultant"}`)
	put(`{"role":"consultant","isActive":true}`)
	put(`{"isActive":false}`)
	put(`{"isActive":true}`)
	o.settle()
	mails := o.mail.to(asha.Email)
	if len(mails) != 1 || mails[0].Subject != mailing.TextsOf("kn").LetInSubject ||
		!strings.Contains(mails[0].Text, "\n"+site+"/login\n") || !strings.Contains(mails[0].Text, "Lekha Tax & Advisory") {
		t.Errorf("mailed %+v", mails)
	}
}

// A refused account is deleted with its sessions, and its address can register again.
func TestAnAccountThatWaitsIsRefused(t *testing.T) {
	o := open(t, withApproval)
	admin, asha := o.admin("boss"), o.join("asha")
	refuse := func(id string) reply { return o.call(admin.Token, "POST", "/api/users/"+id+"/refuse", "") }
	refuse(asha.ID).want(204)
	o.wantEnded(asha.Token)
	o.post("", "/sign-in/email", credentials(asha.Email, password)).wantCode(401, "INVALID_EMAIL_OR_PASSWORD")
	events := o.events(asha.ID)
	last := events[len(events)-1]
	if got := o.types(asha.ID); got != "user_registered session_signed_in session_revoked user_deleted" ||
		last.Actor.ID != admin.ID || last.After != nil || last.Before["email"] != asha.Email {
		t.Errorf("published %s, the last %+v", got, last)
	}
	refuse(asha.ID).wantCode(404, "not_found")
	refuse("x").wantCode(404, "not_found")
	again := o.join("asha")
	o.call(admin.Token, "PUT", "/api/users/"+again.ID, `{"isActive":true}`).want(200)
	refuse(again.ID).wantCode(409, "not_awaiting")
	o.call(admin.Token, "PUT", "/api/users/"+again.ID, `{"isActive":false}`).want(200)
	refuse(again.ID).wantCode(409, "not_awaiting")
	refuse(admin.ID).wantCode(409, "not_awaiting")
}

type invited struct {
	Data struct {
		ID           string
		InvitedUntil time.Time
	}
	InviteURL string `json:"invite_url"`
}

func (i invited) token() string {
	return strings.TrimPrefix(i.InviteURL, site+"/reset-password?token=")
}

func TestAnotherInvitationEndsTheLinkBefore(t *testing.T) {
	o := open(t)
	admin := o.admin("boss")
	var first, second invited
	o.call(admin.Token, "POST", "/api/users", invitation("ravi")).want(201).into(&first)
	o.later(70 * time.Hour)
	admin.Token = o.signedIn(admin.Email)
	o.call(admin.Token, "POST", "/api/users/"+first.Data.ID+"/invite", "").want(200).into(&second)
	if later := second.Data.InvitedUntil.Sub(first.Data.InvitedUntil); later < 70*time.Hour || later > 71*time.Hour {
		t.Errorf("the second link ends %s after the first", later)
	}
	if got := o.types(first.Data.ID); got != "user_invited user_invited" {
		t.Errorf("published %s", got)
	}
	if mail := o.nthMail("ravi@example.com", 2); !strings.Contains(mail.Text, second.InviteURL) {
		t.Errorf("mailed %s", mail.Text)
	}
	o.resetTo(first.token(), newPassword).wantCode(400, "INVALID_TOKEN")
	o.later(71 * time.Hour)
	o.resetTo(second.token(), newPassword).want(200)
	admin.Token = o.signedIn(admin.Email)
	o.call(admin.Token, "GET", "/api/users/"+first.Data.ID, "").want(200, `"invitedUntil":null`)
	again := func(id string) reply { return o.call(admin.Token, "POST", "/api/users/"+id+"/invite", "") }
	again(first.Data.ID).wantCode(409, "not_invited")
	again(admin.ID).wantCode(409, "not_invited")
	again("unknownunknownunknownunknown0000").wantCode(404, "not_found")
	again("x").wantCode(404, "not_found")
}

// An account that was deactivated before it had a password gets no link until it is active again.
func TestADeactivatedAccountIsNotInvitedAgain(t *testing.T) {
	o := open(t)
	admin := o.admin("boss")
	var made invited
	o.call(admin.Token, "POST", "/api/users", invitation("ravi")).want(201).into(&made)
	again := func() reply { return o.call(admin.Token, "POST", "/api/users/"+made.Data.ID+"/invite", "") }
	set := func(active string) {
		o.call(admin.Token, "PUT", "/api/users/"+made.Data.ID, `{"isActive":`+active+`}`).want(200)
	}
	set("false")
	again().wantCode(409, "not_invited")
	if got := o.types(made.Data.ID); got != "user_invited user_deactivated" {
		t.Errorf("published %s", got)
	}
	set("true")
	again().want(200)
}

// Without a mail server, the administrator gets the link as with one.
func TestAnotherInvitationNeedsNoMail(t *testing.T) {
	o := openWithoutMail(t)
	admin := o.admin("boss")
	var made invited
	o.call(admin.Token, "POST", "/api/users", invitation("ravi")).want(201).into(&made)
	o.call(admin.Token, "POST", "/api/users/"+made.Data.ID+"/invite", "").want(200).into(&made)
	o.resetTo(made.token(), newPassword).want(200)
}

// The list shows when a link ended, also after the sweep, and of accounts whose link the release before has deleted.
func TestTheEndOfAnInvitationStays(t *testing.T) {
	o := open(t)
	admin := o.admin("boss")
	var made, listed invited
	o.call(admin.Token, "POST", "/api/users", invitation("ravi")).want(201).into(&made)
	o.exec(`UPDATE reset_tokens SET expires_at = expires_at - interval '100 hours'`)
	if err := o.store.sweep(t.Context(), o.db.Pool); err != nil {
		t.Fatal(err)
	}
	read := func() { o.call(admin.Token, "GET", "/api/users/"+made.Data.ID, "").want(200).into(&listed) }
	if read(); made.Data.InvitedUntil.Sub(listed.Data.InvitedUntil) != 100*time.Hour {
		t.Errorf("ended %s, invited until %s", listed.Data.InvitedUntil, made.Data.InvitedUntil)
	}
	o.resetTo(made.token(), newPassword).wantCode(400, "INVALID_TOKEN")
	o.exec(`DELETE FROM reset_tokens`)
	if read(); !listed.Data.InvitedUntil.Equal(made.Data.InvitedUntil) {
		t.Errorf("without a link: ends %s, want %s", listed.Data.InvitedUntil, made.Data.InvitedUntil)
	}
	if got := o.listed(admin.Token, ""); got != "boss false false, ravi false true" {
		t.Errorf("listed %s", got)
	}
	o.call(admin.Token, "POST", "/api/users", invitation("ravi")).want(200, `"invitedUntil":"`)
}

// Administrators get one mail about all who wait, and another one for those who came after it.
func TestAdministratorsAreMailedAboutPeopleWhoWait(t *testing.T) {
	o := open(t, withApproval)
	boss, second := o.admin("boss"), o.admin("second")
	o.call(boss.Token, "PUT", "/api/users/"+second.ID, `{"isActive":false}`).want(200)
	announce := func() []string {
		t.Helper()
		if err := o.waiting.Announce(t.Context()); err != nil {
			t.Fatal(err)
		}
		o.settle()
		var subjects []string
		for _, mail := range o.mail.to(boss.Email) {
			subjects = append(subjects, mail.Subject)
		}
		return subjects
	}
	if got := announce(); len(got) != 0 {
		t.Errorf("while no one waits: %q", got)
	}
	asha := o.join("asha")
	announce()
	o.join("bina")
	o.join("chand")
	o.call(boss.Token, "POST", "/api/users/"+asha.ID+"/refuse", "").want(204)
	announce()
	got := strings.Join(announce(), ", ")
	if got != "1 person waits for your approval, 2 people wait for your approval" {
		t.Errorf("mailed %s", got)
	}
	if mail := o.nthMail(boss.Email, 1); mail.link(t) != "/dashboard/admin?tab=staff" {
		t.Errorf("the mail is %s", mail.Text)
	}
	if mails := o.mail.to(second.Email); len(mails) != 0 {
		t.Errorf("an inactive administrator got %+v", mails)
	}
}

// Within an hour administrators get one mail. Those who register meanwhile are in the next one.
func TestAdministratorsGetOneMailAnHourAboutPeopleWhoWait(t *testing.T) {
	o, _ := limited(t, withApproval)
	boss := o.admin("boss")
	for n := range 3 {
		o.signUpFrom(fmt.Sprint("user", n), from(n))
		if err := o.waiting.Announce(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	o.settle()
	if mails := o.mail.to(boss.Email); len(mails) != 1 {
		t.Errorf("%d mails", len(mails))
	}
	if n := o.count(`SELECT count(*) FROM users WHERE awaits_approval AND NOT announced`); n != 2 {
		t.Errorf("%d people are left for the next mail, want 2", n)
	}
}
