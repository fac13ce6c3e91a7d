package verify

import (
	"encoding/csv"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strconv"
)

// Columns are the callers of the matrix, in the order of its columns.
var Columns = []string{"anonymous", "reception", "pa", "consultant", "admin", "inactive", "display"}

// Row is one line of services/docs/matrix.csv: a request, its variant, and the expected answer for each caller.
type Row struct {
	Method, Path, Variant string
	Cells                 map[string]Cell // keyed by column
}

// Key returns method and path, followed by the variant if there is one.
func (r Row) Key() string {
	if r.Variant == "" {
		return r.Method + " " + r.Path
	}
	return r.Method + " " + r.Path + " | " + r.Variant
}

// Cell is the answer that a caller must get to the request of a row; services/docs/matrix.md explains the words.
type Cell string

// The words that a cell may contain. Any other cell is an HTTP status.
const (
	Allow      Cell = "allow"
	Own        Cell = "own"
	Unrouted   Cell = "unrouted"
	Impossible Cell = "-"
)

// Judge returns an error unless the status is what the cell expects for a valid request.
func (c Cell) Judge(status int) error {
	if c.agrees(status) {
		return nil
	}
	return fmt.Errorf("answered %d, want %s", status, c)
}

func (c Cell) agrees(status int) bool {
	switch c {
	case Allow, Own:
		return status >= 200 && status < 300 || status == http.StatusFound || status == http.StatusSeeOther
	case Unrouted:
		return status == http.StatusNotFound
	case Impossible:
		return false
	}
	return string(c) == strconv.Itoa(status)
}

// Flipped returns an expectation that contradicts c: no answer agrees with both.
func (c Cell) Flipped() Cell {
	if c == Allow || c == Own {
		return "403"
	}
	return Allow
}

func (c Cell) check() error {
	if slices.Contains([]Cell{Allow, Own, Unrouted, Impossible}, c) {
		return nil
	}
	if status, err := strconv.Atoi(string(c)); err != nil || status < 400 || status > 499 {
		return fmt.Errorf("%q is not an expectation", c)
	}
	return nil
}

// ReadMatrix reads matrix.csv. It returns an error for an unknown header, an empty or unknown cell, or a duplicate row.
func ReadMatrix(path string) ([]Row, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	lines, err := csv.NewReader(file).ReadAll()
	if err != nil {
		return nil, err
	}
	if want := slices.Concat([]string{"method", "route", "variant"}, Columns, []string{
		"rule",
	}); len(lines) == 0 || !slices.Equal(lines[0], want) {
		return nil, fmt.Errorf("%s: the columns must be %v", path, want)
	}
	var rows []Row
	seen := map[string]bool{}
	for i, line := range lines[1:] {
		row := Row{Method: line[0], Path: line[1], Variant: line[2], Cells: map[string]Cell{}}
		for j, column := range Columns {
			row.Cells[column] = Cell(line[3+j])
			if err := row.Cells[column].check(); err != nil {
				return nil, fmt.Errorf("%s:%d: %s: %w", path, i+2, column, err)
			}
		}
		if seen[row.Key()] {
			return nil, fmt.Errorf("%s:%d: %s comes twice", path, i+2, row.Key())
		}
		seen[row.Key()] = true
		rows = append(rows, row)
	}
	return rows, nil
}

// Differences lists each request that only the matrix or only the API documents have, except unrouted requests.
func Differences(rows []Row, calls []Call) []string {
	listed, served := map[string]bool{}, map[string]bool{}
	for _, row := range rows {
		listed[row.Method+" "+row.Path] = true
	}
	var differences []string
	for _, call := range calls {
		served[call.Method+" "+call.Path] = true
		if !listed[call.Method+" "+call.Path] {
			differences = append(differences, call.Method+" "+call.Path+" is served and has no row")
		}
	}
	for _, row := range rows {
		if key := row.Method + " " + row.Path; !served[key] && row.Cells["anonymous"] != Unrouted {
			differences = append(differences, key+" has a row and is not served")
		}
	}
	slices.Sort(differences)
	return slices.Compact(differences)
}
