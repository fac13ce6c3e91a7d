package kube

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"time"

	"baari.dev/tools/sample/client"
	"baari.dev/tools/sample/staff"
	"baari.dev/tools/stack"
)

// office holds signed-in users of the installation, and the live streams of further users.
type office struct {
	*staff.Staff
	url     string
	http    *http.Client
	streams []*stream
	made    ids // acknowledged visits
}

// open signs the first administrator in, creates an account of each other role by the public API, and opens streams.
func (r *run) open(ctx context.Context) (*office, error) {
	o := &office{url: r.URL, http: r.through()}
	password, err := r.secret(ctx, release+"-secrets", "BOOTSTRAP_ADMIN_PASSWORD")
	if err != nil {
		return nil, err
	}
	users := map[string]*client.Client{"admin": {Base: r.URL, HTTP: o.http}}
	if err := users["admin"].SignIn(ctx, "admin@baari.example", password); err != nil {
		return nil, fmt.Errorf("sign in as the first administrator: %w", err)
	}
	for _, role := range []string{"reception", "pa", "consultant"} {
		person := &client.Client{Base: r.URL, HTTP: o.http}
		if _, err := person.Join(ctx, "Test "+role, role+"@test.example", rand.Text(), role, nil); err != nil {
			return nil, fmt.Errorf("sign up for %s: %w", role, err)
		}
		users[role] = person
	}
	if err := r.openStreams(ctx, o); err != nil {
		return nil, err
	}
	if o.Staff, err = staff.Of(ctx, users); err != nil {
		return nil, err
	}
	return o, o.awaitConsultant(ctx)
}

// streamsOfOne is the number of streams that one account may have at a replica.
const streamsOfOne = 5

// openStreams opens streams of reception and of PAs, because these roles receive frames about every visit.
func (r *run) openStreams(ctx context.Context, o *office) error {
	viewers := max(2, (r.Streams+streamsOfOne-1)/streamsOfOne)
	for n := range viewers {
		role := []string{"reception", "pa"}[n%2]
		viewer := &client.Client{Base: r.URL, HTTP: o.http}
		id, err := viewer.Join(
			ctx, fmt.Sprintf("Viewer %d", n+1), fmt.Sprintf("viewer%d@test.example", n+1), rand.Text(), role, nil,
		)
		if err != nil {
			return fmt.Errorf("sign up for streams: %w", err)
		}
		for k := n; k < r.Streams; k += viewers {
			o.streams = append(o.streams, watch(ctx, o, viewer, role, id))
		}
	}
	return nil
}

// awaitConsultant waits until directory lists the new consultant.
func (o *office) awaitConsultant(ctx context.Context) error {
	return stack.Await(ctx, 10*time.Second, func(ctx context.Context) error {
		var known struct{ Consultants []struct{ ID string } }
		err := o.Users["pa"].Call(ctx, http.MethodGet, "/api/users/consultants", nil, &known)
		if err == nil && len(known.Consultants) == 0 {
			err = errors.New("no dashboard received the event of the new consultant")
		}
		return err
	})
}

// day takes one visit from registration to completion, and waits until every stream has received the visit.
func (o *office) day(ctx context.Context) error {
	id, err := o.visit(ctx)
	if err != nil {
		return err
	}
	if err := o.Complete(ctx, id); err != nil {
		return err
	}
	if missed := o.awaitStreams(ctx); missed > 0 {
		return errors.New("a stream did not receive it")
	}
	return nil
}

func (o *office) visit(ctx context.Context) (string, error) {
	visit, err := o.Register(ctx, o.Visitor())
	if err == nil {
		o.made.add(visit.ID)
	}
	return visit.ID, err
}

// through returns a client that connects to the ingress for the URL's host.
func (r *run) through() *http.Client {
	transport := &http.Transport{MaxIdleConnsPerHost: 64}
	if at, err := url.Parse(r.URL); err == nil && r.Ingress != "" {
		var dialer net.Dialer
		transport.DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
			if host, _, err := net.SplitHostPort(address); err == nil && host == at.Hostname() {
				address = r.Ingress
			}
			return dialer.DialContext(ctx, network, address)
		}
	}
	return &http.Client{Transport: transport}
}

func (o *office) close() {
	for _, s := range o.streams {
		s.end()
	}
	o.http.CloseIdleConnections()
}
