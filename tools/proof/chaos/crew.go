package chaos

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"
	"golang.org/x/time/rate"

	"baari.dev/tools/sample/client"
)

// staff is the number of working robots per role.
var staff = []struct {
	role   string
	robots int
}{{"reception", 6}, {"pa", 4}, {"consultant", 8}, {"admin", 2}}

// crew is the data that robots need for their work.
type crew struct {
	names        []string
	services     []string // ids
	serviceNames []string
	robots       []*robot
	consultants  []*robot
	admin        *client.Client
	zone         *time.Location
	registered   atomic.Int64 // visitors of the day
	desks        []*paired    // desks of reception, which can work without the server
	displays     []*robot     // the screens of the waiting room
	spare        *robot       // not in robots or consultants: a consultant whose account is deactivated and activated
}

const (
	password         = "chaos-is-a-ladder-7"
	consultantsLimit = 5 * time.Minute // limit for directory and visits to know every consultant
)

// open creates the robots' accounts and waits until every consultant can be assigned.
func (r *run) open(ctx context.Context) (*crew, error) {
	c := &crew{
		names: []string{
			"Asha Patil", "Ravi Kumar", "மீனா ராஜ்", "Fatima Sheikh", "João D'Souza", "देवेंद्र",
		},
	}
	account := r.system.Accounts()[0]
	c.admin = &client.Client{Base: r.base}
	if err := c.admin.SignIn(ctx, account.Email, account.Password); err != nil {
		return nil, fmt.Errorf("sign in as the administrator: %w", err)
	}
	if err := r.hire(ctx, c); err != nil {
		return nil, err
	}
	if err := r.learnZone(ctx, c); err != nil {
		return nil, fmt.Errorf("the office's time zone: %w", err)
	}
	c.zone = r.zone
	var answer struct{ Services []struct{ ID, Name string } }
	if err := c.admin.Call(ctx, http.MethodGet, "/api/services", nil, &answer); err != nil {
		return nil, fmt.Errorf("list the services: %w", err)
	}
	for _, service := range answer.Services {
		c.services, c.serviceNames = append(c.services, service.ID), append(c.serviceNames, service.Name)
	}
	err := errors.Join(r.awaitConsultants(ctx, c), r.pairDesks(ctx, c), r.pairBoards(ctx, c), r.setOffice(ctx, c))
	if err != nil {
		return nil, err
	}
	r.crew, r.desks = c, c.desks
	return c, r.assignServices(ctx, c)
}

// assignServices assigns half of the services to every fourth consultant, and waits until visits has applied this.
func (r *run) assignServices(ctx context.Context, c *crew) error {
	half := c.services[:(len(c.services)+1)/2]
	limited := 0
	for i, person := range c.consultants {
		if i%4 != 3 {
			continue
		}
		limited++
		body := map[string]any{"specialization": []string{"Notices"}, "serves": half}
		if err := c.admin.Call(ctx, http.MethodPut, "/api/consultants/"+person.id, body, nil); err != nil {
			return fmt.Errorf("the services of %s: %w", person.name, err)
		}
	}
	if !poll(ctx, consultantsLimit, 100*time.Millisecond, func() bool {
		var answer struct{ Desks []struct{ Serves []string } }
		err := c.admin.Call(ctx, http.MethodGet, "/api/visits/desks", nil, &answer)
		known := 0
		for _, desk := range answer.Desks {
			if len(desk.Serves) > 0 {
				known++
			}
		}
		return err == nil && known == limited
	}) {
		return errors.Join(errors.New("visits does not know what the consultants serve"), ctx.Err())
	}
	return nil
}

// work runs the robots until stop is called. stop waits for their last requests.
func (c *crew) work(ctx context.Context) (stop func()) {
	return concurrently(ctx, c.robots, func(person *robot, ctx context.Context) { person.work(ctx, c) })
}

func (r *run) hire(ctx context.Context, c *crew) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(2) // most of the time is password hashing
	add := func(name, role string) *robot {
		person := r.robot(name, role)
		group.Go(func() error { return r.enlist(ctx, c, person) })
		return person
	}
	for _, team := range staff {
		for i := range team.robots {
			person := add(fmt.Sprintf("%s%d", team.role, i+1), team.role)
			c.robots = append(c.robots, person)
			if team.role == "consultant" {
				c.consultants = append(c.consultants, person)
			}
		}
	}
	c.spare = add("spare", "consultant")
	return group.Wait()
}

// enlist creates an account through the public API and gives it its role.
func (r *run) enlist(ctx context.Context, c *crew, person *robot) error {
	self := client.Client{Base: r.base}
	var by *client.Client
	if person.role == "admin" {
		by = c.admin
	}
	var err error
	if person.id, err = self.Join(ctx, person.name, email(person.name), password, person.role, by); err != nil {
		return fmt.Errorf("create the account of %s: %w", person.name, err)
	}
	person.token = self.Token()
	return nil
}

func email(name string) string { return name + "@chaos.example" }

// robot returns a robot without an account.
func (r *run) robot(name, role string) *robot {
	seed := r.random.Uint64()
	person := &robot{
		name: name, role: role, base: &atomic.Pointer[string]{}, history: r.history, pace: r.pace, turns: &r.turns,
		noRetry: r.options.NoRetry, http: r.http,
		random: rand.New(rand.NewPCG(seed, seed)),
	}
	person.move(r.base)
	return person
}

// twin returns a robot with another name and the same account and session.
func (r *run) twin(of *robot, name string) *robot {
	other := r.robot(name, of.role)
	other.id, other.token = of.id, of.token
	return other
}

func (r *run) awaitConsultants(ctx context.Context, c *crew) error {
	if !poll(ctx, consultantsLimit, 100*time.Millisecond, func() bool {
		var answer struct{ Consultants []struct{ ID string } }
		err := c.admin.Call(ctx, http.MethodGet, "/api/users/consultants", nil, &answer)
		return err == nil && len(answer.Consultants) > len(c.consultants) // the answer includes the spare consultant
	}) {
		return errors.Join(errors.New("the consultants do not appear in the directory"), ctx.Err())
	}
	return nil
}

// newHTTP returns a client that keeps connections open as a browser does, and enough of them for all robots.
func newHTTP() *http.Client {
	return &http.Client{Transport: &http.Transport{
		DialContext:         (&net.Dialer{Timeout: 5 * time.Second}).DialContext,
		MaxIdleConnsPerHost: 64,
		IdleConnTimeout:     30 * time.Second,
	}}
}

// newPace returns the limiter that all robots share, in requests a second.
func newPace(calls float64) *rate.Limiter { return rate.NewLimiter(rate.Limit(calls), 1) }
