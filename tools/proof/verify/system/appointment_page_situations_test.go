package system

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// appointmentPageSituations has the situations of the page of an appointment, and of its link.
func appointmentPageSituations() map[string]situation {
	all := map[string]situation{}
	for _, method := range []string{"GET", "POST"} {
		all[method+" /api/lobby/appointments/{id}/link"] = situation{ask: func(t *testing.T, o *office, _ *person) ask {
			return ask{method: method, path: "/api/lobby" + strings.TrimPrefix(o.booked(t, o.admin), "/api") + "/link"}
		}}
	}
	for _, path := range []string{"/q/a/{code}", "/Q/A/{code}", "/q/a/{code}/appointment.ics"} {
		all["GET "+path] = situation{ask: func(t *testing.T, o *office, _ *person) ask {
			return ask{method: "GET", path: strings.Replace(path, "{code}", o.codeOfAppointment(t), 1)}
		}}
	}
	for action, form := range map[string]string{
		"move": "date=2026-11-20&time=11%3A00", "cancel": "", "quiet": "", "lang": "lang=hi",
	} {
		of := func(t *testing.T, o *office, origin string) ask {
			return ask{
				method: "POST", path: "/q/a/" + o.codeOfAppointment(t) + "/" + action, body: []byte(form), origin: origin,
				header: http.Header{"Content-Type": {"application/x-www-form-urlencoded"}},
			}
		}
		all["POST /q/a/{code}/"+action] = situation{ask: func(t *testing.T, o *office, _ *person) ask {
			return of(t, o, o.way.system.URL())
		}}
		if action == "move" {
			all["POST /q/a/{code}/move | foreign Origin"] = situation{ask: func(t *testing.T, o *office, _ *person) ask {
				return of(t, o, foreign)
			}}
		}
	}
	return all
}

// codeOfAppointment returns the code of the link of a new appointment.
func (o *office) codeOfAppointment(t *testing.T) string {
	t.Helper()
	var answer struct{ Link struct{ URL string } }
	path := "/api/lobby" + strings.TrimPrefix(o.booked(t, o.admin), "/api") + "/link"
	o.way.must(t, o.admin, http.MethodGet, path, nil, &answer)
	address, err := url.Parse(answer.Link.URL)
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimPrefix(address.Path, "/Q/A/")
}
