package suite

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"syscall"
	"time"

	"baari.dev/tools/stack"
)

// SoloFlag makes `baari test` run a single part or supply; together starts its processes with it.
const SoloFlag = "solo"

// partGrace is the time that a part has to stop its systems after an interrupt.
const partGrace = 20 * time.Second

// together runs parts in parallel and fetches what they need meanwhile, each in its own process: environment
// changes stay inside it, its CPU time can be measured, and its children inherit its priority. The output of each
// is written to .baari/test and printed when it has ended.
func together(ctx context.Context, root string, out io.Writer, chosen []Part) ([]Result, error) {
	logs := filepath.Join(root, ".baari", "test")
	if err := os.MkdirAll(logs, 0o700); err != nil {
		return nil, err
	}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	progress := stack.NewProgress(out)
	wanted, users := needed(chosen)
	plan := schedule{every: statusEvery, say: func(line string) { progress.Printf("%s", line) }}
	process := func(name string, l lane) func(context.Context) (time.Duration, error) {
		return func(ctx context.Context) (time.Duration, error) {
			return solo(ctx, root, self, name, filepath.Join(logs, logName(name)), l.niceness())
		}
	}
	for _, one := range wanted {
		plan.jobs = append(plan.jobs, &job{name: one.name, lane: one.lane, do: process(one.name, one.lane)})
	}
	for _, part := range chosen {
		at := places[part.Name]
		plan.jobs = append(plan.jobs, &job{name: part.Name, lane: at.lane, needs: at.needs, do: process(part.Name, at.lane)})
	}
	plan.finish = func(j *job) { printLog(out, progress, filepath.Join(logs, logName(j.name)), j, users[j.name]) }
	plan.run(ctx)
	var results []Result
	for _, j := range plan.jobs {
		if j.state == ended && j.lane.part() {
			results = append(results, Result{j.name, j.err, j.took, j.cpu})
			if j.err != nil && !j.begun.IsZero() {
				printEnd(out, j.name, filepath.Join(logs, logName(j.name)))
			}
		}
	}
	describeSum(progress, plan.jobs, time.Since(plan.begun))
	return results, nil
}

func logName(name string) string {
	return string(slices.DeleteFunc([]byte(name), func(b byte) bool { return b == ' ' || b == '\'' })) + ".log"
}

// printLog prints the output of a part; for a supply it prints one line, or the output if it failed.
func printLog(out io.Writer, progress *stack.Progress, log string, j *job, users string) {
	const quick = 2 * time.Second
	switch {
	case j.lane.part() && j.begun.IsZero():
		progress.Printf("\n=== %s: %v", j.name, j.err)
		return
	case !j.lane.part() && j.err == nil && j.took < quick: // it was there already
		return
	case !j.lane.part() && j.err == nil:
		progress.Printf("got %s, for %s, in %s (%s of CPU time)",
			j.name, users, j.took.Round(time.Second), j.cpu.Round(time.Second))
		return
	case !j.lane.part():
		progress.Printf("could not get %s, for %s: %v", j.name, users, j.err)
	}
	text, err := os.ReadFile(log)
	if err != nil {
		progress.Printf("%v", err)
	}
	_, _ = out.Write(text)
}

// printEnd prints the last lines of a failed part again: the output of parts that ended later may hide them.
func printEnd(out io.Writer, name, log string) {
	const shown = 40
	text, err := os.ReadFile(log)
	if err != nil {
		_, _ = fmt.Fprintln(out, err)
		return
	}
	lines := bytes.SplitAfter(text, []byte("\n"))
	end := bytes.Join(lines[max(0, len(lines)-1-shown):], nil)
	_, _ = fmt.Fprintf(out, "\n=== %s failed. The last lines of %s:\n%s", name, log, end)
}

// describeSum prints the duration and CPU time of the run, and the lower bound of its duration on this machine.
func describeSum(progress *stack.Progress, jobs []*job, took time.Duration) {
	var parts, others time.Duration
	for _, j := range jobs {
		if j.lane.part() {
			parts += j.cpu
		} else {
			others += j.cpu
		}
	}
	atLeast := (parts + others) / time.Duration(runtime.NumCPU())
	second := func(d time.Duration) time.Duration { return d.Round(time.Second) }
	progress.Printf("\n%s in all; CPU time: %s of the parts, %s to fetch what they need, at least %s on %d processors",
		second(took), second(parts), second(others), second(atLeast), runtime.NumCPU())
}

// solo runs one part or supply in a process of its own and returns the CPU time of that process and its children.
func solo(ctx context.Context, root, self, name, log string, niceness int) (time.Duration, error) {
	file, err := os.Create(log)
	if err != nil {
		return 0, err
	}
	defer func() { _ = file.Close() }()
	command := []string{self, "test", "--" + SoloFlag + "=" + name}
	if niceness > 0 {
		command = append(lowPriority(niceness), command...)
	}
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Dir, cmd.WaitDelay = root, partGrace
	cmd.Stdout, cmd.Stderr = file, file
	err = stack.Run(cmd)
	if cmd.ProcessState == nil {
		return 0, err
	}
	return cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), err
}

// lowPriority returns the command prefix for a lower priority, with the programs that the machine has.
func lowPriority(niceness int) []string {
	wanted := [][]string{{"nice", "-n", strconv.Itoa(niceness)}}
	if niceness == lowest {
		wanted = append(wanted, []string{"ionice", "-c", "3"})
	}
	var words []string
	for _, program := range wanted {
		if _, err := exec.LookPath(program[0]); err == nil {
			words = append(words, program...)
		}
	}
	return words
}

// Solo runs one part or supply; together calls it through SoloFlag.
func Solo(ctx context.Context, root string, out io.Writer, name string) error {
	all := slices.Clone(Parts)
	for _, one := range supplies {
		all = append(all, Part{one.name, "is got", one.get})
	}
	at := slices.IndexFunc(all, func(p Part) bool { return p.Name == name })
	if at < 0 {
		return fmt.Errorf("there is no part %q", name)
	}
	if err := runOne(ctx, root, out, all[at]); err != nil { // printed already
		return errors.Join(ErrFailed, err)
	}
	return nil
}

// usedCPU returns the CPU time of this process and of the children that it has waited for.
func usedCPU() time.Duration {
	var used time.Duration
	for _, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var usage syscall.Rusage
		if syscall.Getrusage(who, &usage) == nil {
			used += time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
		}
	}
	return used
}
