package auth

import (
	"context"
	"testing"
)

// older makes the sessions of a user older than contract.FreshSession.
func (o *office) older(p person) person {
	o.t.Helper()
	_, err := o.db.Pool.Exec(context.Background(),
		`UPDATE sessions SET created_at = created_at - interval '11 minutes' WHERE user_id = $1`, p.ID)
	if err != nil {
		o.t.Fatal(err)
	}
	return p
}

// With a session that is eleven minutes old, an administrator cannot invite a user, also not again, change a user's
// role or activity, undo such a change, add a device or revoke one.
func TestAnOlderSessionMakesNoFreshOne(t *testing.T) {
	// ASVS 7.5.1
	o := open(t)
	asha := o.join("asha")
	screen := o.pairScreen(o.admin("second").Token)
	admin := o.older(o.admin("boss"))
	for _, call := range []struct{ what, method, path, body string }{
		{"an invitation", "POST", "/api/users", body("name", "Eve", "email", "eve@example.com", "role", "admin")},
		{"a role", "PUT", "/api/users/" + asha.ID, `{"role":"admin"}`},
		{"the role that it is", "PUT", "/api/users/" + asha.ID, `{"role":"reception"}`},
		{"a deactivation", "PUT", "/api/users/" + asha.ID, `{"isActive":false}`},
		{"an activation", "PUT", "/api/users/" + asha.ID, `{"is_active":true}`},
		{"another link", "POST", "/api/users/" + asha.ID + "/invite", ""},
		{"an undo", "POST", "/api/users/" + asha.ID + "/undo", ""},
		{"a new device", "POST", "/api/devices", body("kind", "desk", "name", "Desk 1")},
		{"the end of a device", "PUT", "/api/devices/" + screen, `{"revoked":true}`},
	} {
		if got := o.call(admin.Token, call.method, call.path, call.body); got.code() != "session_not_fresh" {
			t.Errorf("%s: answered %d %s", call.what, got.status, got.body)
		}
	}
	o.settle()
	if mails := o.mail.to("eve@example.com"); len(mails) > 0 {
		t.Errorf("an invitation was mailed: %+v", mails)
	}
	o.call(o.signedIn(admin.Email), "POST", "/api/users", invitation("eve")).want(201)
}

// Changes that give no access do not need a fresh session: a name, the volume of a screen, one's own profile, the end
// of sessions, a refusal.
func TestAnOlderSessionDoesWhatGivesNoAccess(t *testing.T) {
	o := open(t, func(options *Options) { options.Registration = RegistrationApproval })
	asha := o.join("asha")
	screen := o.pairScreen(o.admin("second").Token)
	admin := o.older(o.admin("boss"))
	o.call(admin.Token, "PUT", "/api/users/"+asha.ID, `{"name":"Asha Verma"}`).want(200)
	o.call(admin.Token, "PUT", "/api/devices/"+screen, `{"volume":40}`).want(200)
	o.call(admin.Token, "POST", "/api/users", body("name", "", "email", admin.Email, "role", "admin")).want(200)
	o.call(admin.Token, "POST", "/api/users/"+asha.ID+"/revoke-sessions", "").want(200)
	o.call(admin.Token, "POST", "/api/users/"+asha.ID+"/refuse", "").want(204)
}

func (o *office) pairScreen(token string) string {
	o.t.Helper()
	var made struct{ Device struct{ ID string } }
	o.call(token, "POST", "/api/devices", body("kind", "display", "name", "Waiting room")).want(201).into(&made)
	return made.Device.ID
}
