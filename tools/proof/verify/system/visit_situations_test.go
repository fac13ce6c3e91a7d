package system

import (
	"net/http"
	"strings"
	"testing"
	"time"
)

func visitSituations() map[string]situation {
	status := func(body object) func(id string) ask {
		return func(id string) ask { return ask{method: "PUT", path: "/api/visits/" + id + "/status", body: body} }
	}
	start, finish := status(object{"status": "in-session"}), status(object{"status": "completed"})
	visitOf := func(state string, others bool, change func(string) ask) situation {
		return situation{ask: func(t *testing.T, o *office, sender *person) ask {
			owner := o.consultant
			if sender.what == "consultant" && !others {
				owner = sender
			}
			return change(o.visit(t, state, owner).ID)
		}, own: ownVisit}
	}
	all := map[string]situation{
		"GET /api/visits/today": {ask: func(t *testing.T, o *office, sender *person) ask {
			if sender.what == "consultant" {
				o.visit(t, "approved", sender)
			}
			o.visit(t, "approved", o.consultant)
			return ask{method: "GET", path: "/api/visits/today"}
		}, own: ownVisits},
		"GET /api/visits/pending-approval": {ask: plain("GET", "/api/visits/pending-approval", nil)},
		"POST /api/visits": {ask: func(_ *testing.T, o *office, _ *person) ask {
			return ask{method: "POST", path: "/api/visits", body: o.visitor()}
		}},
		"POST /api/visits/lookup": {ask: plain("POST", "/api/visits/lookup", object{"phone": "9845012345"})},

		"PUT /api/visits/{id}/status | approved": {ask: func(t *testing.T, o *office, _ *person) ask {
			return status(object{
				"status": "approved", "assigned_consultant_id": o.consultant.id, "pa_id": unknownUser,
			})(o.visit(t, "new", nil).ID)
		}},
		"PUT /api/visits/{id}/status | denied": {ask: func(t *testing.T, o *office, _ *person) ask {
			return status(object{"status": "denied"})(o.visit(t, "new", nil).ID)
		}},
		"PUT /api/visits/{id}/status | in-session of the caller's visit": visitOf("approved", false, start),
		"PUT /api/visits/{id}/status | in-session of another's visit":    visitOf("approved", true, start),
		"PUT /api/visits/{id}/status | completed of the caller's visit":  visitOf("in-session", false, finish),
		"PUT /api/visits/{id}/status | completed of another's visit":     visitOf("in-session", true, finish),
		"PUT /api/visits/{id}/status | new or an unknown status": {ask: func(t *testing.T, o *office, _ *person) ask {
			return status(object{"status": "new"})(o.visit(t, "new", nil).ID)
		}},
		"PUT /api/visits/{id}/status | approved and an unknown id": {ask: func(_ *testing.T, o *office, _ *person) ask {
			return status(object{"status": "approved", "assigned_consultant_id": o.consultant.id})(unknownRecord)
		}},
		"PUT /api/visits/{id}/status | in-session and an unknown id": {ask: plain(
			"PUT", "/api/visits/"+unknownRecord+"/status", object{"status": "in-session"},
		)},
	}
	for call, body := range map[string]any{
		"GET draft": nil, "PUT draft": object{"notes": "Asked for the forms"}, "GET earlier": nil,
		"GET documents": nil, "PUT documents": object{"documents": []object{{"label": "PAN card", "state": "brought"}}},
	} {
		method, part, _ := strings.Cut(call, " ")
		part = "/" + part
		of := func(id string) ask { return ask{method: method, path: "/api/visits/" + id + part, body: body} }
		key := method + " /api/visits/{id}" + part
		all[key+" | the caller's visit"] = situation{ask: visitOf("in-session", false, of).ask}
		all[key+" | another's visit"] = situation{ask: visitOf("in-session", true, of).ask}
		all[key+" | unknown id"] = situation{ask: asking(func(*person) ask { return of(unknownRecord) })}
	}
	for variant, others := range map[string]bool{"the caller's visit": false, "another's visit": true} {
		leave := visitOf("in-session", others, func(id string) ask {
			return ask{method: "POST", path: "/api/visits/" + id + "/acknowledgement"}
		})
		all["POST /api/visits/{id}/acknowledgement | "+variant] = situation{
			ask: func(t *testing.T, o *office, sender *person) ask {
				sent := leave.ask(t, o, sender)
				documents := object{"documents": []object{{"label": "Deed", "state": "left"}}}
				path := strings.TrimSuffix(sent.path, "acknowledgement") + "documents"
				o.way.must(t, o.admin, http.MethodPut, path, documents, nil)
				return sent
			},
		}
	}
	for method, body := range map[string]any{
		"GET": nil, "POST": object{"purpose": "messages", "means": "aloud", "given": true},
	} {
		of := func(id string) ask { return ask{method: method, path: "/api/visits/" + id + "/consents", body: body} }
		key := method + " /api/visits/{id}/consents"
		all[key] = situation{ask: func(t *testing.T, o *office, _ *person) ask { return of(o.visit(t, "new", nil).ID) }}
		all[key+" | unknown id"] = situation{ask: asking(func(*person) ask { return of(unknownRecord) })}
	}
	all["POST /api/visits/{id}/acknowledgement | unknown id"] = situation{
		ask: plain("POST", "/api/visits/"+unknownRecord+"/acknowledgement", nil),
	}
	return all
}

type visit struct {
	ID, Token, Status, Phone, Name, ReceptionNotes string
	AssignedConsultantID                           *string
	Version                                        int
	Queue                                          queue
}

type queue struct {
	Stage          string
	RankAt         time.Time
	Bypassed       int
	SessionSeconds int
}

func (o *office) visitor() object {
	return object{
		"name": "Asha Nair", "phone": "9845012345", "service_id": o.serviceID, "notes": "Brings papers",
		"reception_id": unknownUser,
	}
}

// visit registers a visitor and brings the visit to a status. Before an approval, it ends the owner's session and call.
func (o *office) visit(t *testing.T, state string, owner *person) visit {
	t.Helper()
	var answer struct{ Visit visit }
	o.way.must(t, o.admin, http.MethodPost, "/api/visits", o.visitor(), &answer)
	change := func(body object) {
		o.way.must(t, o.admin, http.MethodPut, "/api/visits/"+answer.Visit.ID+"/status", body, &answer)
	}
	if state != "new" {
		o.endSessions(t, owner)
		change(object{"status": "approved", "assigned_consultant_id": owner.id})
	}
	if state == "in-session" || state == "completed" {
		change(object{"status": "in-session"})
	}
	if state == "completed" {
		change(object{"status": "completed"})
	}
	return answer.Visit
}

// endSessions completes the consultant's running session, and ends the visit of a called visitor.
func (o *office) endSessions(t *testing.T, consultant *person) {
	t.Helper()
	type open struct{ ID, Stage string }
	var answer struct {
		Desks []struct {
			ConsultantID string
			Visit        *open
		}
	}
	for {
		o.way.must(t, o.admin, http.MethodGet, "/api/visits/desks", nil, &answer)
		var found *open
		for _, desk := range answer.Desks {
			if desk.ConsultantID == consultant.id {
				found = desk.Visit
			}
		}
		switch {
		case found == nil:
			return
		case found.Stage == "called":
			o.change(t, visit{ID: found.ID}, "leave", object{})
		default:
			o.way.must(t, o.admin, http.MethodPut, "/api/visits/"+found.ID+"/status", object{"status": "completed"}, nil)
		}
	}
}

func ownVisit(t *testing.T, _ *office, sender *person, got reply) {
	var answer struct{ Visit visit }
	got.json(t, &answer)
	if id := answer.Visit.AssignedConsultantID; id == nil || *id != sender.id {
		t.Errorf("%s changed %s", sender.what, got.body)
	}
}

func ownVisits(t *testing.T, _ *office, sender *person, got reply) {
	var list struct{ Visits []visit }
	got.json(t, &list)
	for _, v := range list.Visits {
		if v.AssignedConsultantID == nil || *v.AssignedConsultantID != sender.id {
			t.Errorf("%s received another consultant's visit: %s", sender.what, v.ID)
		}
	}
	if len(list.Visits) == 0 {
		t.Errorf("%s did not receive the own visit", sender.what)
	}
}
