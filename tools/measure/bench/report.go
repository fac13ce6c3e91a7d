package bench

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"
)

// Report is the result of a benchmark: tables of figures, and goals with the figures that are compared with them.
type Report struct {
	At     time.Time `json:"at"`
	Tables []*Table  `json:"tables"`
	Notes  []string  `json:"notes"` // printed below the tables
	Goals  []Goal    `json:"goals"`
	row    string    // beginning of the row in the table of last results; the goals follow
}

func newReport() *Report { return &Report{At: time.Now().UTC()} }

// Table has a name and a format for each column.
type Table struct {
	Columns []string `json:"columns"`
	Rows    [][]any  `json:"rows"`
	verbs   []string
}

// table adds a table. Each column is a name, a blank and the verb of package fmt that formats its values.
func (r *Report) table(columns ...string) *Table {
	t := &Table{}
	for _, column := range columns {
		at := strings.LastIndexByte(column, ' ')
		t.Columns, t.verbs = append(t.Columns, column[:max(at, 0)]), append(t.verbs, column[at+1:])
	}
	r.Tables = append(r.Tables, t)
	return t
}

// add appends a row. A nil value leaves its cell empty.
func (t *Table) add(values ...any) { t.Rows = append(t.Rows, values) }

func (r *Report) note(format string, values ...any) {
	r.Notes = append(r.Notes, fmt.Sprintf(format, values...))
}

// Goal is a figure with the values that it may have.
type Goal struct {
	Name   string  `json:"name"`
	Wanted string  `json:"wanted"`
	Got    float64 `json:"got"`
	Met    bool    `json:"met"`
}

// goal compares a figure with a wanted value: ">= 10", "<= 1.05", or a number that it must equal.
func (r *Report) goal(name, wanted string, got float64) {
	var limit float64
	var met bool
	operator, number, found := strings.Cut(wanted, " ")
	if !found {
		number = operator
	}
	if _, err := fmt.Sscan(number, &limit); err != nil {
		panic(err) // wanted is a constant
	}
	switch operator {
	case ">=":
		met = got >= limit
	case "<=":
		met = got <= limit
	default:
		met = got == limit
	}
	r.Goals = append(r.Goals, Goal{name, wanted, got, met})
}

// String describes the goal and whether it is met.
func (g Goal) String() string {
	word := map[bool]string{true: "met", false: "MISSED"}[g.Met]
	return fmt.Sprintf("%s: %.2f, wanted %s: %s", g.Name, g.Got, g.Wanted, word)
}

// Met reports whether every goal is met.
func (r *Report) Met() bool {
	return !slices.ContainsFunc(r.Goals, func(g Goal) bool { return !g.Met })
}

// Summary returns the report in one line, for the table of last results.
func (r *Report) Summary() string {
	parts := make([]string, 0, len(r.Goals)+1)
	if r.row != "" {
		parts = append(parts, r.row)
	}
	for _, goal := range r.Goals {
		parts = append(parts, goal.String())
	}
	return strings.Join(parts, "; ")
}

// Print writes tables, notes and goals.
func (r *Report) Print(out io.Writer) {
	for _, t := range r.Tables {
		aligned := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
		_, _ = fmt.Fprintln(aligned, strings.Join(t.Columns, "\t")+"\t")
		for _, row := range t.Rows {
			for i, value := range row {
				if value != nil {
					_, _ = fmt.Fprintf(aligned, t.verbs[i], value)
				}
				_, _ = fmt.Fprint(aligned, "\t")
			}
			_, _ = fmt.Fprintln(aligned)
		}
		_ = aligned.Flush()
		_, _ = fmt.Fprintln(out)
	}
	for _, note := range r.Notes {
		_, _ = fmt.Fprintln(out, note)
	}
	for _, goal := range r.Goals {
		_, _ = fmt.Fprintln(out, goal)
	}
}
