package system

import (
	"fmt"
	"net/http"
	"sync"
	"testing"
	"time"

	"baari.dev/tools/stack"
)

func deviceSituations() map[string]situation {
	body := object{"kind": "display", "name": "Waiting room"}
	return map[string]situation{
		"POST /api/devices":                             {ask: plain("POST", "/api/devices", body)},
		"POST /api/devices | session older than 10 min": {caller: seasoned, ask: plain("POST", "/api/devices", body)},
		"PUT /api/devices/{id}":                         {ask: changesScreen(object{"name": "Hall"})},
		"PUT /api/devices/{id} | revoked":               {ask: changesScreen(object{"revoked": true})},
		"PUT /api/devices/{id} | revoked and a session older than 10 min": {
			caller: seasoned, ask: changesScreen(object{"revoked": true}),
		},
		"PUT /api/devices/{id} | unknown id": {ask: plain("PUT", "/api/devices/"+unknownRecord, object{"name": "Hall"})},
		"POST /api/devices/pair | valid code": {ask: func(t *testing.T, o *office, _ *person) ask {
			_, code := o.newScreen(t)
			return ask{method: "POST", path: "/api/devices/pair", body: object{"code": code}}
		}},
		"POST /api/devices/pair | wrong code": {ask: plain("POST", "/api/devices/pair", object{"code": "ZZZZ-ZZZZ"})},
		"POST /api/devices/seen": {
			ask: plain("POST", "/api/devices/seen", object{"voice": "on"}), own: ownDevice,
		},
		"POST /api/visits/offline/lease | paired desk":          {ask: offline("/lease", pairedDesk)},
		"POST /api/visits/offline/lease | no or a revoked desk": {ask: offline("/lease", noDesk)},
		"POST /api/visits/offline | paired desk":                {ask: offline("", pairedDesk)},
		"POST /api/visits/offline | no or a revoked desk":       {ask: offline("", noDesk)},
	}
}

// changesScreen returns a request that changes a display that is not paired yet.
func changesScreen(change object) func(*testing.T, *office, *person) ask {
	return func(t *testing.T, o *office, _ *person) ask {
		id, _ := o.newScreen(t)
		return ask{method: "PUT", path: "/api/devices/" + id, body: change}
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

// screen pairs a display and returns it as a caller.
func (o *office) screen(t *testing.T) *person {
	t.Helper()
	id, code := o.newScreen(t)
	var paired struct{ Token string }
	o.way.must(t, nil, http.MethodPost, "/api/devices/pair", object{"code": code}, &paired)
	return &person{
		what: "display", id: id, email: "display@verify.example", password: password, role: "display", token: paired.Token,
	}
}

// offline returns a request of a desk. The paired desk first leases numbers, so a sent visit has a new number and key.
func offline(path string, deskOf func(*testing.T, *office) string) func(*testing.T, *office, *person) ask {
	return func(t *testing.T, o *office, _ *person) ask {
		desk := pairedDesk(t, o)
		var leased struct {
			Device struct{ Series string }
			Days   []struct {
				Day  string
				Last int
			}
		}
		named := http.Header{deviceHeader: {desk}}
		o.way.send(t, o.admin, ask{
			method: http.MethodPost, path: "/api/visits/offline/lease", body: object{"unsent": 0}, header: named,
		}).json(t, &leased)
		body := object{"unsent": 0}
		if path == "" {
			number := leased.Days[0].Last + 1
			noted := o.visitor()
			noted["number"], noted["key"] = number, fmt.Sprintf("key-of-the-matrix-%d", number)
			noted["made_by"], noted["service_name"] = o.admin.id, "ITR Filing"
			noted["arrived_at"] = time.Now().UTC().Format(time.RFC3339)
			body = object{"series": leased.Device.Series, "day": leased.Days[0].Day, "visits": []object{noted}}
		}
		return ask{
			method: http.MethodPost, path: "/api/visits/offline" + path, body: body,
			header: http.Header{deviceHeader: {deskOf(t, o)}},
		}
	}
}

func noDesk(*testing.T, *office) string { return "device-unknown" }

const deviceHeader = "Baari-Device"

// pairedDesk returns the token of the system's desk. Tests share one desk, because a system has only eight series.
func pairedDesk(t *testing.T, o *office) string {
	t.Helper()
	desks.Lock()
	defer desks.Unlock()
	if desks.tokens[o.way.system] == "" {
		var made struct {
			Code string `json:"pairing_code"`
		}
		var paired struct{ Token string }
		o.way.must(t, o.admin, http.MethodPost, "/api/devices", object{"kind": "desk", "name": "Front desk"}, &made)
		o.way.must(t, nil, http.MethodPost, "/api/devices/pair", object{"code": made.Code}, &paired)
		desks.tokens[o.way.system] = paired.Token
	}
	return desks.tokens[o.way.system]
}

var desks = struct {
	sync.Mutex
	tokens map[*stack.Stack]string
}{tokens: map[*stack.Stack]string{}}

func ownDevice(t *testing.T, _ *office, sender *person, got reply) {
	var answer struct{ Device struct{ ID string } }
	if got.json(t, &answer); answer.Device.ID != sender.id {
		t.Errorf("%s got %s", sender.what, got.body)
	}
}
