package system

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"baari.dev/tools/proof/verify"
	"baari.dev/tools/stack"
)

// ruleRow describes how a test reaches a rate limit of the services: the call, the burst, and the time after which one
// more call is allowed. The limit counts the calls of the user in sender or, if that is empty, of the client's address.
type ruleRow struct {
	ask    ask
	burst  int
	refill time.Duration
	sender string // demo account
}

// ruleRows has a row, with a cheap call, for each limit.Rule of the services that ofServices does not list.
func ruleRows() map[string]ruleRow {
	post := func(path string, body object) ask { return ask{method: http.MethodPost, path: path, body: body} }
	get := func(path string) ask { return ask{method: http.MethodGet, path: path} }
	unknown := object{"email": "unknown@verify.example", "redirectTo": "/reset-password"}
	return map[string]ruleRow{
		"sign-in": {ask: post("/api/auth/sign-in/email", object{}), burst: 60, refill: time.Second},
		"sign-in-account": {ask: post("/api/auth/sign-in/email", object{
			"email": "", "password": "wrong password",
		}), burst: 3, refill: 10 * time.Second / 3},
		"sign-up": {ask: post("/api/auth/sign-up/email", object{
			"email": "a",
		}), burst: 3, refill: 10 * time.Second / 3},
		"mail":         {ask: post("/api/auth/request-password-reset", unknown), burst: 3, refill: 20 * time.Second},
		"mail-token":   {ask: post("/api/auth/reset-password", object{}), burst: 60, refill: time.Second},
		"appointments": {ask: post("/api/appointments", object{}), burst: 5, refill: 12 * time.Minute},
		"pair":         {ask: post("/api/devices/pair", object{}), burst: 5, refill: 12 * time.Second},
		"slots":        {ask: get("/api/appointments/slots"), burst: 60, refill: time.Second},
		"telemetry":    {ask: post("/api/telemetry", object{}), burst: 10, refill: 6 * time.Second},
		"secret": {
			ask: post("/api/auth/change-password", object{
				"currentPassword": "wrong password", "newPassword": "short", // rejected before a wrong guess is counted
			}),
			burst: 3, refill: 10 * time.Second / 3, sender: "consultant",
		},
		"auth":    {ask: get("/api/auth/list-accounts"), burst: 40, refill: time.Second / 20, sender: "consultant"},
		"product": {ask: get("/api/services"), burst: 40, refill: time.Second / 20, sender: "reception2"},
		"lookup": {
			ask: post("/api/visits/lookup", object{}), burst: 30, refill: 2 * time.Second, sender: "reception",
		},
		"notify": {ask: post("/api/stream/notify", object{
			"message": "Tea",
		}), burst: 6, refill: 10 * time.Second, sender: "pa"},
		"lobby_misses": {ask: get("/q/00000000000000000000"), burst: 30, refill: 20 * time.Second},
		"export":       {ask: get("/api/analytics/export"), burst: 10, refill: 6 * time.Minute, sender: "admin"},
	}
}

// ofServices are rules that count calls for a visit, a phone number, an e-mail address or the whole office, or that
// count only valid forms. The tests of their services cover them.
var ofServices = []string{
	"mail-target", "mail-total", "mail-waiting", "sign-up-total", "lobby_reads", "lobby_actions", "lobby_joins",
	"appointments-phone", "appointments-office", "appointment-mails", "appointment-mails-several", "calendar",
}

// family has two addresses of one client (the fields one and same) and an address of another client (the field other).
// %d is replaced by a number that differs for each test.
type family struct{ name, one, same, other string }

var families = []family{
	{"IPv4", "10.77.%d.1", "10.77.%d.1", "10.77.%d.2"},
	{"mapped IPv4", "10.78.%d.1", "::ffff:10.78.%d.1", "::ffff:10.78.%d.2"},
	{"a /64 of IPv6", "2001:db8:%d:2::a", "2001:db8:%d:2:ffff::b", "2001:db8:%d:3::a"},
	// Clients in the proxies' own network may write any addresses before the address that the proxy adds.
	{
		"written addresses",
		"198.51.100.1, 127.77.%d.1", "198.51.100.2, 127.77.%d.1", "198.51.100.1, 127.77.%d.2",
	},
}

// mustCountClients checks that each rate limit counts the calls of one client together, whichever of its addresses it
// uses, and those of another client separately. A limit on a user counts the user's calls from any address.
func mustCountClients(t *testing.T, through []way) {
	t.Helper()
	rows := ruleRows()
	rules, err := verify.ReadRules(root)
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{}
	for _, rule := range rules {
		known[rule.Name] = true
		if slices.Contains(ofServices, rule.Name) {
			continue
		}
		if row, ok := rows[rule.Name]; !ok || rule.PerAddress && row.sender != "" {
			t.Errorf("no row asks the rule %s as it counts", rule.Name)
		}
	}
	number := 0
	for name, row := range rows {
		if !known[name] {
			t.Errorf("the services have no rule %s", name)
		}
		for _, w := range through {
			if row.sender != "" && !w.direct { // Limits on a user are tested without a gateway.
				continue
			}
			for _, f := range families {
				number++
				t.Run(strings.Join([]string{name, w.name, f.name}, "/"), func(t *testing.T) { row.mustCount(t, w, f.at(number)) })
			}
		}
	}
}

func (f family) at(number int) family {
	fill := func(address string) string { return fmt.Sprintf(address, number) }
	return family{f.name, fill(f.one), fill(f.same), fill(f.other)}
}

func (r ruleRow) mustCount(t *testing.T, w way, f family) {
	t.Helper()
	var p *person
	addresses := []string{f.one, f.same}
	if body, ok := r.ask.body.(object); ok && body["email"] == "" { // another account in each test
		r.ask.body = object{"email": address(), "password": body["password"]}
	}
	if r.sender != "" {
		p = staff(t, w.system, r.sender)[0]
		addresses = append(addresses, f.other)
	}
	from := func(address string) reply {
		a := r.ask
		if w.direct {
			address += ", 127.0.0.1" // the gateway adds the address of its peer in the same way
		}
		a.header = http.Header{"X-Forwarded-For": {address}}
		got, err := w.try(p, a)
		if err != nil {
			t.Error(err)
		}
		return got
	}
	var allowed atomic.Int64
	var calling sync.WaitGroup
	// At most a third of the burst runs at once, because too many concurrent sign-ins to one account are rejected.
	started, asked, lanes := time.Now(), 2*r.burst+4, min(4, r.burst/3)
	for lane := range lanes {
		calling.Go(func() {
			for n := lane; n < asked; n += lanes {
				if from(addresses[n/lanes%len(addresses)]).status != http.StatusTooManyRequests {
					allowed.Add(1)
				}
			}
		})
	}
	calling.Wait()
	most := int64(r.burst) + int64(time.Since(started)/r.refill) + 1
	if n := allowed.Load(); n > most || p == nil && n < int64(r.burst) {
		t.Errorf("%d of %d calls from %v were allowed, want %d and at most %d", n, asked, addresses, r.burst, most)
	}
	if p == nil {
		if got := from(f.other); got.status == http.StatusTooManyRequests {
			t.Errorf("another client at %s is limited", f.other)
		}
	}
}

// staff returns demo accounts of a system with limits, signed in from addresses whose calls no test counts. names are
// the parts of the e-mail addresses before the @.
func staff(t *testing.T, system *stack.Stack, names ...string) []*person {
	t.Helper()
	var all []*person
	for _, name := range names {
		for _, account := range system.Accounts() {
			if strings.HasPrefix(account.Email, name+"@") {
				p := &person{what: name, role: account.Role, email: account.Email, password: account.Password}
				p.enterFrom(t, ways(system)[0], fmt.Sprintf("198.18.%d.1", counter.Add(1)%250))
				all = append(all, p)
			}
		}
	}
	if len(all) != len(names) {
		t.Fatalf("%d of the accounts %v", len(all), names)
	}
	return all
}

// enterFrom signs the person in, from an address that a proxy reports.
func (p *person) enterFrom(t *testing.T, w way, address string) {
	t.Helper()
	got := w.send(t, nil, ask{
		method: http.MethodPost, path: "/api/auth/sign-in/email", header: http.Header{"X-Forwarded-For": {address}},
		body: object{"email": p.email, "password": p.password},
	})
	var entered struct {
		Token string
		User  struct{ ID string }
	}
	if got.json(t, &entered); got.status != http.StatusOK {
		t.Fatalf("%s: %d %s", p.what, got.status, got.body)
	}
	p.token, p.id = entered.Token, entered.User.ID
}
