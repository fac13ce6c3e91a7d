// Package machine describes the machine and the sources of a measurement, for reports.
package machine

import (
	"context"
	"fmt"
	"os/exec"
	"runtime"
	"strings"

	"github.com/prometheus/procfs"
)

// Describe describes the processors of this machine, for reports.
func Describe() string {
	text := fmt.Sprintf("%s/%s, %d processors", runtime.GOOS, runtime.GOARCH, runtime.NumCPU())
	if proc, err := procfs.NewDefaultFS(); err == nil {
		if processors, err := proc.CPUInfo(); err == nil && len(processors) > 0 {
			text += ", " + processors[0].ModelName
		}
	}
	return text
}

// Load returns the load average over 1, 5 and 15 minutes, or "unknown" where it is not available.
func Load() string {
	proc, err := procfs.NewDefaultFS()
	if err != nil {
		return "unknown"
	}
	load, err := proc.LoadAvg()
	if err != nil {
		return "unknown"
	}
	return fmt.Sprintf("%.2f %.2f %.2f", load.Load1, load.Load5, load.Load15)
}

// Commit returns the commit of the repository, or "unknown". It ends with a + if there are uncommitted changes; a
// change of the given report, which is about to be written, does not count.
func Commit(ctx context.Context, root, report string) string {
	git := func(args ...string) (string, error) {
		out, err := exec.CommandContext(ctx, "git", append([]string{"-C", root}, args...)...).Output()
		return strings.TrimSpace(string(out)), err
	}
	short, err := git("rev-parse", "--short", "HEAD")
	if err != nil {
		return "unknown"
	}
	changed, err := git("status", "--porcelain", "--untracked-files=no", "--", ".", ":!"+report)
	if err != nil || changed != "" {
		short += "+"
	}
	return short
}
