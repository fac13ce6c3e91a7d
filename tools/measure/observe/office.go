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
	"baari.dev/tools/sample/staff"
	"baari.dev/tools/stack"
)

// Office is the demo staff of a running system at work.
type Office struct {
	*staff.Staff
	base string
}

// callLimit is the timeout of a call. Only a fault makes a call take longer.
const callLimit = 10 * time.Second

// OpenOffice signs the staff in and waits until a visit can be completed.
func OpenOffice(ctx context.Context, system *stack.Stack) (*Office, error) {
	people, err := staff.SignIn(ctx, system.URL(), system.Accounts(), &http.Client{Timeout: callLimit})
	if err != nil {
		return nil, err
	}
	o := &Office{people, system.URL()}
	return o, stack.Await(ctx, 30*time.Second, o.Visit)
}

// Create registers a visitor.
func (o *Office) Create(ctx context.Context) (id string, err error) {
	visit, err := o.Register(ctx, o.Visitor())
	return visit.ID, err
}

// Visit takes one visitor from the token to the end of the session.
func (o *Office) Visit(ctx context.Context) error {
	id, err := o.Create(ctx)
	if err != nil {
		return err
	}
	return o.Complete(ctx, id)
}

// rejected makes a call that must be rejected with a status.
func rejected(ctx context.Context, who *client.Client, status int, method, path string, body any) error {
	err := who.Call(ctx, method, path, body, nil)
	var rejection *client.Rejected
	if errors.As(err, &rejection) && rejection.Status == status {
		return nil
	}
	return fmt.Errorf("%s %s is not rejected with %d: %w", method, path, status,
		errors.Join(err, errors.New("the status is another")))
}

// Mishaps makes the mistakes of an ordinary day: a second decision, a forbidden call, a wrong password.
func (o *Office) Mishaps(ctx context.Context) error {
	id, err := o.Create(ctx)
	if err != nil {
		return err
	}
	if err := o.Change(ctx, "pa", id, "denied"); err != nil {
		return err
	}
	return errors.Join(
		rejected(ctx, o.Users["pa"], http.StatusConflict, http.MethodPut, "/api/visits/"+id+"/status",
			map[string]string{"status": "approved", "assigned_consultant_id": o.Consultant}),
		o.Denied(ctx), o.WrongPassword(ctx),
	)
}

// Denied calls a route that is forbidden to consultants.
func (o *Office) Denied(ctx context.Context) error {
	return rejected(ctx, o.Users["consultant"], http.StatusForbidden, http.MethodPost, "/api/visits", map[string]string{})
}

// WrongPassword signs in with a wrong password.
func (o *Office) WrongPassword(ctx context.Context) error {
	return rejected(ctx, &client.Client{Base: o.base}, http.StatusUnauthorized, http.MethodPost, "/api/auth/sign-in/email",
		map[string]string{"email": "nobody@baari.example", "password": "not-the-password"})
}

// Desk is a paired desk that has recorded one visitor without network.
type Desk struct {
	client.Client
	visit       map[string]any
	series, day string
}

// PairDesk pairs a desk that the admin uses, and gets its lease of days.
func (o *Office) PairDesk(ctx context.Context) (*Desk, error) {
	var made struct {
		Code string `json:"pairing_code"`
	}
	named := map[string]string{"kind": "desk", "name": "Front desk"}
	if err := o.Users["admin"].Call(ctx, http.MethodPost, "/api/devices", named, &made); err != nil {
		return nil, err
	}
	var paired struct{ Token string }
	code := map[string]string{"code": made.Code}
	if err := (&client.Client{Base: o.base}).Call(ctx, http.MethodPost, "/api/devices/pair", code, &paired); err != nil {
		return nil, err
	}
	desk := &Desk{Client: *o.Users["admin"], visit: map[string]any{
		"number": 1, "service_name": "ITR Filing", "arrived_at": time.Now().UTC().Format(time.RFC3339),
	}}
	desk.Device = paired.Token
	for field, value := range o.Visitor() {
		desk.visit[field] = value
	}
	var leased struct {
		Device struct{ Series string }
		Days   []struct{ Day string }
	}
	err := desk.lease(ctx, 0, &leased)
	if err != nil {
		return nil, err
	}
	desk.series, desk.day = leased.Device.Series, leased.Days[0].Day
	desk.visit["made_by"], err = desk.ID(ctx)
	return desk, err
}

// Contact reports to the server how many unsent visits the desk has.
func (d *Desk) Contact(ctx context.Context, unsent int) error { return d.lease(ctx, unsent, nil) }

func (d *Desk) lease(ctx context.Context, unsent int, answer any) error {
	return d.Call(ctx, http.MethodPost, "/api/visits/offline/lease", map[string]int{"unsent": unsent}, answer)
}

// Send sends the visit with a key. With a second key, it looks as if two computers had given out the same token.
func (d *Desk) Send(ctx context.Context, key string) error {
	d.visit["key"] = key + "-of-" + d.series
	body := map[string]any{"series": d.series, "day": d.day, "visits": []any{d.visit}}
	return d.Call(ctx, http.MethodPost, "/api/visits/offline", body, nil)
}

// CopyDisk sends the first token of one desk from two computers.
func (o *Office) CopyDisk(ctx context.Context) error {
	desk, err := o.PairDesk(ctx)
	if err != nil {
		return err
	}
	if err := desk.Send(ctx, "original"); err != nil {
		return err
	}
	return desk.Send(ctx, "the-copy")
}

// Export downloads the visits of the last 40 days.
func (o *Office) Export(ctx context.Context) error {
	now := time.Now().UTC()
	first, last := now.AddDate(0, 0, -40).Format(time.DateOnly), now.AddDate(0, 0, 1).Format(time.DateOnly)
	address := o.base + "/api/analytics/export?" + url.Values{"start_date": {first}, "end_date": {last}}.Encode()
	admin, err := o.Users["admin"].Again(ctx)
	if err != nil {
		return err
	}
	return stack.Get(ctx, address, admin.Token(), io.Discard)
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

// Watch keeps a live stream of the PA open until ctx ends. A fault may end the stream, which is then opened again.
func (o *Office) Watch(ctx context.Context) {
	id, err := o.Users["pa"].ID(ctx)
	for err == nil && ctx.Err() == nil {
		_ = stack.Get(ctx, o.base+"/api/stream?role=pa&user_id="+id, o.Users["pa"].Token(), io.Discard)
		_ = stack.Pause(ctx, time.Second)
	}
}

// Day repeats visits, mishaps, exports, reports and what a desk sends until ctx ends. It returns an error if one fails.
func (o *Office) Day(ctx context.Context) error {
	desk, err := o.PairDesk(ctx)
	if err != nil {
		return err
	}
	send := func(ctx context.Context) error { return desk.Send(ctx, "original") }
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error { o.Watch(ctx); return nil })
	group.Go(func() error {
		for ctx.Err() == nil {
			for _, happens := range []func(context.Context) error{o.Visit, o.Mishaps, o.Export, o.Report, send} {
				if err := happens(ctx); err != nil && ctx.Err() == nil {
					return err
				}
				_ = stack.Pause(ctx, 200*time.Millisecond)
			}
		}
		return nil
	})
	return group.Wait()
}
