package system

import (
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
)

// lobbySituations returns the situations of lobby. Anyone who has the code of a visitor's page can open the page.
func lobbySituations() map[string]situation {
	all := map[string]situation{"GET /q/page.js": {ask: plain("GET", "/q/page.js", nil)}}
	maps.Copy(all, arrivalSituations())
	maps.Copy(all, appointmentPageSituations())
	for _, method := range []string{"GET", "POST"} {
		all[method+" /api/lobby/visits/{id}/link"] = situation{ask: func(t *testing.T, o *office, _ *person) ask {
			return ask{method: method, path: "/api/lobby/visits/" + o.visit(t, "new", o.consultant).ID + "/link"}
		}}
	}
	all["GET /q/notice"] = situation{ask: plain("GET", "/q/notice", nil)}
	for _, path := range []string{"/q/{code}", "/Q/{code}", "/q/{code}/state", "/q/{code}/data"} {
		all["GET "+path] = situation{ask: func(t *testing.T, o *office, _ *person) ask {
			return ask{method: "GET", path: strings.Replace(path, "{code}", o.codeOfPage(t), 1)}
		}}
	}
	for method, body := range map[string][]byte{"POST": []byte(subscription), "DELETE": nil} {
		all[method+" /q/{code}/push"] = situation{ask: func(t *testing.T, o *office, _ *person) ask {
			return ask{
				method: method, path: "/q/" + o.codeOfPage(t) + "/push", body: body, origin: o.way.system.URL(),
				header: http.Header{"Content-Type": {"application/json"}},
			}
		}}
	}
	for action, form := range map[string]string{
		"late": "minutes=10", "left": "", "here": "", "back": "", "lang": "lang=hi", "withdraw": "purpose=messages",
		"request": "kind=access&last4=2345",
	} {
		of := func(t *testing.T, o *office, origin string) ask {
			return ask{
				method: "POST", path: "/q/" + o.codeOfPage(t) + "/" + action, body: []byte(form), origin: origin,
				header: http.Header{"Content-Type": {"application/x-www-form-urlencoded"}},
			}
		}
		all["POST /q/{code}/"+action] = situation{ask: func(t *testing.T, o *office, _ *person) ask {
			return of(t, o, o.way.system.URL())
		}}
		if action == "late" || action == "withdraw" || action == "request" {
			all["POST /q/{code}/"+action+" | foreign Origin"] = situation{ask: func(t *testing.T, o *office, _ *person) ask {
				return of(t, o, foreign)
			}}
		}
	}
	return all
}

// subscription names a known push service. Its keys are a point of P-256 and a secret that belong to no browser.
const subscription = `{"endpoint":"https://fcm.googleapis.com/fcm/send/none","keys":{
"p256dh":"BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
"auth":"BTBZMqHH6r4Tts7J_aSIgg"}}`

func (o *office) codeOfPage(t *testing.T) string {
	t.Helper()
	var answer struct{ Link struct{ URL string } }
	path := "/api/lobby/visits/" + o.visit(t, "new", o.consultant).ID + "/link"
	o.way.must(t, o.admin, http.MethodGet, path, nil, &answer)
	address, err := url.Parse(answer.Link.URL)
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimPrefix(address.Path, "/Q/")
}

// phones makes each visitor's phone number different, because a phone can have only one open request for a token.
var phones atomic.Int64

// arrivalSituations returns the situations of requests for a token on the page /q/join, and of messages to visitors.
func arrivalSituations() map[string]situation {
	all := map[string]situation{
		"GET /api/lobby/messages": {ask: plain("GET", "/api/lobby/messages", nil)},
		"GET /q/key":              {ask: plain("GET", "/q/key", nil)},
		"GET /q/push-worker.js":   {ask: plain("GET", "/q/push-worker.js", nil)},
		"GET /q/join":             {ask: plain("GET", "/q/join?lang=en", nil)},
		"GET /Q/JOIN":             {ask: plain("GET", "/Q/JOIN", nil)},
		"GET /api/lobby/arrivals": {ask: plain("GET", "/api/lobby/arrivals", nil)},
		"POST /internal/arrivals/{id}/visit": {ask: plain(
			"POST", "/internal/arrivals/"+unknownRecord+"/visit", object{"name": "Asha"},
		)},
		"PUT /api/lobby/arrivals/{id}": {ask: func(t *testing.T, o *office, _ *person) ask {
			return ask{
				method: "PUT", path: "/api/lobby/arrivals/" + o.arrival(t), body: object{"state": "refused"},
			}
		}},
	}
	for row, origin := range map[string]string{"POST /q/join": "", "POST /q/join | foreign Origin": foreign} {
		all[row] = situation{ask: func(t *testing.T, o *office, _ *person) ask { return o.join(t, origin) }}
	}
	return all
}

// join returns a new visitor's request for a token. If origin is "", the request comes from the product's page.
func (o *office) join(t *testing.T, origin string) ask {
	t.Helper()
	var document struct{ Notice struct{ Version string } }
	o.way.must(t, o.admin, http.MethodGet, "/api/office", nil, &document)
	form := url.Values{
		"language": {"en"}, "name": {"Asha"}, "phone": {fmt.Sprintf("80%08d", phones.Add(1))},
		"service_id": {o.serviceID}, "notice_version": {document.Notice.Version},
	}
	if origin == "" {
		origin = o.way.system.URL()
	}
	return ask{
		method: "POST", path: "/q/join", body: []byte(form.Encode()), origin: origin,
		header: http.Header{"Content-Type": {"application/x-www-form-urlencoded"}},
	}
}

// arrival makes a request for a token and returns the id of a request that has not been answered.
func (o *office) arrival(t *testing.T) string {
	t.Helper()
	if got := o.way.send(t, nil, o.join(t, "")); got.status != http.StatusSeeOther {
		t.Fatalf("POST /q/join: %d %s", got.status, got.body)
	}
	var list struct{ Arrivals []struct{ ID string } }
	o.way.must(t, o.admin, http.MethodGet, "/api/lobby/arrivals", nil, &list)
	if len(list.Arrivals) == 0 {
		t.Fatal("no request waits")
	}
	return list.Arrivals[len(list.Arrivals)-1].ID
}
