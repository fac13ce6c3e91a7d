package auth

import (
	"strings"
	"testing"
	"time"
)

// An administrator who has deleted their own account does not count as another administrator.
func TestADeletedAdministratorIsNotAnotherOne(t *testing.T) {
	o := open(t)
	admin, second := o.admin("boss"), o.admin("second")
	o.post(second.Token, "/delete-user", body("password", password)).want(200)
	o.call(admin.Token, "PUT", "/api/users/"+admin.ID, `{"role":"pa"}`).wantCode(409, "last_admin")
	o.call(admin.Token, "PUT", "/api/users/"+admin.ID, `{"isActive":false}`).wantCode(409, "last_admin")
	o.post(admin.Token, "/delete-user", body("password", password)).wantCode(409, "last_admin")
}

// Once an administrator has decided about an account, its user cannot choose the role. Decisions are a role that was
// set or confirmed, an activation, a deactivation, and a change of the name.
func TestTheRoleIsNotChosenAfterADecisionOfAnAdministrator(t *testing.T) {
	for name, decisions := range map[string][]string{
		"another role":  {`{"role":"pa"}`},
		"the same role": {`{"role":"reception"}`},
		"another name":  {`{"name":"Asha Verma"}`},
		"an activation": {`{"isActive":false}`, `{"isActive":true}`},
	} {
		t.Run(name, func(t *testing.T) {
			o := open(t)
			asha, admin := o.join("asha"), o.admin("boss")
			for _, decision := range decisions {
				o.call(admin.Token, "PUT", "/api/users/"+asha.ID, decision).want(200)
			}
			again := o.signedIn(asha.Email)
			o.call(again, "PUT", "/api/users/"+asha.ID, `{"role":"consultant"}`).wantCode(403, "role_locked")
			if got := o.types(asha.ID); strings.Contains(got, "role_set") {
				t.Errorf("published %s", got)
			}
		})
	}
}

// A user whom an administrator has activated after sign-up keeps the role that the administrator saw.
func TestAnApprovedAccountKeepsItsRole(t *testing.T) {
	o := open(t, func(options *Options) { options.Registration = RegistrationApproval })
	admin, asha, bina := o.admin("boss"), o.join("asha"), o.join("bina")
	o.call(admin.Token, "PUT", "/api/users/"+asha.ID, `{"isActive":true}`).want(200, `"role":"reception"`)
	o.call(asha.Token, "PUT", "/api/users/"+asha.ID, `{"role":"consultant"}`).wantCode(403, "role_locked")
	o.getSession(asha.Token).want(200, `"role":"reception"`)
	o.call(admin.Token, "PUT", "/api/users/"+bina.ID, `{"isActive":false}`).want(200)
	o.call(bina.Token, "PUT", "/api/users/"+bina.ID, `{"role":"consultant"}`).wantCode(403, "role_locked")
}

// A user whom an administrator has deactivated cannot complete the registration, even within the role window.
func TestADeactivatedAccountDoesNotCompleteItsRegistration(t *testing.T) {
	o := open(t, func(options *Options) { options.Registration = RegistrationApproval })
	admin, asha := o.admin("boss"), o.join("asha")
	for _, active := range []string{"true", "false"} {
		o.call(admin.Token, "PUT", "/api/users/"+asha.ID, `{"isActive":`+active+`}`).want(200)
	}
	o.call(asha.Token, "PUT", "/api/users/"+asha.ID, `{"role":"pa"}`).wantCode(403, "account_inactive")
	o.call(asha.Token, "POST", "/api/users", invitation("asha")).wantCode(403, "account_inactive")
}

// The administrator sets the role of an invited user.
func TestAnInvitedUserDoesNotChooseTheRole(t *testing.T) {
	o := open(t)
	admin := o.admin("boss")
	var made struct{ Data struct{ ID string } }
	o.call(admin.Token, "POST", "/api/users", invitation("ravi")).want(201).into(&made)
	o.resetTo(query(t, o.nthMail("ravi@example.com", 1).link(t), "token"), newPassword).want(200)
	ravi := o.signedInAs("ravi@example.com", newPassword)
	o.call(ravi, "PUT", "/api/users/"+made.Data.ID, `{"role":"consultant"}`).wantCode(403, "role_locked")
}

// If no session has ended, as at an activation or with the first password, no event says that sessions ended.
func TestNoSessionIsPublishedAsEndedWithoutOne(t *testing.T) {
	o := open(t)
	asha, admin := o.join("asha"), o.admin("boss")
	o.post(asha.Token, "/sign-out", "").want(200)
	for _, active := range []string{"false", "true"} {
		o.call(admin.Token, "PUT", "/api/users/"+asha.ID, `{"isActive":`+active+`}`).want(200)
	}
	var made struct{ Data struct{ ID string } }
	o.call(admin.Token, "POST", "/api/users", invitation("ravi")).want(201).into(&made)
	o.resetTo(query(t, o.nthMail("ravi@example.com", 1).link(t), "token"), newPassword).want(200)
	for _, id := range []string{asha.ID, made.Data.ID} {
		if got := o.types(id); strings.Contains(got, "session_revoked") {
			t.Errorf("published %s", got)
		}
	}
}

// An account that waits a week for its approval is deleted with its sessions; an activated account stays.
func TestAnAccountThatIsNotApprovedEndsAfterAWeek(t *testing.T) {
	o := open(t, func(options *Options) { options.Registration = RegistrationApproval })
	admin, asha, bina := o.admin("boss"), o.join("asha"), o.join("bina")
	o.call(admin.Token, "PUT", "/api/users/"+bina.ID, `{"isActive":true}`).want(200)
	o.call(admin.Token, "PUT", "/api/users/"+bina.ID, `{"isActive":false}`).want(200)
	for _, age := range []time.Duration{6 * 24 * time.Hour, 25 * time.Hour} {
		if got := o.types(asha.ID); strings.Contains(got, "user_deleted") {
			t.Errorf("ended early: %s", got)
		}
		o.later(age)
		if err := o.endUnapproved(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if got := o.types(asha.ID); !strings.HasSuffix(got, "session_revoked user_deleted") {
		t.Errorf("published %s", got)
	}
	if got := o.types(bina.ID); strings.Contains(got, "user_deleted") {
		t.Errorf("of an account that was activated once: %s", got)
	}
	o.post("", "/sign-up/email", registration("asha")).want(200)
}
