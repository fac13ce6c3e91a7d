package chaos

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"baari.dev/tools/proof/checker"
)

// mostLogged is the largest number of failed requests whose log lines a report has.
const mostLogged = 5

// loggedOf returns the log lines of the first requests that failed although no fault was active.
func (r *run) loggedOf(e *checker.Evidence) []string {
	var all []string
	for _, op := range checker.Unexcused(e) {
		if len(all) == mostLogged {
			break
		}
		all = append(all, r.logged(op.RequestID))
	}
	return all
}

// logged returns the lines of all logs about a request. name is the robots' own name of the request.
func (r *run) logged(name string) string {
	var lines strings.Builder
	files, _ := filepath.Glob(filepath.Join(r.system.Folder().Logs(), "*.log*")) // the pattern is well formed
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			fmt.Fprintln(&lines, err)
		}
		for line := range strings.Lines(string(text)) {
			if isOf(line, name) {
				lines.WriteString(line)
			}
		}
	}
	return lines.String()
}

// isOf reports whether a line of a log is about the request with a name.
func isOf(line, name string) bool {
	return slices.Contains(strings.Fields(line), "trace_id="+traceOf(name))
}
