package system

import (
	"net/http"
	"testing"
)

const unknownUser = "unknownunknownunknownunknown0000"

func userSituations() map[string]situation {
	get := func(id func(o *office, sender *person) string) situation {
		return situation{ask: func(_ *testing.T, o *office, sender *person) ask {
			return ask{method: "GET", path: "/api/users/" + id(o, sender)}
		}, own: ownUser}
	}
	put := func(change object) func(*testing.T, *office, *person) ask {
		return asking(func(sender *person) ask { return ask{method: "PUT", path: "/api/users/" + sender.id, body: change} })
	}
	upsert := func(byCookie bool, origin string) func(*testing.T, *office, *person) ask {
		return asking(func(sender *person) ask {
			body := object{"name": "Other Name", "email": sender.email, "role": "admin", "isActive": true}
			return ask{method: "POST", path: "/api/users", body: body, byCookie: byCookie, origin: origin}
		})
	}
	another := func(o *office, _ *person) string { return o.consultant.id }
	consultant := func(_ *testing.T, o *office) string { return o.consultant.id }
	unknown := func(*testing.T, *office) string { return unknownUser }
	post := func(action string, id func(*testing.T, *office) string) situation {
		return situation{ask: func(t *testing.T, o *office, _ *person) ask {
			return ask{method: "POST", path: "/api/users/" + id(t, o) + "/" + action}
		}}
	}
	return map[string]situation{
		"GET /api/users":                     {ask: plain("GET", "/api/users?q=verify", nil)},
		"GET /api/users/{id} | own id":       get(func(_ *office, sender *person) string { return sender.id }),
		"GET /api/users/{id} | another's id": get(another),
		"GET /api/users/{id} | unknown id":   get(func(*office, *person) string { return unknownUser }),

		"PUT /api/users/{id} | own id and first role within 10 minutes of sign-up": {
			caller: newUser, ask: put(object{"role": "consultant"}), own: becomes("consultant"),
		},
		"PUT /api/users/{id} | own id and first role with REGISTRATION=approval": {caller: applicant, ask: put(object{
			"role": "consultant", "isActive": true,
		}), own: becomes("consultant")},
		"PUT /api/users/{id} | own id and the role it has": {ask: asking(func(sender *person) ask {
			role := sender.role
			if role == "" {
				role = "reception"
			}
			return ask{method: "PUT", path: "/api/users/" + sender.id, body: object{"role": role}}
		}), own: staysAsItIs},
		"PUT /api/users/{id} | own id and another role": {caller: fresh, ask: asking(func(sender *person) ask {
			other := "pa"
			if sender.role == other {
				other = "consultant"
			}
			return ask{method: "PUT", path: "/api/users/" + sender.id, body: object{"role": other}}
		}), own: becomes("pa")},
		"PUT /api/users/{id} | own id and first role later than 10 minutes after sign-up": {
			caller: lateUser, ask: put(object{"role": "pa"}),
		},
		"PUT /api/users/{id} | own id and role admin": {
			ask: put(object{"role": "admin"}), own: staysAsItIs,
		},
		"PUT /api/users/{id} | own id and isActive false": {
			caller: fresh, ask: put(object{"isActive": false}), own: activityOfOnesOwn,
		},
		"PUT /api/users/{id} | another's id": {ask: putAnother(object{"role": "consultant"})},
		"PUT /api/users/{id} | another's role and a session older than 10 min": {caller: seasoned, ask: putAnother(object{
			"role": "consultant",
		})},
		"PUT /api/users/{id} | another's activity and a session older than 10 min": {caller: seasoned, ask: putAnother(object{
			"isActive": true,
		})},
		"PUT /api/users/{id} | another's name and a session older than 10 min": {caller: seasoned, ask: putAnother(object{
			"name": "Other Name",
		})},
		"PUT /api/users/{id} | unknown id": {ask: plain("PUT", "/api/users/"+unknownUser, object{"role": "pa"})},

		"POST /api/users/{id}/revoke-sessions | another's id": {ask: func(t *testing.T, o *office, sender *person) ask {
			id := o.consultant.id
			if sender.role == "admin" {
				id = o.hire(t, "pa").id
			}
			return ask{method: "POST", path: "/api/users/" + id + "/revoke-sessions"}
		}},
		"POST /api/users/{id}/revoke-sessions | own id": {caller: fresh, ask: asking(func(sender *person) ask {
			return ask{method: "POST", path: "/api/users/" + sender.id + "/revoke-sessions"}
		}), own: endsOwnSession},
		"POST /api/users/{id}/revoke-sessions | unknown id": {ask: plain(
			"POST", "/api/users/"+unknownUser+"/revoke-sessions", nil,
		)},

		"POST /api/users/{id}/undo | own last change": {ask: func(t *testing.T, o *office, sender *person) ask {
			id := o.consultant.id
			if sender.role == "admin" {
				id = o.hire(t, "pa").id
				// This request and its undo are rejected for an administrator who has no session or is deactivated.
				o.way.send(t, sender, ask{method: http.MethodPut, path: "/api/users/" + id, body: object{"isActive": false}})
			}
			return ask{method: "POST", path: "/api/users/" + id + "/undo"}
		}},
		"POST /api/users/{id}/undo | another's change": {ask: func(t *testing.T, o *office, sender *person) ask {
			id := o.consultant.id
			if sender.role == "admin" {
				id = o.hire(t, "pa").id
				o.way.must(t, o.hire(t, "admin"), http.MethodPut, "/api/users/"+id, object{"isActive": false}, nil)
			}
			return ask{method: "POST", path: "/api/users/" + id + "/undo"}
		}},
		"POST /api/users/{id}/undo | session older than 11 min": {caller: seasoned, ask: func(
			_ *testing.T, o *office, _ *person,
		) ask {
			return ask{method: "POST", path: "/api/users/" + o.consultant.id + "/undo"}
		}},
		"POST /api/users/{id}/undo | unknown id": {ask: plain("POST", "/api/users/"+unknownUser+"/undo", nil)},

		"POST /api/users/{id}/refuse | an account that does not wait": post("refuse", consultant),
		"POST /api/users/{id}/refuse | an account that waits with REGISTRATION=approval": post("refuse", func(
			t *testing.T, o *office,
		) string {
			return signUp(t, o.way).id
		}),
		"POST /api/users/{id}/refuse | unknown id":                    post("refuse", unknown),
		"POST /api/users/{id}/invite | an account without a password": post("invite", invitedUser),
		"POST /api/users/{id}/invite | an account with a password":    post("invite", consultant),
		"POST /api/users/{id}/invite | session older than 10 min": {
			caller: seasoned, ask: post("invite", invitedUser).ask,
		},
		"POST /api/users/{id}/invite | unknown id": post("invite", unknown),

		"POST /api/users | own e-mail":                                   {ask: upsert(false, ""), own: staysAsItIs},
		"POST /api/users | own e-mail with REGISTRATION=approval":        {caller: employed, ask: upsert(false, "")},
		"POST /api/users | another's or a new e-mail":                    {ask: invites},
		"POST /api/users | a new e-mail and a session older than 10 min": {caller: seasoned, ask: invites},
		"POST /api/users | own e-mail by cookie": {ask: func(t *testing.T, o *office, sender *person) ask {
			return upsert(true, o.way.system.URL())(t, o, sender)
		}, own: staysAsItIs},
		"POST /api/users | own e-mail by cookie and foreign Origin": {ask: upsert(true, foreign)},
	}
}

func invites(*testing.T, *office, *person) ask {
	return ask{method: "POST", path: "/api/users", body: object{"name": "Invited", "email": address(), "role": "pa"}}
}

// invitedUser returns the id of a person whom the administrator has just invited.
func invitedUser(t *testing.T, o *office) string {
	var made userAnswer
	body := object{"name": "Invited", "email": address(), "role": "pa"}
	o.way.must(t, o.admin, http.MethodPost, "/api/users", body, &made)
	return made.Data.ID
}

func putAnother(change object) func(*testing.T, *office, *person) ask {
	return func(_ *testing.T, o *office, _ *person) ask {
		return ask{method: "PUT", path: "/api/users/" + o.consultant.id, body: change}
	}
}

type userAnswer struct {
	Data struct {
		ID, Name, Email, Role string
		IsActive              bool
	}
}

func ownUser(t *testing.T, _ *office, sender *person, got reply) {
	var answer userAnswer
	got.json(t, &answer)
	if answer.Data.ID != sender.id {
		t.Errorf("%s got %s", sender.what, got.body)
	}
}

func becomes(role string) func(*testing.T, *office, *person, reply) {
	return func(t *testing.T, _ *office, sender *person, got reply) {
		var answer userAnswer
		got.json(t, &answer)
		if answer.Data.ID != sender.id || answer.Data.Role != role {
			t.Errorf("%s became %s, want %s", sender.what, got.body, role)
		}
	}
}

func staysAsItIs(t *testing.T, _ *office, sender *person, got reply) {
	var answer userAnswer
	got.json(t, &answer)
	if d := answer.Data; d.ID != sender.id || d.Role != sender.role || !d.IsActive || d.Name != sender.name ||
		d.Email != sender.email {
		t.Errorf("%s became %s", sender.what, got.body)
	}
}

// endsOwnSession checks that exactly one session has ended, the one that sent the request.
func endsOwnSession(t *testing.T, o *office, sender *person, got reply) {
	var answer struct{ Ended int }
	got.json(t, &answer)
	if after := o.way.send(t, sender, ask{
		method: "GET", path: "/api/users/" + sender.id,
	}); answer.Ended != 1 || after.status != http.StatusUnauthorized {
		t.Errorf("%s: %s, then %d", sender.what, got.body, after.status)
	}
}

// activityOfOnesOwn checks that the sender is deactivated if it is an admin, and is still active otherwise.
func activityOfOnesOwn(t *testing.T, _ *office, sender *person, got reply) {
	var answer userAnswer
	got.json(t, &answer)
	if answer.Data.IsActive == (sender.role == "admin") {
		t.Errorf("%s: %d %s", sender.what, http.StatusOK, got.body)
	}
}
