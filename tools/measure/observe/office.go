package observe

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"

	"golang.org/x/sync/errgroup"

	"baari.dev/tools/sample/client"
	"baari.dev/tools/stack"
)

// Office is the demo staff of a running system at work.
type Office struct {
	base                             string
	admin, reception, pa, consultant *client.Client
	consultantID                     string
	service                          string // the offered service of the visitors
}

// callLimit is the longest normal call; longer ones are caused by a fault.
const callLimit = 10 * time.Second

// OpenOffice signs the staff in and waits until the consultant can be assigned.
func OpenOffice(ctx context.Context, system *stack.Stack) (*Office, error) {
	o := &Office{base: system.URL()}
	seats := map[string]**client.Client{
		"admin": &o.admin, "reception": &o.reception, "pa": &o.pa, "consultant": &o.consultant,
	}
	for _, account := range system.Accounts() {
		seat := seats[account.Role]
		if *seat != nil {
			continue
		}
		*seat = &client.Client{Base: o.base, HTTP: &http.Client{Timeout: callLimit}}
		if err := (*seat).SignIn(ctx, account.Email, account.Password); err != nil {
			return nil, fmt.Errorf("sign in as %s: %w", account.Role, err)
		}
	}
	var err error
	if o.consultantID, err = o.consultant.ID(ctx); err != nil {
		return nil, err
	}
	var offered struct{ Services []struct{ ID string } }
	if err := o.admin.Call(ctx, http.MethodGet, "/api/services", nil, &offered); err != nil {
		return nil, err
	}
	if len(offered.Services) == 0 {
		return nil, errors.New("the office offers nothing")
	}
	o.service = offered.Services[0].ID
	return o, until(ctx, 30*time.Second, "a visit goes through", o.Visit)
}

// until tries again until attempt succeeds.
func until(ctx context.Context, limit time.Duration, what string, attempt func(context.Context) error) error {
	deadline := time.Now().Add(limit)
	for {
		err := attempt(ctx)
		if err == nil || ctx.Err() != nil {
			return errors.Join(err, ctx.Err())
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("%s: not within %s: %w", what, limit, err)
		}
		sleep(ctx, time.Second)
	}
}

func sleep(ctx context.Context, lasting time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(lasting):
	}
}

// Create registers a visitor.
func (o *Office) Create(ctx context.Context) (id string, err error) {
	var answer struct{ Visit struct{ ID string } }
	body := map[string]string{"name": "Asha Patil", "phone": "9876543210", "service_id": o.service}
	err = o.reception.Call(ctx, http.MethodPost, "/api/visits", body, &answer)
	return answer.Visit.ID, err
}

// Visit takes one visitor from the token to the end of the session.
func (o *Office) Visit(ctx context.Context) error {
	id, err := o.Create(ctx)
	if err != nil {
		return err
	}
	for _, step := range []struct {
		who  *client.Client
		body map[string]string
	}{
		{o.pa, map[string]string{"status": "approved", "assigned_consultant_id": o.consultantID}},
		{o.consultant, map[string]string{"status": "in-session"}},
		{o.consultant, map[string]string{"status": "completed"}},
	} {
		if err := step.who.Call(ctx, http.MethodPut, "/api/visits/"+id+"/status", step.body, nil); err != nil {
			return fmt.Errorf("%s: %w", step.body["status"], err)
		}
	}
	return nil
}

// rejected makes a call that must be rejected with a status.
func rejected(ctx context.Context, who *client.Client, status int, method, path string, body any) error {
	err := who.Call(ctx, method, path, body, nil)
	var refusal *client.Rejected
	if errors.As(err, &refusal) && refusal.Status == status {
		return nil
	}
	return fmt.Errorf("%s %s is not rejected with %d: %w", method, path, status,
		errors.Join(err, errors.New("the status is another")))
}

// Mishaps are the errors of an ordinary day: a visit decided twice, a forbidden page, a wrong password, an expired
// session.
func (o *Office) Mishaps(ctx context.Context) error {
	id, err := o.Create(ctx)
	if err != nil {
		return err
	}
	deny := map[string]string{"status": "denied"}
	if err := o.pa.Call(ctx, http.MethodPut, "/api/visits/"+id+"/status", deny, nil); err != nil {
		return err
	}
	return errors.Join(
		rejected(ctx, o.pa, http.StatusConflict, http.MethodPut, "/api/visits/"+id+"/status",
			map[string]string{"status": "approved", "assigned_consultant_id": o.consultantID}),
		o.Denied(ctx), o.WrongPassword(ctx),
	)
}

// Denied calls a route that a consultant is denied.
func (o *Office) Denied(ctx context.Context) error {
	return rejected(ctx, o.consultant, http.StatusForbidden, http.MethodPost, "/api/visits", map[string]string{})
}

// WrongPassword signs in with a wrong password.
func (o *Office) WrongPassword(ctx context.Context) error {
	return rejected(ctx, &client.Client{Base: o.base}, http.StatusUnauthorized, http.MethodPost, "/api/auth/sign-in/email",
		map[string]string{"email": "nobody@baari.example", "password": "not-the-password"})
}

// Export downloads the visits of the last 40 days.
func (o *Office) Export(ctx context.Context) error {
	now := time.Now().UTC()
	first, last := now.AddDate(0, 0, -40).Format(time.DateOnly), now.AddDate(0, 0, 1).Format(time.DateOnly)
	address := o.base + "/api/analytics/export?" + url.Values{"start_date": {first}, "end_date": {last}}.Encode()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, http.NoBody)
	if err != nil {
		return err
	}
	request.Header.Set("Authorization", "Bearer "+o.admin.Token())
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer func() { _ = answer.Body.Close() }()
	if _, err := io.Copy(io.Discard, answer.Body); err != nil {
		return err
	}
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("the export is answered %s", answer.Status)
	}
	return nil
}

// Report sends a browser's measurements.
func (o *Office) Report(ctx context.Context) error {
	var items []map[string]any
	for name, value := range map[string]float64{"LCP": 900, "FCP": 500, "INP": 40, "TTFB": 80, "CLS": 0.01} {
		items = append(items, map[string]any{"kind": "vital", "name": name, "value": value, "screen": "/login"})
	}
	items = append(items,
		map[string]any{"kind": "shown", "name": "visits", "value": 120, "screen": "/dashboard/pa"},
		map[string]any{"kind": "reconnect", "name": "stream", "value": 1, "screen": "/dashboard/pa"})
	return (&client.Client{Base: o.base}).Call(ctx, http.MethodPost, "/api/telemetry", map[string]any{"items": items}, nil)
}

// Watch keeps a live stream of the PA open until ctx ends.
func (o *Office) Watch(ctx context.Context) {
	id, err := o.pa.ID(ctx)
	for err == nil && ctx.Err() == nil {
		err = o.follow(ctx, id)
		sleep(ctx, time.Second)
	}
}

func (o *Office) follow(ctx context.Context, id string) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, o.base+"/api/stream?role=pa&user_id="+id, http.NoBody)
	if err != nil {
		return err
	}
	request.Header.Set("Authorization", "Bearer "+o.pa.Token())
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil // the fault's doing: the next attempt may find it healed
	}
	defer func() { _ = answer.Body.Close() }()
	_, _ = io.Copy(io.Discard, answer.Body)
	return nil
}

// Day repeats all of it until ctx ends, and returns the calls that should have succeeded and did not.
func (o *Office) Day(ctx context.Context) error {
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error { o.Watch(ctx); return nil })
	group.Go(func() error {
		for ctx.Err() == nil {
			for _, happens := range []func(context.Context) error{o.Visit, o.Mishaps, o.Export, o.Report} {
				if err := happens(ctx); err != nil && ctx.Err() == nil {
					return err
				}
				sleep(ctx, 200*time.Millisecond)
			}
		}
		return nil
	})
	return group.Wait()
}
