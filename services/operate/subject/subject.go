// Package subject exports and erases what the services store about a person, by phone number. Start reading at Export.
package subject

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"baari.dev/services/contract"
	"baari.dev/services/operate"
	"baari.dev/services/operate/advice"
	"baari.dev/services/platform/wire"
)

// Record is a stored row with its fields.
type Record = map[string]any

// Data is everything that the services store about one person.
type Data struct {
	Visits        []Record
	Access        []Record // readers of the visits and appointment requests
	Appointments  []Record
	Arrivals      []Record // requests for a token that became no visit
	Notifications []Record // messages of staff that name the person
	Records       []Record // entries of the audit trail

	Documents        []Record // papers of the visits
	Acknowledgements []Record // receipts for papers
	Consents         []Record
	Requests         []Record // privacy requests
}

// Counts has the number of stored rows about a person, without their content.
type Counts struct {
	Visits        int `json:"visits"`
	Appointments  int `json:"appointments"`
	Arrivals      int `json:"arrivals"`
	Notifications int `json:"notifications"`
	Requests      int `json:"requests"`
	Records       int `json:"records"`
}

// Counts returns the Counts of the data.
func (d Data) Counts() Counts {
	return Counts{
		len(d.Visits), len(d.Appointments), len(d.Arrivals), len(d.Notifications), len(d.Requests), len(d.Records),
	}
}

// ErrPhone rejects an invalid phone number.
const ErrPhone advice.Advice = "The phone number is not valid: enter its ten digits, without a country code."

// byPhone identifies the person. Access logs record Call and By; if By is nil, they record the operator.
type byPhone struct {
	Phone string         `json:"phone"`
	Names []string       `json:"names,omitempty"`
	Call  string         `json:"call,omitempty"`
	By    *operate.Staff `json:"by,omitempty"`
}

const (
	exportPath = "/internal/subject/export"
	erasePath  = "/internal/subject/erase"
)

const (
	callExport = "subject_export"
	callFind   = "subject_find"
	callErase  = "subject_erase"
)

// Export collects the stored data of the person with the phone number. It returns ErrPhone or a service's error.
func Export(ctx context.Context, installation operate.Installation, phone string) (Data, error) {
	return collect(ctx, installation, phone, callExport)
}

// Find counts the stored data of the person with the phone number. Its errors are those of Export.
func Find(ctx context.Context, installation operate.Installation, phone string) (Counts, error) {
	data, err := collect(ctx, installation, phone, callFind)
	return data.Counts(), err
}

func collect(ctx context.Context, installation operate.Installation, number, call string) (Data, error) {
	var data Data
	if !wire.IsPhone(number) {
		return data, ErrPhone
	}
	person := byPhone{Phone: number, Call: call, By: installation.Staff}
	if err := installation.Call(ctx, contract.SourceVisits, exportPath, person, &data); err != nil {
		return data, err
	}
	var requests Data
	if err := installation.Call(ctx, contract.SourceDirectory, exportPath, person, &requests); err != nil {
		return data, err
	}
	data.Appointments, data.Access = requests.Appointments, slices.Concat(data.Access, requests.Access)
	if err := installation.Call(ctx, contract.SourceLobby, exportPath, person, &data); err != nil {
		return data, err
	}
	person.Names = data.names()
	if err := installation.Call(ctx, contract.SourceRealtime, exportPath, person, &data); err != nil {
		return data, err
	}
	var err error
	ids := slices.Concat(data.ids(), idsOf(data.Arrivals, data.Requests))
	data.Records, err = records(ctx, installation, ids, true)
	return data, err
}

// maxIDs is the largest number of ids in one request to audit.
const maxIDs = 1000

// records returns the audit records about the ids. An erasure keeps the records that have no data of the person; these
// records are returned only if all is set.
func records(
	ctx context.Context, installation operate.Installation, ids []string, all bool,
) (found []Record, err error) {
	for some := range slices.Chunk(ids, maxIDs) {
		var answer struct{ Records []Record }
		err := installation.Call(ctx, contract.SourceAudit, exportPath, map[string]any{"ids": some, "all": all}, &answer)
		if err != nil {
			return nil, err
		}
		found = append(found, answer.Records...)
	}
	return found, nil
}

func (d Data) names() (names []string) {
	for _, record := range slices.Concat(d.Visits, d.Appointments, d.Arrivals) {
		if name, ok := record["name"].(string); ok && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// ids returns the ids of the rows whose values an erasure removes from the audit trail.
func (d Data) ids() []string { return idsOf(d.Visits, d.Appointments, d.Notifications) }

func idsOf(lists ...[]Record) (ids []string) {
	for _, record := range slices.Concat(lists...) {
		if id, ok := record["id"].(string); ok {
			ids = append(ids, id)
		}
	}
	return ids
}

// Report counts the erased rows.
type Report struct{ Visits, Appointments, Arrivals, Notifications int }

// Step is a service that erased the person, and how many rows it erased. Audit keeps its rows and removes only values.
type Step struct {
	Service string
	Erased  int
}

// Steps are the services in the order in which Erase calls them.
var Steps = []string{
	contract.SourceRealtime, contract.SourceDirectory, contract.SourceLobby, contract.SourceVisits, contract.SourceAudit,
}

const trailLimit = time.Minute

// Erase erases the person with the phone number from every service and waits until the audit trail has removed the
// values, at most a minute. It is safe to repeat after a failure: messages, which are found by the phone and the names
// in the other rows, are erased first. If done is not nil, Erase calls done after each service. It returns ErrPhone,
// ErrTrail, or the error of the first service that fails.
func Erase(ctx context.Context, installation operate.Installation, phone string, done func(Step)) (Report, error) {
	data, err := collect(ctx, installation, phone, callErase)
	if err != nil {
		return Report{}, err
	}
	if done == nil {
		done = func(Step) {}
	}
	var report Report
	for _, step := range []struct {
		service string
		body    byPhone
		count   *int
	}{
		{contract.SourceRealtime, byPhone{Phone: phone, Names: data.names()}, &report.Notifications},
		{contract.SourceDirectory, byPhone{Phone: phone}, &report.Appointments},
		{contract.SourceLobby, byPhone{Phone: phone}, &report.Arrivals},
		{contract.SourceVisits, byPhone{Phone: phone}, &report.Visits},
	} {
		var answer struct{ Erased []json.RawMessage }
		if err := installation.Call(ctx, step.service, erasePath, step.body, &answer); err != nil {
			return report, err
		}
		*step.count = len(answer.Erased)
		done(Step{step.service, *step.count})
	}
	if err := awaitTrail(ctx, installation, data.ids()); err != nil {
		return report, err
	}
	done(Step{Service: contract.SourceAudit})
	return report, nil
}

// ErrTrail means that the audit trail still holds values of the person.
const ErrTrail advice.Advice = "The services have erased the person, but the audit trail has not processed the" +
	" erasure yet: check that audit is running, and run the command again to see that it has."

func awaitTrail(ctx context.Context, installation operate.Installation, ids []string) error {
	ctx, cancel := context.WithTimeout(ctx, trailLimit)
	defer cancel()
	for {
		left, err := records(ctx, installation, ids, false)
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
