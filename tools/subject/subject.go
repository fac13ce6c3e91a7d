// Package subject handles the requests of a person whose data the office stores: export and erasure.
package subject

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"time"

	"baari.dev/tools/sample/client"
)

// Operator is the caller that the audit trail records.
const Operator = "operator"

// Office is the internal addresses of the services that know visitors.
type Office struct {
	Visits, Directory, Realtime, Audit client.Service
}

// New makes an office of addresses by service name, and the installation's SERVICE_SECRET.
func New(addresses map[string]string, secret string) Office {
	service := func(name string) client.Service {
		return client.Service{Base: addresses[name], Audience: name, Caller: Operator, Secret: secret}
	}
	return Office{Visits: service("visits"), Directory: service("directory"), Realtime: service("realtime"), Audit: service("audit")}
}

// Record is something that is stored, with its fields as they are.
type Record = map[string]any

// Data is everything that the services hold of one person.
type Data struct {
	Visits        []Record
	Access        []Record // readers of the visits and requests
	Appointments  []Record
	Notifications []Record // messages of staff that name the person
	Records       []Record // of the audit trail
}

// ErrPhone rejects an invalid phone number.
var ErrPhone = errors.New("a phone number has ten digits")

var tenDigits = regexp.MustCompile(`^[0-9]{10}$`)

type byPhone struct {
	Phone string   `json:"phone"`
	Names []string `json:"names,omitempty"`
}

const (
	exportPath = "/internal/subject/export"
	erasePath  = "/internal/subject/erase"
)

// Export collects the stored data of the person with the phone number. It returns ErrPhone, or the first service's
// failure.
func (o Office) Export(ctx context.Context, phone string) (Data, error) {
	var data Data
	if !tenDigits.MatchString(phone) {
		return data, ErrPhone
	}
	person := byPhone{Phone: phone}
	if err := ask(ctx, o.Visits, exportPath, person, &data); err != nil {
		return data, err
	}
	var requests Data
	if err := ask(ctx, o.Directory, exportPath, person, &requests); err != nil {
		return data, err
	}
	data.Appointments, data.Access = requests.Appointments, slices.Concat(data.Access, requests.Access)
	person.Names = data.names()
	if err := ask(ctx, o.Realtime, exportPath, person, &data); err != nil {
		return data, err
	}
	var err error
	data.Records, err = o.records(ctx, data.ids())
	return data, err
}

func ask(ctx context.Context, service client.Service, path string, body, into any) error {
	if err := service.Call(ctx, path, body, into); err != nil {
		return fmt.Errorf("ask %s: %w", service.Audience, err)
	}
	return nil
}

// idsAtOnce is as many as one request to the audit trail takes.
const idsAtOnce = 1000

// records are the audit records about the subjects, without erased values.
func (o Office) records(ctx context.Context, ids []string) (all []Record, err error) {
	for some := range slices.Chunk(ids, idsAtOnce) {
		var answer struct{ Records []Record }
		if err := ask(ctx, o.Audit, exportPath, map[string][]string{"ids": some}, &answer); err != nil {
			return nil, err
		}
		all = append(all, answer.Records...)
	}
	return all, nil
}

func (d Data) names() (names []string) {
	for _, record := range slices.Concat(d.Visits, d.Appointments) {
		if name, ok := record["name"].(string); ok && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

func (d Data) ids() (ids []string) {
	for _, record := range slices.Concat(d.Visits, d.Appointments, d.Notifications) {
		if id, ok := record["id"].(string); ok {
			ids = append(ids, id)
		}
	}
	return ids
}

// Report counts the erased rows.
type Report struct{ Visits, Appointments, Notifications int }

// traceLimit is how long the audit trail may take to follow.
const traceLimit = time.Minute

// Erase erases the person with the phone number from every service and waits until the audit trail has followed. Asked
// again it finds nothing to do; after a failure it goes on where it stopped, because the names, by which messages are
// found, go last.
func (o Office) Erase(ctx context.Context, phone string) (Report, error) {
	data, err := o.Export(ctx, phone)
	if err != nil {
		return Report{}, err
	}
	person := byPhone{Phone: phone, Names: data.names()}
	var report Report
	for _, step := range []struct {
		service client.Service
		body    byPhone
		count   *int
	}{
		{o.Realtime, person, &report.Notifications},
		{o.Directory, byPhone{Phone: phone}, &report.Appointments},
		{o.Visits, byPhone{Phone: phone}, &report.Visits},
	} {
		var answer struct{ Erased []json.RawMessage }
		if err := ask(ctx, step.service, erasePath, step.body, &answer); err != nil {
			return report, err
		}
		*step.count = len(answer.Erased)
	}
	return report, o.awaitTrail(ctx, data.ids())
}

// ErrTrail means that the audit trail has not followed yet. It will, without further action.
var ErrTrail = errors.New("the services have erased the person; the audit trail has not followed yet and does so as soon as it reaches them")

func (o Office) awaitTrail(ctx context.Context, ids []string) error {
	ctx, cancel := context.WithTimeout(ctx, traceLimit)
	defer cancel()
	for {
		left, err := o.records(ctx, ids)
		if err == nil && len(left) == 0 {
			return nil
		}
		select {
		case <-ctx.Done():
			return errors.Join(ErrTrail, err)
		case <-time.After(200 * time.Millisecond):
		}
	}
}
