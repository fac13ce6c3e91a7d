package system

import (
	"net/http"
	"testing"
)

// deviceSituations are those of paired devices.
func deviceSituations() map[string]situation {
	body := object{"kind": "display", "name": "Waiting room"}
	return map[string]situation{
		"POST /api/devices": {ask: plain("POST", "/api/devices", body)},
		"PUT /api/devices/{id}": {ask: func(t *testing.T, o *office, _ *person) ask {
			id, _ := o.newScreen(t)
			return ask{method: "PUT", path: "/api/devices/" + id, body: object{"name": "Hall"}}
		}},
		"PUT /api/devices/{id} | unknown id": {ask: plain("PUT", "/api/devices/"+unknownRecord, object{"name": "Hall"})},
		"POST /api/devices/pair | valid code": {ask: func(t *testing.T, o *office, _ *person) ask {
			_, code := o.newScreen(t)
			return ask{method: "POST", path: "/api/devices/pair", body: object{"code": code}}
		}},
		"POST /api/devices/pair | wrong code": {ask: plain("POST", "/api/devices/pair", object{"code": "ZZZZ-ZZZZ"})},
		"POST /api/devices/seen": {
			ask: plain("POST", "/api/devices/seen", object{"voice": "on"}), own: ownDevice,
		},
	}
}

// newScreen creates a display that is not paired yet.
func (o *office) newScreen(t *testing.T) (id, code string) {
	t.Helper()
	var made struct {
		Device struct{ ID string }
		Code   string `json:"pairing_code"`
	}
	o.way.must(t, o.admin, http.MethodPost, "/api/devices", object{"kind": "display", "name": "Waiting room"}, &made)
	return made.Device.ID, made.Code
}

// screen pairs a display.
func (o *office) screen(t *testing.T) *person {
	t.Helper()
	id, code := o.newScreen(t)
	var paired struct{ Token string }
	o.way.must(t, nil, http.MethodPost, "/api/devices/pair", object{"code": code}, &paired)
	return &person{
		what: "display", id: id, email: "display@verify.example", password: password, role: "display", token: paired.Token,
	}
}

func ownDevice(t *testing.T, _ *office, sender *person, got reply) {
	var answer struct{ Device struct{ ID string } }
	if got.json(t, &answer); answer.Device.ID != sender.id {
		t.Errorf("%s got %s", sender.what, got.body)
	}
}
