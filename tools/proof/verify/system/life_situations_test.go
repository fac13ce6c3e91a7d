package system

import (
	"encoding/json"
	"maps"
	"net/http"
	"testing"
)

// lifeSituations returns the situations of the line, of desks, and of actions on visits such as hold and undo.
func lifeSituations() map[string]situation {
	all := map[string]situation{
		"PUT /api/visits/{id}/status | approved for the line": {ask: func(t *testing.T, o *office, _ *person) ask {
			return ask{
				method: "PUT", path: "/api/visits/" + o.visit(t, "new", nil).ID + "/status",
				body: object{"status": "approved", "line": true},
			}
		}},
		"POST /api/visits/next": {ask: func(t *testing.T, o *office, sender *person) ask {
			owner := o.ownerFor(sender, false)
			o.reach(t, "line", owner)
			o.endSessions(t, owner)
			return ask{method: "POST", path: "/api/visits/next", body: callBody(sender, owner)}
		}, own: ownVisit},
		"POST /api/visits/batch | approve": severalOf("approve", "new", object{"line": true}),
		"POST /api/visits/batch | hold":    severalOf("hold", "waiting", object{"reason": "papers"}),
		"POST /api/visits/batch | leave":   severalOf("leave", "waiting", object{}),
		"POST /api/visits/batch | cancel":  severalOf("cancel", "new", object{}),
		"POST /api/visits/batch | resume":  severalOf("resume", "held", object{}),
		"POST /api/visits/batch | undo":    severalOf("undo", "waiting", object{}),
		"GET /api/visits/line": {ask: func(t *testing.T, o *office, _ *person) ask {
			o.reach(t, "line", nil)
			o.reach(t, "held", o.consultant)
			return ask{method: "GET", path: "/api/visits/line"}
		}, own: ownLine},
		"PUT /api/visits/desks/{id} | the caller's desk": {ask: func(_ *testing.T, o *office, sender *person) ask {
			return ask{
				method: "PUT", path: "/api/visits/desks/" + o.ownerFor(sender, false).id, body: object{"state": "open"},
			}
		}},
		"PUT /api/visits/desks/{id} | another's desk": {ask: func(_ *testing.T, o *office, _ *person) ask {
			return ask{method: "PUT", path: "/api/visits/desks/" + o.consultant.id, body: object{"state": "open"}}
		}},
		"POST /api/visits/{id}/hold | a waiting visit": changing("hold", "waiting", false, hold),
		"POST /api/visits/{id}/pin": changing("pin", "line", false, func(o *office, _, _ *person) object {
			return object{"consultant_id": o.consultant.id}
		}),
		"POST /api/visits/{id}/class": changing("class", "new", false, func(*office, *person, *person) object {
			return object{"class": "priority"}
		}),
		"POST /api/visits/{id}/move": {ask: func(t *testing.T, o *office, _ *person) ask {
			before, v := o.reach(t, "line", nil), o.reach(t, "line", nil)
			body := object{"before": before.ID, "reason": "The papers are ready", "force": true}
			return ask{method: "POST", path: "/api/visits/" + v.ID + "/move", body: body}
		}},
		"POST /api/visits/{id}/reopen | left":   changing("reopen", "left", false, nothing),
		"POST /api/visits/{id}/reopen | denied": changing("reopen", "denied", false, nothing),

		"POST /api/visits/{id}/call | a visit of the caller's line":      changing("call", "line", false, named),
		"POST /api/visits/{id}/call | a visit that waits for another":    changing("call", "waiting", true, named),
		"POST /api/visits/{id}/start | a visit of the caller's line":     changing("start", "line", false, named),
		"POST /api/visits/{id}/start | a visit that waits for another":   changing("start", "waiting", true, named),
		"POST /api/visits/{id}/hold | the caller's called visit":         changing("hold", "called", false, hold),
		"POST /api/visits/{id}/hold | another's called visit":            changing("hold", "called", true, hold),
		"POST /api/visits/{id}/reopen | completed of the caller's visit": changing("reopen", "completed", false, nothing),
		"POST /api/visits/{id}/reopen | completed of another's visit":    changing("reopen", "completed", true, nothing),
		"POST /api/visits/{id}/cancel | created by the caller today":     registered("cancel", false, object{}),
		"POST /api/visits/{id}/cancel | created by another":              registered("cancel", true, object{}),
		"POST /api/visits/{id}/correct | created by the caller today":    registered("correct", false, rename()),
		"POST /api/visits/{id}/correct | created by another":             registered("correct", true, rename()),
		"POST /api/visits/{id}/undo | the caller's last change":          {ask: lastChange(false)},
		"POST /api/visits/{id}/undo | another's last change":             {ask: lastChange(true)},
	}
	for action, from := range map[string]struct {
		stage string
		body  func(*office, *person, *person) object
	}{
		"call": {"waiting", named}, "recall": {"called", nothing}, "miss": {"called", nothing}, "back": {"missed", nothing},
		"resume": {"held", nothing}, "leave": {"waiting", nothing}, "release": {"called", nothing},
		"transfer": {"called", func(o *office, _, _ *person) object { return object{"service_id": o.serviceID} }},
	} {
		all["POST /api/visits/{id}/"+action+" | the caller's visit"] = changing(action, from.stage, false, from.body)
		if action != "call" {
			all["POST /api/visits/{id}/"+action+" | another's visit"] = changing(action, from.stage, true, from.body)
		}
	}
	return all
}

func nothing(*office, *person, *person) object { return object{} }

func rename() object { return object{"name": "Asha Rao"} }

func hold(*office, *person, *person) object { return object{"reason": "papers"} }

func named(_ *office, sender, owner *person) object { return callBody(sender, owner) }

// callBody returns the body of a request to call a visitor. All callers except a consultant must name the consultant.
func callBody(sender, owner *person) object {
	if sender.what == "consultant" {
		return object{}
	}
	return object{"consultant_id": owner.id}
}

// ownerFor returns the sender if the sender is a consultant and ofOthers is not set, and otherwise o.consultant.
func (o *office) ownerFor(sender *person, ofOthers bool) *person {
	if sender.what == "consultant" && !ofOthers {
		return sender
	}
	return o.consultant
}

// changing returns a situation with a visit at a stage. A sender who is a consultant owns it unless ofOthers is set.
func changing(action, stage string, ofOthers bool, body func(*office, *person, *person) object) situation {
	return situation{ask: func(t *testing.T, o *office, sender *person) ask {
		owner := o.ownerFor(sender, ofOthers)
		o.endSessions(t, owner)
		v := o.reach(t, stage, owner)
		return ask{method: "POST", path: "/api/visits/" + v.ID + "/" + action, body: body(o, sender, owner)}
	}}
}

// severalOf returns a situation with a request that may change several visits at a stage, and here changes one.
func severalOf(action, stage string, body object) situation {
	return situation{ask: func(t *testing.T, o *office, sender *person) ask {
		owner := o.ownerFor(sender, false)
		o.endSessions(t, owner)
		v := o.reach(t, stage, owner)
		all := maps.Clone(body)
		all["action"], all["visits"] = action, []object{{"id": v.ID}}
		return ask{
			method: "POST", path: "/api/visits/batch", body: all, header: http.Header{"Idempotency-Key": {"batch-" + v.ID}},
		}
	}}
}

// registered returns a situation with a new visit. A sender from reception has registered it unless ofOthers is set.
func registered(action string, ofOthers bool, body object) situation {
	return situation{ask: func(t *testing.T, o *office, sender *person) ask {
		creator := o.admin
		if sender.what == "reception" && !ofOthers {
			creator = sender
		}
		var answer struct{ Visit visit }
		o.way.must(t, creator, http.MethodPost, "/api/visits", o.visitor(), &answer)
		return ask{method: "POST", path: "/api/visits/" + answer.Visit.ID + "/" + action, body: body}
	}}
}

// lastChange returns a request to undo a change. A sender who is reception, PA or consultant has made the change,
// unless ofOthers is set. Otherwise the office's admin has made it.
func lastChange(ofOthers bool) func(*testing.T, *office, *person) ask {
	return func(t *testing.T, o *office, sender *person) ask {
		v, by := o.reach(t, "waiting", o.ownerFor(sender, false)), o.admin
		if !ofOthers && (sender.what == "pa" || sender.what == "reception" || sender.what == "consultant") {
			by = sender
		}
		action, body := "leave", object{}
		o.way.must(t, by, http.MethodPost, "/api/visits/"+v.ID+"/"+action, body, nil)
		return ask{method: "POST", path: "/api/visits/" + v.ID + "/undo", body: object{}}
	}
}

// reach registers a visitor and brings the visit to a stage. At "line" the visitor waits for any consultant, at
// "waiting" for the owner. If the owner gets the visit, reach first ends the owner's session and open call.
func (o *office) reach(t *testing.T, stage string, owner *person) visit {
	t.Helper()
	switch stage {
	case "new", "completed":
		return o.visit(t, stage, owner)
	case "waiting":
		return o.visit(t, "approved", owner)
	}
	v := o.visit(t, "new", owner)
	switch stage {
	case "line", "denied":
		body := object{"status": "denied"}
		if stage == "line" {
			body = object{"status": "approved", "line": true}
		}
		o.way.must(t, o.admin, http.MethodPut, "/api/visits/"+v.ID+"/status", body, nil)
		return v
	case "left":
		o.change(t, v, "leave", object{})
		return v
	}
	v = o.visit(t, "approved", owner)
	o.change(t, v, "call", object{"consultant_id": owner.id})
	o.behind(t, "visits", `UPDATE visits SET called_at = called_at - interval '2 minutes' WHERE id = $1`, v.ID)
	switch stage {
	case "missed":
		o.change(t, v, "miss", object{})
	case "held":
		o.change(t, v, "hold", object{"reason": "papers"})
	}
	return v
}

func (o *office) change(t *testing.T, v visit, action string, body object) {
	t.Helper()
	o.way.must(t, o.admin, http.MethodPost, "/api/visits/"+v.ID+"/"+action, body, nil)
}

// ownLine checks that a consultant gets a line without names, and among the other visits only the consultant's own.
func ownLine(t *testing.T, _ *office, sender *person, got reply) {
	var answer struct {
		Line                   []map[string]json.RawMessage
		Held, Missed, LeftOver []visit
	}
	got.json(t, &answer)
	for _, place := range answer.Line {
		if place["name"] != nil {
			t.Errorf("%s received a name in the line: %s", sender.what, place["name"])
		}
	}
	for _, v := range append(append(answer.Held, answer.Missed...), answer.LeftOver...) {
		if v.AssignedConsultantID == nil || *v.AssignedConsultantID != sender.id {
			t.Errorf("%s received another consultant's visit: %s", sender.what, v.ID)
		}
	}
	if len(answer.Line) == 0 {
		t.Errorf("%s received an empty line", sender.what)
	}
}
