// Package breach reports whose personal data was disclosed in a period, and to which staff: what the office must report
// to the persons and to the Data Protection Board after a breach (DPDP Rules 2025, rule 7). Start reading at Ask.
package breach

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"baari.dev/services/contract"
	"baari.dev/services/operate"
	"baari.dev/services/operate/advice"
	"baari.dev/services/operate/subject"
	"baari.dev/services/platform/sheet"
	"baari.dev/services/platform/wire"
)

// Question selects the office's days From to To, inclusive. Phone restricts the report to one visitor; "": all.
type Question struct {
	From  string `json:"from"`
	To    string `json:"to"`
	Phone string `json:"phone,omitempty"`
}

// asked is a question with the user whom the access log records for it. If By is nil, the log records the operator.
type asked struct {
	Question
	By *operate.Staff `json:"by,omitempty"`
}

// check returns Advice that says how to correct the question.
func (q Question) check() error {
	from, wrongFrom := time.Parse(time.DateOnly, q.From)
	to, wrongTo := time.Parse(time.DateOnly, q.To)
	switch {
	case wrongFrom != nil:
		return advice.Advice(fmt.Sprintf("%q is no day: write the first day like 2026-11-20.", q.From))
	case wrongTo != nil:
		return advice.Advice(fmt.Sprintf("%q is no day: write the last day like 2026-11-20.", q.To))
	case to.Before(from):
		return advice.Advice(fmt.Sprintf("%s is before %s: give the first day before the last.", q.To, q.From))
	case q.Phone != "" && !wire.IsPhone(q.Phone):
		return subject.ErrPhone
	}
	return nil
}

// Reader counts one user's accesses of one kind: the visits or appointment requests that an API call returned.
type Reader struct {
	UserID   string    `json:"userId"`
	Call     string    `json:"call"`
	Visits   int       `json:"visits"`
	Requests int       `json:"requests"`
	First    time.Time `json:"first"`
	Last     time.Time `json:"last"`
}

// Taken counts one user's exports of the same days, or reads of the audit trail.
type Taken struct {
	UserID, Name, Email string
	Start, End          string // days of an export; "" for the trail
	Times, Rows         int
	First, Last         time.Time
}

// Person is a member of staff.
type Person struct{ ID, Name, Email, Role string }

// Report is the result without the persons concerned, who are written to a file.
type Report struct {
	Question
	Readers          []Reader
	Exports, Reads   []Taken
	People           map[string]Person
	Visitors         int  // persons whose visits were seen or exported
	Requesters       int  // persons whose appointment requests were seen
	Erased           bool // visits of erased persons were seen or exported
	exportedVisitors int
	rows             int // rows in the list of persons
}

// visitor is a row in the list of persons.
type visitor struct {
	Name, Phone, Email string
	Visits, Requests   int
	Readers            []string
	Exported           bool
}

// Ask queries the services and writes the persons concerned as CSV to the writer list. It returns Advice for an invalid
// question. If a service fails, it returns the error, and the CSV is incomplete.
func Ask(ctx context.Context, installation operate.Installation, q Question, list io.Writer) (Report, error) {
	report := Report{Question: q, People: map[string]Person{}}
	if err := q.check(); err != nil {
		return report, err
	}
	if err := installation.Call(ctx, contract.SourceAudit, path, q, &report); err != nil {
		return report, err
	}
	var requests struct {
		Readers  []Reader
		Affected []visitor
	}
	if err := installation.Call(ctx, contract.SourceDirectory, path, q, &requests); err != nil {
		return report, err
	}
	report.Readers = requests.Readers
	rows := &rows{Writer: sheet.NewWriter(list), report: &report, installation: installation}
	if err := rows.Write(columns...); err != nil {
		return report, err
	}
	if err := rows.visits(ctx, q); err != nil {
		return report, err
	}
	for _, one := range requests.Affected {
		if err := rows.add(ctx, one); err != nil {
			return report, err
		}
	}
	if err := rows.Flush(); err != nil {
		return report, err
	}
	return report, report.name(ctx, installation)
}

const path = "/internal/breach"

// maxIDs is the largest number of ids in one request to audit.
const maxIDs = 1000

func (r *Report) name(ctx context.Context, installation operate.Installation) error {
	var ids []string
	for _, reader := range r.Readers {
		if _, known := r.People[reader.UserID]; !known && !slices.Contains(ids, reader.UserID) {
			ids = append(ids, reader.UserID)
		}
	}
	for some := range slices.Chunk(ids, maxIDs) {
		var answer struct{ People []Person }
		err := installation.Call(ctx, contract.SourceAudit, "/internal/people", map[string][]string{"ids": some}, &answer)
		if err != nil {
			return err
		}
		for _, person := range answer.People {
			r.People[person.ID] = person
		}
	}
	return nil
}

var columns = []string{"Name", "Phone", "E-mail", "Visits", "Requests", "Seen by", "In an export"}

// rows writes the persons to the file and counts them in the report.
type rows struct {
	*sheet.Writer
	report       *Report
	installation operate.Installation
	named        bool
}

// visits reads the readers and then the visitors as a stream from the service visits, because a year has many visitors.
func (r *rows) visits(ctx context.Context, q Question) error {
	type days struct {
		Start string `json:"start"`
		End   string `json:"end"`
	}
	body := struct {
		asked
		Exported []days `json:"exported"`
	}{asked{q, r.installation.Staff}, []days{}}
	for _, export := range r.report.Exports {
		body.Exported = append(body.Exported, days{export.Start, export.End})
	}
	return r.installation.Lines(ctx, contract.SourceVisits, path, body, func(line json.RawMessage) error {
		var one struct {
			Reader  *Reader
			Visitor *visitor
		}
		if err := json.Unmarshal(line, &one); err != nil {
			return err
		}
		if one.Reader != nil {
			r.report.Readers = append(r.report.Readers, *one.Reader)
			return nil
		}
		return r.add(ctx, *one.Visitor)
	})
}

func (r *rows) add(ctx context.Context, one visitor) error {
	if !r.named { // all readers are known before the first person
		if err := r.report.name(ctx, r.installation); err != nil {
			return err
		}
		r.named = true
	}
	if one.Phone == "" { // erased since then: the person cannot be notified
		r.report.Erased = true
		return nil
	}
	r.report.rows++
	if one.Visits > 0 {
		r.report.Visitors++
	}
	if one.Requests > 0 {
		r.report.Requesters++
	}
	if one.Exported {
		r.report.exportedVisitors++
	}
	seen := make([]string, len(one.Readers))
	for i, id := range one.Readers {
		seen[i] = r.report.Who(id)
	}
	exported := "no"
	if one.Exported {
		exported = "yes"
	}
	return r.Write(one.Name, one.Phone, one.Email, strconv.Itoa(one.Visits), strconv.Itoa(one.Requests),
		strings.Join(seen, "; "), exported)
}
