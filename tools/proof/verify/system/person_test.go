package system

import (
	"context"
	"fmt"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"baari.dev/services/platform/testkit"
	"baari.dev/tools/stack"
)

// person is a user, or a caller without an account.
type person struct {
	what            string // description in failure messages
	id, name, email string
	password        string
	role            string
	token, signed   string // session token, plain and with the signature that the cookie has
	since           time.Time
}

var (
	roles   = []string{"reception", "pa", "consultant", "admin"}
	counter atomic.Int64 // makes names and addresses unique
)

const password = "walnut-Teak-94-shore"

// signUp creates an account, as the register screen does.
func signUp(t *testing.T, w way) *person {
	t.Helper()
	n := counter.Add(1)
	p := &person{
		what: "new", name: fmt.Sprintf("Person %d", n), email: fmt.Sprintf("person%d@verify.example", n),
		password: password, role: "reception",
	}
	p.enter(t, w, "/api/auth/sign-up/email")
	return p
}

// enter signs up or in and stores the session.
func (p *person) enter(t *testing.T, w way, path string) {
	t.Helper()
	answer := w.send(t, nil, ask{
		method: http.MethodPost, path: path,
		body: map[string]any{"name": p.name, "email": p.email, "password": p.password},
	})
	var entered struct {
		Token string
		User  struct{ ID string }
	}
	answer.json(t, &entered)
	if answer.status != http.StatusOK || entered.Token == "" {
		t.Fatalf("%s: %d %s", path, answer.status, answer.body)
	}
	p.token, p.signed, p.id = entered.Token, answer.header.Get("Set-Auth-Token"), entered.User.ID
	p.since = time.Now()
}

// renewed returns p with a session that began less than five minutes ago. Requests that change roles or devices, and
// exports, require an administrator's session that began less than ten minutes ago.
func (p *person) renewed(t *testing.T, w way) *person {
	t.Helper()
	if time.Since(p.since) >= 5*time.Minute {
		p.enter(t, w, "/api/auth/sign-in/email")
	}
	return p
}

// again returns the same user with another session.
func (p *person) again(t *testing.T, w way) *person {
	t.Helper()
	other := *p
	other.enter(t, w, "/api/auth/sign-in/email")
	return &other
}

// office holds the users of the system under test, and the records they use.
type office struct {
	way    way
	admin  *person // activates the other users, and is not among the callers of any column
	shared map[string][]*person
	// The records that requests name in their paths and bodies.
	serviceID, serviceName string
	slots                  []string
	changing               string  // id of a service that no other test uses
	consultant             *person // consultant of the visits that do not belong to the caller
}

// newOffice returns an office with callers for every column.
func newOffice(t *testing.T, w way) *office {
	t.Helper()
	demo := w.system.Accounts()[0]
	o := &office{
		way: w, shared: map[string][]*person{},
		admin: &person{what: "first admin", name: demo.Name, email: demo.Email, password: demo.Password, role: "admin"},
	}
	o.admin.enter(t, w, "/api/auth/sign-in/email")
	for _, role := range roles {
		o.shared[role] = []*person{o.hire(t, role)}
		o.shared["inactive"] = append(o.shared["inactive"], o.dismiss(t, o.hire(t, role)))
	}
	o.shared["anonymous"] = o.nobodies(t)
	o.shared["display"] = []*person{o.screen(t)}
	o.consultant = o.hire(t, "consultant")
	o.learn(t)
	return o
}

// hire signs a user up, sets the role and activates the account.
func (o *office) hire(t *testing.T, role string) *person {
	t.Helper()
	p := signUp(t, o.way)
	by, first := p, role
	if role == "admin" {
		by = o.admin
	}
	o.way.must(t, by, http.MethodPut, "/api/users/"+p.id, map[string]any{"role": first}, nil)
	o.way.must(t, o.admin, http.MethodPut, "/api/users/"+p.id, map[string]any{"isActive": true}, nil)
	p.what, p.role = role, role
	return p
}

// dismiss deactivates the account; the session token is kept.
func (o *office) dismiss(t *testing.T, p *person) *person {
	t.Helper()
	o.way.must(t, o.admin, http.MethodPut, "/api/users/"+p.id, map[string]any{"isActive": false}, nil)
	p.what = "inactive " + p.role
	return p
}

// nobodies returns callers without a valid session: it is missing, expired or revoked, or its account is deleted.
func (o *office) nobodies(t *testing.T) []*person {
	t.Helper()
	expired, revoked, deleted := o.hire(t, "admin"), o.hire(t, "admin"), o.hire(t, "admin")
	expired.what, revoked.what, deleted.what = "expired", "revoked", "deleted"
	o.behind(t, "auth", `UPDATE sessions SET expires_at = now() - interval '1 second' WHERE user_id = $1`, expired.id)
	o.way.must(t, revoked, http.MethodPost, "/api/auth/revoke-sessions", map[string]any{}, nil)
	o.way.must(t, deleted, http.MethodPost, "/api/auth/delete-user", map[string]any{"password": password}, nil)
	stranger := &person{
		what: "unknown user", id: "unknownunknownunknownunknown0000", email: "unknown@verify.example", password: password,
	}
	return []*person{stranger, expired, revoked, deleted}
}

// learn looks up or creates the records that requests refer to.
func (o *office) learn(t *testing.T) {
	t.Helper()
	o.lookAround(t)
	o.serviceID, o.serviceName = o.addService(t)
	o.changing, _ = o.addService(t)
	testkit.Eventually(t, "directory has the consultants", func() bool {
		var list struct{ Consultants []struct{ ID string } }
		o.way.must(t, o.admin, http.MethodGet, "/api/users/consultants", nil, &list)
		known := map[string]bool{}
		for _, c := range list.Consultants {
			known[c.ID] = true
		}
		return known[o.consultant.id] && known[o.shared["consultant"][0].id]
	})
}

func (o *office) lookAround(t *testing.T) {
	t.Helper()
	var found struct {
		AppointmentSlots []string
		Services         []struct{ Name string }
	}
	o.way.must(t, nil, http.MethodGet, "/api/office", nil, &found)
	o.slots, o.serviceName = found.AppointmentSlots, found.Services[0].Name
}

func (o *office) addService(t *testing.T) (id, name string) {
	t.Helper()
	var made struct{ Service struct{ ID, Name string } }
	body := map[string]any{"name": fmt.Sprintf("Verified Service %d", counter.Add(1)), "est_minutes": 30}
	o.way.must(t, o.admin, http.MethodPost, "/api/services", body, &made)
	return made.Service.ID, made.Service.Name
}

// behind changes a service's database without the service's knowledge, for example to make a record older.
func (o *office) behind(t *testing.T, service, statement string, args ...any) {
	t.Helper()
	execute(t, o.way.system, service, statement, args...)
}

func execute(t *testing.T, system *stack.Stack, service, statement string, args ...any) {
	t.Helper()
	into(t, system.Roles(service).Owner, func(connection *pgx.Conn) error {
		_, err := connection.Exec(context.Background(), statement, args...)
		return err
	})
}

func into(t *testing.T, address string, do func(*pgx.Conn) error) {
	t.Helper()
	connection, err := pgx.Connect(context.Background(), address)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = connection.Close(context.Background()) }()
	if err := do(connection); err != nil {
		t.Fatal(err)
	}
}
