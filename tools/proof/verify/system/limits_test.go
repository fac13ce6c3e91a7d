package system

import (
	"net/http"
	"strings"
	"testing"
	"time"
)

// The test tries limits through the gateway: all calls within a limit, which are allowed, and one more. The limits of
// auth's other calls are tested in services/auth.
func TestEachLimitHoldsThroughTheGateway(t *testing.T) {
	system, err := limited()
	if err != nil {
		t.Fatal(err)
	}
	w := ways(system)[1]
	people := map[string]*person{}
	for _, account := range system.Accounts() {
		if people[account.Role] == nil {
			p := &person{what: account.Role, role: account.Role, email: account.Email, password: account.Password}
			p.enter(t, w, "/api/auth/sign-in/email")
			people[account.Role] = p
		}
	}
	front := &office{way: w, admin: people["admin"]}
	front.lookAround(t)

	for name, c := range map[string]struct {
		sender  *person
		ask     ask
		allowed int
	}{
		"notify":       {people["pa"], ask{method: "POST", path: "/api/stream/notify", body: object{"message": "Tea"}}, 6},
		"export":       {people["admin"], ask{method: "GET", path: "/api/analytics/export"}, 10},
		"appointments": {nil, ask{method: "POST", path: "/api/appointments", body: front.appointment()}, 5},
		"telemetry": {
			nil,
			ask{
				method: "POST", path: "/api/telemetry",
				body: object{"items": []object{{"kind": "vital", "name": "LCP", "value": 1}}},
			},
			10,
		},
		"sign-up": {
			nil,
			ask{
				method: "POST", path: "/api/auth/sign-up/email",
				body: object{"name": "A", "email": "a@verify.example", "password": "short"},
			},
			3,
		},
	} {
		t.Run(name, func(t *testing.T) {
			for range c.allowed {
				if got := w.send(t, c.sender, c.ask); got.status == http.StatusTooManyRequests {
					t.Fatalf("rejected within the limit: %s", got.body)
				}
			}
			// ASVS 2.3.2, 2.4.1
			mustBeLimited(t, w.send(t, c.sender, c.ask))
		})
	}
	t.Run("one person's calls", func(t *testing.T) { mustLimitAPerson(t, w, people["consultant"]) })
}

// mustLimitAPerson checks a person's limit over all services: a burst of forty requests, then twenty a second.
func mustLimitAPerson(t *testing.T, w way, p *person) {
	t.Helper()
	lists := []string{"/api/services", "/api/visits/today", "/api/analytics/dashboard", "/api/stream/notifications"}
	answers := make(chan reply, 240)
	started := time.Now()
	for n := range cap(answers) {
		list := ask{method: "GET", path: lists[n%len(lists)]}
		go func() {
			got, err := w.try(p, list)
			if err != nil {
				t.Error(err)
			}
			answers <- got
		}()
	}
	allowed := 0
	for range cap(answers) {
		if got := <-answers; got.status == http.StatusOK {
			allowed++
		} else {
			mustBeLimited(t, got)
		}
	}
	if most := 41 + int(20*time.Since(started).Seconds()); allowed < 40 || allowed > most {
		t.Errorf("%d of %d at once were answered, want the burst of 40 and at most %d", allowed, cap(answers), most)
	}
}

func mustBeLimited(t *testing.T, got reply) {
	t.Helper()
	if got.status != http.StatusTooManyRequests ||
		!strings.Contains(string(got.body), "Too many requests. Please try again later.") {
		t.Errorf("%d %s", got.status, got.body)
	}
	mustCarryHeaders(t, "limited", ask{method: "GET", path: "/api/limited"}, got)
}
