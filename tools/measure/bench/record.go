package bench

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"
)

// ResultsFile holds the table of last results, from the root of the repository.
const ResultsFile = "tools/measure/load/README.md"

// The lines before and after the table's rows.
const (
	resultsBegin = "|---|---|---|---|---|"
	resultsEnd   = "<!-- end of results -->"
)

// Record writes a benchmark's row into the table of last results, in place of the row it had.
func Record(ctx context.Context, root, name, summary string) error {
	file := filepath.Join(root, ResultsFile)
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	row := fmt.Sprintf("| `%s` | %s | %s | %s | %s |", name, summary, time.Now().UTC().Format("2 Jan 2006"), machine(), commit(ctx, root))
	written, err := withRow(string(text), row)
	if err != nil {
		return fmt.Errorf("%s: %w", ResultsFile, err)
	}
	return os.WriteFile(file, []byte(written), 0o600) //nolint:gosec // the path is ours; the file exists and keeps its mode
}

// withRow puts a row into the table, rows by name.
func withRow(text, row string) (string, error) {
	before, rest, found := strings.Cut(text, resultsBegin+"\n")
	table, after, ended := strings.Cut(rest, resultsEnd)
	if !found || !ended {
		return "", fmt.Errorf("the table of results is not between %q and %q", resultsBegin, resultsEnd)
	}
	name := nameOf(row)
	rows := slices.DeleteFunc(strings.Split(strings.TrimSpace(table), "\n"), func(other string) bool {
		return other == "" || nameOf(other) == name
	})
	rows = append(rows, row)
	slices.Sort(rows)
	return before + resultsBegin + "\n" + strings.Join(rows, "\n") + "\n\n" + resultsEnd + after, nil
}

// nameOf is a row's first cell.
func nameOf(row string) string {
	cells := strings.SplitN(row, "|", 3)
	if len(cells) < 2 {
		return row
	}
	return strings.TrimSpace(cells[1])
}

// machine describes the hardware of the measurement, and its load: other processes affect every figure.
func machine() string {
	load := "load unknown"
	if text, err := os.ReadFile("/proc/loadavg"); err == nil {
		if fields := strings.Fields(string(text)); len(fields) > 1 {
			load = "load " + fields[1] // of five minutes, this benchmark's own included
		}
	}
	return fmt.Sprintf("%d processors, %s, %s", runtime.NumCPU(), processor(), load)
}

// processor is the model name as Linux reports it.
func processor() string {
	text, err := os.ReadFile("/proc/cpuinfo")
	if err == nil {
		for line := range strings.Lines(string(text)) {
			if field, value, found := strings.Cut(line, ":"); found && strings.TrimSpace(field) == "model name" {
				return strings.TrimSpace(value)
			}
		}
	}
	return runtime.GOARCH
}

// commit is the measured commit; + means uncommitted changes.
func commit(ctx context.Context, root string) string {
	run := func(args ...string) (string, error) {
		out, err := exec.CommandContext(ctx, "git", append([]string{"-C", root}, args...)...).Output()
		return strings.TrimSpace(string(out)), err
	}
	short, err := run("rev-parse", "--short", "HEAD")
	if err != nil {
		return "unknown"
	}
	if changed, err := run("status", "--porcelain", "--untracked-files=no", "--", ".", ":!"+ResultsFile); err != nil || changed != "" {
		short += "+"
	}
	return "`" + short + "`"
}
