package auth

import (
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"baari.dev/services/auth/data"
)

// The link sent to the old address stops a pending change and ends the access of its requester.
func TestTheStopLinkStopsAPendingChange(t *testing.T) {
	o := open(t)
	admin, asha := o.admin("boss"), o.join("asha")
	stolen := o.signedIn(asha.Email)
	o.requestEmail(stolen, intruder, "").want(200)
	notice := o.nthMail(asha.Email, 1)
	for _, text := range []string{notice.Text, notice.HTML} {
		if !strings.Contains(text, intruder) || !strings.Contains(text, "72 hours") ||
			strings.Contains(text, "did not expect") {
			t.Errorf("the notice is %s", text)
		}
	}
	token, link := o.stopToken(asha.Email, 1), o.confirmation(intruder, 1)
	o.stop(data.NewToken()).wantCode(400, "INVALID_TOKEN")
	o.stop(token).want(200, `{"status":true,"reverted":false}`)
	for _, e := range o.events(asha.ID) {
		if e.Type == "user_email_change_stopped" && (e.Before["pendingEmail"] != intruder || e.After["pendingEmail"] != nil) {
			t.Errorf("the stop is published as %v, then %v", e.Before, e.After)
		}
	}
	o.wantAccessRevoked(asha, stolen, 2)
	o.get(link).want(401)
	o.wantEmail(admin, asha, asha.Email)
	o.stop(token).want(400)
}

// wantAccessRevoked fails the test unless both sessions have ended, the password is deleted, and the link in the nth
// mail to the old address sets a new password.
func (o *office) wantAccessRevoked(p person, stolen string, nth int) {
	o.t.Helper()
	o.wantEnded(p.Token, stolen)
	o.trySignIn(p.Email, password, "10.0.0.1").want(401)
	reset := tokenOf(o.nthMail(p.Email, nth).link(o.t))
	o.resetTo(reset, newPassword).want(200)
	o.signedInAs(p.Email, newPassword)
}

// After a change, the stop link restores the old address. The link is valid for 72 hours from the confirmation.
func TestTheStopLinkRestoresTheOldAddress(t *testing.T) {
	o := open(t)
	admin, asha := o.admin("boss"), o.join("asha")
	stolen := o.signedIn(asha.Email)
	o.requestEmail(stolen, intruder, "").want(200)
	token := o.stopToken(asha.Email, 1)
	o.later(59 * time.Minute)
	o.get(o.confirmation(intruder, 1)).want(200)
	o.wantEmail(admin, asha, intruder)
	pending := tokenOf(o.resetLink(intruder, 2))
	o.later(72*time.Hour - time.Second)
	o.stop(token).want(200, `{"status":true,"reverted":true}`)
	admin.Token = o.signedIn(admin.Email)
	o.wantEmail(admin, asha, asha.Email)
	o.trySignIn(intruder, password, "10.0.0.1").want(401)
	o.resetTo(pending, newPassword).want(400)
	o.wantAccessRevoked(asha, stolen, 2)
}

func TestTheStopLinkExpiresAfter72Hours(t *testing.T) {
	o := open(t)
	asha := o.join("asha")
	o.moveTo(asha.Token, "new@example.com")
	token := o.stopToken(asha.Email, 1)
	o.later(72 * time.Hour)
	o.stop(token).wantCode(400, "INVALID_TOKEN")
	o.trySignIn("new@example.com", password, "10.0.0.1").want(200)
}

// The stop link also undoes a later change of address and makes the stop link of that change invalid. A password that
// was set later is deleted.
func TestTheStopLinkAlsoUndoesLaterChanges(t *testing.T) {
	o := open(t)
	admin, asha := o.admin("boss"), o.join("asha")
	stolen := o.signedIn(asha.Email)
	o.moveTo(stolen, intruder)
	mine := o.stopToken(asha.Email, 1)
	o.moveTo(stolen, "third@example.com")
	theirs := o.stopToken(intruder, 2)
	o.changeTo(stolen, password, "a third good phrase").want(200)
	o.stop(mine).want(200, `"reverted":true`)
	o.stop(theirs).want(400)
	o.wantEmail(admin, asha, asha.Email)
	o.trySignIn(asha.Email, "a third good phrase", "10.0.0.1").want(401)
}

func TestStoppingALaterChangeKeepsTheEarlierStopLink(t *testing.T) {
	o := open(t)
	admin, asha := o.admin("boss"), o.join("asha")
	stolen := o.signedIn(asha.Email)
	o.moveTo(stolen, intruder)
	mine := o.stopToken(asha.Email, 1)
	o.requestEmail(stolen, "third@example.com", "").want(200)
	o.stop(o.stopToken(intruder, 2)).want(200, `"reverted":false`)
	o.stop(mine).want(200, `"reverted":true`)
	o.wantEmail(admin, asha, asha.Email)
}

// A change of password does not make the stop link invalid, because the requester of the email change may know the
// password.
func TestAPasswordChangeKeepsTheStopLink(t *testing.T) {
	o := open(t)
	asha := o.join("asha")
	stolen := o.signedIn(asha.Email)
	o.requestEmail(stolen, intruder, "").want(200)
	token := o.stopToken(asha.Email, 1)
	o.changeTo(stolen, password, "a third good phrase").want(200)
	o.stop(token).want(200)
	o.trySignIn(asha.Email, "a third good phrase", "10.0.0.1").want(401)
	o.wantAccessRevoked(asha, stolen, 2)
}

// While a change can be undone, no other account can take the old address.
func TestTheOldAddressIsReserved(t *testing.T) {
	o := open(t)
	admin, asha, bina := o.admin("boss"), o.join("asha"), o.join("bina")
	o.moveTo(asha.Token, "new@example.com")
	token := o.stopToken(asha.Email, 1)
	o.post("", "/sign-up/email", registration("asha")).wantCode(422, "USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL")
	o.call(admin.Token, "POST", "/api/users", invitation("asha")).want(200, asha.ID)
	o.requestEmail(bina.Token, "asha@example.com", "").want(200)
	o.stopToken(bina.Email, 1)
	o.settle()
	if n := len(o.mail.to(asha.Email)); n != 1 {
		t.Errorf("%d mails to the reserved address", n)
	}
	o.requestEmail(asha.Token, "asha@example.com", "").want(200) // the user can change back to the old address
	o.get(o.confirmation(asha.Email, 2)).want(200)
	o.stop(token).want(200, `"reverted":false`)
}

func TestTheOldAddressIsFreeAfter72Hours(t *testing.T) {
	o := open(t)
	asha := o.join("asha")
	o.moveTo(asha.Token, "new@example.com")
	o.later(72 * time.Hour)
	if again := o.join("asha"); again.ID == asha.ID {
		t.Error("the sign-up returned the old account")
	}
}

// If several requests use the stop link at the same time, only one of them stops the change.
func TestTwoClicksOnTheStopLinkAreOne(t *testing.T) {
	o := open(t)
	asha := o.join("asha")
	o.moveTo(asha.Token, intruder)
	token := o.stopToken(asha.Email, 1)
	var race sync.WaitGroup
	statuses := make([]int, 4)
	for i := range statuses {
		race.Go(func() {
			statuses[i] = o.raw("POST", "/api/auth/stop-email-change", body("token", token),
				"Content-Type", "application/json").served().status
		})
	}
	race.Wait()
	o.settle()
	if slices.Sort(statuses); !slices.Equal(statuses, []int{200, 400, 400, 400}) {
		t.Errorf("answered %v", statuses)
	}
	if got := o.types(asha.ID); strings.Count(got, "user_email_change_stopped") != 1 || len(o.mail.to(asha.Email)) != 2 {
		t.Errorf("published %s, mailed %d", got, len(o.mail.to(asha.Email)))
	}
}
