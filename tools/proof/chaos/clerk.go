package chaos

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"baari.dev/tools/proof/checker"
)

// The robots' work on records other than visits. They create and change records of auth, directory and realtime, and
// send requests that are forbidden to their role. Values repeat, so that two events of one record may be equal.

// keep performs one task on a record other than a visit.
func (r *robot) keep(ctx context.Context, crew *crew) {
	switch {
	case r.role == "admin" && r.random.IntN(3) == 0:
		r.saveAccount(ctx, crew)
	case r.role == "admin" && r.random.IntN(2) == 0:
		r.saveOffice(ctx)
	case r.role == "admin":
		r.saveOffer(ctx, crew)
	case r.role == "reception" && r.random.IntN(3) > 0:
		r.arrange(ctx, crew)
	case r.role == "pa" && r.random.IntN(2) == 0:
		r.arrange(ctx, crew)
	case r.role == "consultant" || r.random.IntN(3) == 0:
		r.overstep(ctx, crew)
	default:
		r.notify(ctx)
	}
}

// saveOffer changes a consultant's specialization, or the description of a service.
func (r *robot) saveOffer(ctx context.Context, crew *crew) {
	if r.random.IntN(2) == 0 {
		value := pick(r, "Audits", "Advice")
		id := crew.consultants[r.random.IntN(len(crew.consultants))].id
		r.save(ctx, checker.Subject{Source: "directory", Entity: "consultant", ID: id}, value,
			http.MethodPut, "/api/consultants/"+id, map[string]any{"specialization": []string{value}})
		return
	}
	value, i := pick(r, "By appointment.", "Any time."), r.random.IntN(len(crew.services))
	body := map[string]any{"name": crew.serviceNames[i], "description": value, "est_minutes": 30}
	r.save(ctx, checker.Subject{Source: "directory", Entity: "service", ID: crew.services[i]}, value,
		http.MethodPut, "/api/services/"+crew.services[i], body)
}

// saveAccount renames a consultant.
func (r *robot) saveAccount(ctx context.Context, crew *crew) {
	person := crew.consultants[r.random.IntN(len(crew.consultants))]
	value := person.name + pick(r, " CA", " FCA")
	r.save(ctx, checker.Subject{Source: "auth", Entity: "user", ID: person.id}, value,
		http.MethodPut, "/api/users/"+person.id, map[string]any{"name": value})
}

// saveOffice changes the notice of the waiting room's boards. Several administrators change the same section, so some
// of them have an older version and are rejected.
func (r *robot) saveOffice(ctx context.Context) {
	_, got := r.ask(ctx, http.MethodGet, "/api/office/settings", nil)
	var stored settings
	if json.Unmarshal(got.Body, &stored) != nil || stored.Office.Sections["board"].Version == 0 {
		return // no answer, or one of the release before
	}
	value, section := pick(r, "Water is on the left.", "Water is on the right."), stored.Office.Sections["board"]
	section.Value["board"].(map[string]any)["notice"] = value
	r.save(ctx, checker.Subject{Source: "directory", Entity: "office", ID: "office"}, value,
		http.MethodPut, "/api/office/settings/board", map[string]any{"value": section.Value, "version": section.Version})
}

// notify sends a notification to all roles, or to one.
func (r *robot) notify(ctx context.Context) {
	value := pick(r, "The lift is out of order.", "The lift works again.")
	body := map[string]any{"message": value}
	if r.random.IntN(2) == 0 {
		body["target_roles"] = []string{staff[r.random.IntN(len(staff))].role}
	}
	subject := checker.Subject{Source: "realtime", Entity: "notification"}
	r.save(ctx, subject, value, http.MethodPost, "/api/stream/notify", body)
}

// overstep sends a request that is forbidden to the robot's role.
func (r *robot) overstep(ctx context.Context, crew *crew) {
	op := checker.Op{Kind: checker.Forbidden, Record: checker.Subject{Source: "audit", Entity: "access"}}
	method, path, body := http.MethodGet, "/api/analytics/audit", any(nil)
	if r.random.IntN(2) == 0 {
		op.Record.Source, method, path = "directory", http.MethodPut, "/api/services/"+crew.services[0]
		body = map[string]any{"name": crew.serviceNames[0], "description": "not mine", "est_minutes": 1}
	}
	r.request(ctx, op, method, path, body, nil)
}

// save changes a record, or creates one if the subject has no id. It retries unknown outcomes if that cannot create
// a second record. It returns the body of the answer, or nil.
func (r *robot) save(
	ctx context.Context, subject checker.Subject, value, method, path string, body any,
) (text []byte) {
	for range r.tries() {
		op, got := r.request(ctx, checker.Op{Kind: checker.Save, Record: subject, Value: value}, method, path, body, nil)
		text = got.Body
		if op.Outcome != checker.Unknown || subject.ID == "" || ctx.Err() != nil {
			break
		}
		r.later(ctx)
	}
	return text
}

// signIn signs the robot's account in again and returns another robot with the new session. If previous is not nil, the
// request has the cookies of that robot, and the sign-in replaces its session.
func (r *run) signIn(ctx context.Context, person *robot, name string, previous *robot) (*robot, error) {
	second := r.twin(person, name)
	op := checker.Op{Kind: checker.Save, Record: checker.Subject{Source: "auth", Entity: "session"}, Value: "signed in"}
	header := map[string]string{}
	if previous != nil {
		op.Replaces = checker.Subject{Source: "auth", Entity: "session", ID: previous.id}
		header["Cookie"], header["Origin"] = previous.cookies, previous.address()
	}
	body := map[string]string{"email": email(person.name), "password": password}
	op, got := second.request(ctx, op, http.MethodPost, "/api/auth/sign-in/email", body, header)
	var answered struct{ Token string }
	if op.Outcome != checker.OK {
		return nil, fmt.Errorf("%s could not sign in: status %d", person.name, op.Status)
	}
	if err := json.Unmarshal(got.Body, &answered); err != nil || answered.Token == "" {
		return nil, errors.Join(errors.New("the answer to a sign-in has no token"), err)
	}
	second.token, second.cookies = answered.Token, cookiesOf(got.Header)
	return second, nil
}

// cookiesOf returns the cookies that an answer sets, as a browser sends them.
func cookiesOf(header http.Header) string {
	var kept []string
	for _, cookie := range (&http.Response{Header: header}).Cookies() {
		if cookie.MaxAge >= 0 {
			kept = append(kept, cookie.Name+"="+cookie.Value)
		}
	}
	return strings.Join(kept, "; ")
}

// signOut ends the robot's session. It reports whether that was acknowledged.
func (r *robot) signOut(ctx context.Context) bool {
	session := checker.Subject{Source: "auth", Entity: "session", ID: r.id}
	op, _ := r.request(ctx, checker.Op{Kind: checker.Save, Record: session, Value: "signed out"},
		http.MethodPost, "/api/auth/sign-out", map[string]string{}, nil)
	return op.Outcome == checker.OK
}
