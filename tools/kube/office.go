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
)

// office holds the signed-in users of the installation and their streams.
type office struct {
	url                              string
	http                             *http.Client
	admin, reception, pa, consultant client.Client
	consultantID, service            string
	streams                          []*stream
	made                             ids // acknowledged visits
}

// open creates one account of each role through the public API, and opens streams.
func (r *run) open(ctx context.Context) (*office, error) {
	o := &office{url: r.URL, http: r.through()}
	password, err := r.secret(ctx, release+"-secrets", "BOOTSTRAP_ADMIN_PASSWORD")
	if err != nil {
		return nil, err
	}
	o.admin = client.Client{Base: r.URL, HTTP: o.http}
	if err := o.admin.SignIn(ctx, "admin@baari.example", password); err != nil {
		return nil, fmt.Errorf("sign in as the first administrator: %w", err)
	}
	for role, person := range map[string]*client.Client{
		"reception": &o.reception, "pa": &o.pa, "consultant": &o.consultant,
	} {
		*person = client.Client{Base: r.URL, HTTP: o.http}
		id, err := person.Join(ctx, "Test "+role, role+"@test.example", rand.Text(), role, nil)
		if err != nil {
			return nil, fmt.Errorf("sign up for %s: %w", role, err)
		}
		if role == "consultant" {
			o.consultantID = id
		}
		if role != "consultant" { // the roles that receive every new visit, or every change
			o.streams = append(o.streams, watch(ctx, o, person, role, id))
		}
	}
	var offered struct{ Services []struct{ ID string } }
	if err := o.reception.Call(ctx, http.MethodGet, "/api/services", nil, &offered); err != nil {
		return nil, err
	}
	if len(offered.Services) == 0 {
		return nil, errors.New("no services are offered")
	}
	o.service = offered.Services[0].ID
	return o, o.awaitConsultant(ctx)
}

// awaitConsultant waits until directory and visits have applied the event of the new consultant.
func (o *office) awaitConsultant(ctx context.Context) error {
	for range 50 {
		var known struct{ Consultants []struct{ ID string } }
		if err := o.pa.Call(ctx, http.MethodGet, "/api/users/consultants", nil, &known); err != nil {
			return err
		}
		if len(known.Consultants) > 0 {
			return nil
		}
		select {
		case <-time.After(200 * time.Millisecond):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return errors.New("no dashboard received the event of the new consultant")
}

// day takes one visit from registration to completion, each step by its role.
func (o *office) day(ctx context.Context) error {
	id, err := o.visit(ctx)
	if err != nil {
		return err
	}
	for _, change := range []struct {
		by   *client.Client
		body map[string]any
	}{
		{&o.pa, map[string]any{"status": "approved", "assigned_consultant_id": o.consultantID}},
		{&o.consultant, map[string]any{"status": "in-session"}},
		{&o.consultant, map[string]any{"status": "completed", "notes": "done"}},
	} {
		if err := change.by.Call(ctx, http.MethodPut, "/api/visits/"+id+"/status", change.body, nil); err != nil {
			return fmt.Errorf("to %s: %w", change.body["status"], err)
		}
	}
	if missed := o.awaitStreams(ctx); missed > 0 {
		return errors.New("a stream did not receive it")
	}
	return nil
}

// visit creates a visit and stores its id when it is acknowledged.
func (o *office) visit(ctx context.Context) (string, error) {
	var answer struct{ Visit struct{ ID string } }
	body := map[string]any{"name": "Test Visitor", "phone": "9876543210", "service_id": o.service}
	if err := o.reception.Call(ctx, http.MethodPost, "/api/visits", body, &answer); err != nil {
		return "", err
	}
	o.made.add(answer.Visit.ID)
	return answer.Visit.ID, nil
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
