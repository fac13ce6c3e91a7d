package bench

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"baari.dev/tools/measure/machine"
)

// ResultsFile is the file with the table of last results, relative to the root of the repository.
const ResultsFile = "tools/measure/load/README.md"

// The lines before and after the table's rows.
const (
	resultsBegin = "|---|---|---|---|---|"
	resultsEnd   = "<!-- end of results -->"
)

// Record replaces the row of a benchmark in the table of last results.
func (r *Report) Record(ctx context.Context, root, name string) error {
	file := filepath.Join(root, ResultsFile)
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	cells := []string{
		"`" + name + "`", r.Summary(), r.At.Format("2 Jan 2006"), machine.Describe() + ", load " + machine.Load(),
		"`" + machine.Commit(ctx, root, ResultsFile) + "`",
	}
	written, err := withRow(string(text), "| "+strings.Join(cells, " | ")+" |")
	if err != nil {
		return fmt.Errorf("%s: %w", ResultsFile, err)
	}
	return os.WriteFile(file, []byte(written), 0o600) //nolint:gosec // the file exists and keeps its mode
}

// withRow replaces the row with the same first cell and sorts the rows.
func withRow(text, row string) (string, error) {
	before, rest, found := strings.Cut(text, resultsBegin+"\n")
	table, after, ended := strings.Cut(rest, resultsEnd)
	if !found || !ended {
		return "", fmt.Errorf("the table of results is not between %q and %q", resultsBegin, resultsEnd)
	}
	name := strings.SplitAfterN(row, "|", 3)[1]
	rows := slices.DeleteFunc(strings.Split(strings.TrimSpace(table), "\n"), func(other string) bool {
		return other == "" || strings.HasPrefix(other, "|"+name)
	})
	rows = append(rows, row)
	slices.Sort(rows)
	return before + resultsBegin + "\n" + strings.Join(rows, "\n") + "\n\n" + resultsEnd + after, nil
}
