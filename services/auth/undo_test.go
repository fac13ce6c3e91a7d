package auth

import (
	"testing"
	"time"
)

func TestADeactivationIsUndoneAndEndsNoSession(t *testing.T) {
	o := open(t)
	asha, admin := o.join("asha"), o.admin("boss")
	undo := func(by person) reply { return o.call(by.Token, "POST", "/api/users/"+asha.ID+"/undo", "") }
	o.call(admin.Token, "PUT", "/api/users/"+asha.ID, `{"isActive":false}`).want(200)
	o.post(asha.Token, "/update-user", `{"name":"A"}`).want(403, "account_inactive")
	undo(admin).want(200, `"isActive":true`)
	o.post(asha.Token, "/update-user", `{"language":"hi"}`).want(200)
	if got := o.types(asha.ID); got != "user_registered session_signed_in user_deactivated user_activated user_updated" {
		t.Errorf("published %s", got)
	}
	undo(admin).wantCode(409, "undo_gone")
}

func TestAChangeOfARoleIsUndone(t *testing.T) {
	o := open(t)
	asha, admin := o.join("asha"), o.admin("boss")
	o.call(admin.Token, "PUT", "/api/users/"+asha.ID, `{"role":"pa","isActive":false}`).want(200, `"role":"pa"`)
	o.call(admin.Token, "POST", "/api/users/"+asha.ID+"/undo", "").want(200, `"role":"reception"`, `"isActive":true`)
}

// These cannot be undone: another administrator's change, a change that was followed by a later one, a change older
// than 30 seconds, and an activation, which has ended sessions.
func TestWhatIsNotUndone(t *testing.T) {
	o := open(t)
	asha, admin, other := o.join("asha"), o.admin("boss"), o.admin("other")
	set := func(change string) { o.call(admin.Token, "PUT", "/api/users/"+asha.ID, change).want(200) }
	undo := func(by person) reply { return o.call(by.Token, "POST", "/api/users/"+asha.ID+"/undo", "") }
	undo(admin).wantCode(409, "undo_gone")
	set(`{"isActive":false}`)
	undo(other).wantCode(403, "forbidden")
	set(`{"name":"Asha Rao"}`)
	undo(admin).wantCode(409, "undo_gone")
	set(`{"isActive":true}`)
	undo(admin).wantCode(409, "undo_gone")
	set(`{"isActive":false}`)
	o.later(31 * time.Second)
	undo(admin).wantCode(409, "undo_gone")
	o.call(admin.Token, "POST", "/api/users/unknownunknownunknownunknown0000/undo", "").wantCode(404, "not_found")
}
