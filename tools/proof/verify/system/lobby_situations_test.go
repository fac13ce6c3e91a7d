package system

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// lobbySituations are those of visitors' pages: the code of a page opens it for everybody.
func lobbySituations() map[string]situation {
	all := map[string]situation{"GET /q/page.js": {ask: plain("GET", "/q/page.js", nil)}}
	for _, method := range []string{"GET", "POST"} {
		all[method+" /api/lobby/visits/{id}/link"] = situation{ask: func(t *testing.T, o *office, _ *person) ask {
			return ask{method: method, path: "/api/lobby/visits/" + o.visit(t, "new", o.consultant).ID + "/link"}
		}}
	}
	for _, path := range []string{"/q/{code}", "/Q/{code}", "/q/{code}/state"} {
		all["GET "+path] = situation{ask: func(t *testing.T, o *office, _ *person) ask {
			return ask{method: "GET", path: strings.Replace(path, "{code}", o.codeOfPage(t), 1)}
		}}
	}
	for action, form := range map[string]string{"late": "minutes=10", "left": "", "here": "", "lang": "lang=hi"} {
		of := func(t *testing.T, o *office, origin string) ask {
			return ask{
				method: "POST", path: "/q/" + o.codeOfPage(t) + "/" + action, body: []byte(form), origin: origin,
				header: http.Header{"Content-Type": {"application/x-www-form-urlencoded"}},
			}
		}
		all["POST /q/{code}/"+action] = situation{ask: func(t *testing.T, o *office, _ *person) ask {
			return of(t, o, o.way.system.URL())
		}}
		if action == "late" {
			all["POST /q/{code}/late | foreign Origin"] = situation{ask: func(t *testing.T, o *office, _ *person) ask {
				return of(t, o, foreign)
			}}
		}
	}
	return all
}

// codeOfPage returns the code of a new visit's page.
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
