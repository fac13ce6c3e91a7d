package auth

import (
	"testing"
	"time"
)

// newcomer reports whether introspection describes the user of a session as a newcomer.
func (o *office) newcomer(p person) bool {
	o.t.Helper()
	found := o.introspected(p.Token)
	if !found.Active {
		o.t.Fatalf("the session of %s is not live", p.Email)
	}
	return found.User.Newcomer
}

func TestAnAccountIsANewcomerUntilAnAdministratorDecides(t *testing.T) {
	o := open(t)
	asha, ravi, boss := o.join("asha"), o.join("ravi"), o.admin("boss")
	if !o.newcomer(asha) || o.newcomer(boss) {
		t.Errorf("newcomers: asha %t, the administrator %t", o.newcomer(asha), o.newcomer(boss))
	}
	o.call(asha.Token, "PUT", "/api/users/"+asha.ID, `{"role":"consultant"}`).want(200)
	if !o.newcomer(asha) {
		t.Error("the user's own choice of a role is no decision")
	}
	o.call(boss.Token, "PUT", "/api/users/"+asha.ID, `{"name":"Asha Rao"}`).want(200)
	if o.newcomer(asha) || !o.newcomer(ravi) {
		t.Errorf("newcomers after the decision: asha %t, ravi %t", o.newcomer(asha), o.newcomer(ravi))
	}
}

func TestAnAccountIsNoNewcomerAfterAWeek(t *testing.T) {
	o := open(t)
	asha := o.join("asha")
	for day := range 8 {
		asha.Token = o.signedIn(asha.Email)
		if got := o.newcomer(asha); got != (day < 7) {
			t.Errorf("newcomer on day %d: %t", day, got)
		}
		o.later(24 * time.Hour)
	}
}
