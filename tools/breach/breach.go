// Package breach reports, after personal data has leaked, whose it is and who had it: what the office must report to the
// persons and the Data Protection Board (DPDP Rules 2025, rule 7).
package breach

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"baari.dev/tools/sample/client"
	"baari.dev/tools/subject"
)

// Question is the office's days From to To, inclusive, and, to narrow it to one visitor, a Phone.
type Question struct {
	From  string `json:"from"`
	To    string `json:"to"`
	Phone string `json:"phone,omitempty"`
}

var tenDigits = regexp.MustCompile(`^[0-9]{10}$`)

// check returns an error that describes what is wrong with the request.
func (q Question) check() error {
	from, err := time.Parse(time.DateOnly, q.From)
	if err != nil {
		return fmt.Errorf("the first day is written like 2026-11-20: %w", err)
	}
	to, err := time.Parse(time.DateOnly, q.To)
	switch {
	case err != nil:
		return fmt.Errorf("the last day is written like 2026-11-20: %w", err)
	case to.Before(from):
		return fmt.Errorf("%s is before %s", q.To, q.From)
	case q.Phone != "" && !tenDigits.MatchString(q.Phone):
		return subject.ErrPhone
	}
	return nil
}

// Reader is one person's access of one kind: visits or requests read, exports made, the trail read.
type Reader struct {
	UserID   string    `json:"userId"`
	Call     string    `json:"call"`
	Visits   int       `json:"visits"`
	Requests int       `json:"requests"`
	First    time.Time `json:"first"`
	Last     time.Time `json:"last"`
}

// Taken is the data in exports, or read from the trail.
type Taken struct {
	UserID, Name, Email string
	Start, End          string // days of an export
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
	Erased           bool // whether visits of erased persons are among them
	exportedVisitors int
}

// visitor is a person of the file.
type visitor struct {
	Name, Phone, Email string
	Visits, Requests   int
	Readers            []string
	Exported           bool
}

// Ask queries the services and writes the persons concerned to list, as CSV, one person per row.
func Ask(ctx context.Context, office subject.Office, q Question, list io.Writer) (Report, error) {
	report := Report{Question: q, People: map[string]Person{}}
	if err := q.check(); err != nil {
		return report, err
	}
	if err := call(ctx, office.Audit, q, &report); err != nil {
		return report, err
	}
	var requests struct {
		Readers  []Reader
		Affected []visitor
	}
	if err := call(ctx, office.Directory, q, &requests); err != nil {
		return report, err
	}
	report.Readers = requests.Readers
	rows := &rows{Writer: csv.NewWriter(list), report: &report, office: office}
	if err := rows.Write(columns); err != nil {
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
	rows.Flush()
	if err := rows.Error(); err != nil {
		return report, err
	}
	return report, report.name(ctx, office)
}

const path = "/internal/breach"

func call(ctx context.Context, service client.Service, q Question, into any) error {
	if err := service.Call(ctx, path, q, into); err != nil {
		return fmt.Errorf("ask %s: %w", service.Audience, err)
	}
	return nil
}

// name adds the names of the readers.
func (r *Report) name(ctx context.Context, office subject.Office) error {
	var ids []string
	for _, reader := range r.Readers {
		if _, known := r.People[reader.UserID]; !known && !slices.Contains(ids, reader.UserID) {
			ids = append(ids, reader.UserID)
		}
	}
	for some := range slices.Chunk(ids, 1000) {
		var answer struct{ People []Person }
		if err := office.Audit.Call(ctx, "/internal/people", map[string][]string{"ids": some}, &answer); err != nil {
			return fmt.Errorf("ask audit who they are: %w", err)
		}
		for _, person := range answer.People {
			r.People[person.ID] = person
		}
	}
	return nil
}

var columns = []string{"Name", "Phone", "E-mail", "Visits", "Requests", "Seen by", "In an export"}

// rows writes the file.
type rows struct {
	*csv.Writer
	report *Report
	office subject.Office
	named  bool
}

// visits requests the visitors, who follow their readers line by line: there may be very many.
func (r *rows) visits(ctx context.Context, q Question) error {
	type days struct {
		Start string `json:"start"`
		End   string `json:"end"`
	}
	body := struct {
		Question
		Exported []days `json:"exported"`
	}{q, []days{}}
	for _, export := range r.report.Exports {
		body.Exported = append(body.Exported, days{export.Start, export.End})
	}
	err := r.office.Visits.Lines(ctx, path, body, func(line json.RawMessage) error {
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
	if err != nil {
		return fmt.Errorf("ask visits: %w", err)
	}
	return nil
}

func (r *rows) add(ctx context.Context, one visitor) error {
	if !r.named { // all readers are known before the first person
		if err := r.report.name(ctx, r.office); err != nil {
			return err
		}
		r.named = true
	}
	if one.Phone == "" { // erased: there is no one to notify
		r.report.Erased = true
		return nil
	}
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
		seen[i] = r.report.who(id)
	}
	exported := "no"
	if one.Exported {
		exported = "yes"
	}
	return r.Write([]string{harmless(one.Name), one.Phone, harmless(one.Email), strconv.Itoa(one.Visits), strconv.Itoa(one.Requests),
		harmless(strings.Join(seen, "; ")), exported})
}

// who names a reader, or returns the id where the name is unknown.
func (r *Report) who(id string) string {
	if person, known := r.People[id]; known {
		return person.Name + " <" + person.Email + ">"
	}
	return id
}

// harmless keeps a spreadsheet from taking a text for a formula.
func harmless(text string) string {
	if text != "" && strings.ContainsAny(text[:1], "=+-@\t\r") {
		return "'" + text
	}
	return text
}
