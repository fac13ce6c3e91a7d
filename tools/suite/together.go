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
	"regexp"
	"runtime"
	"slices"
	"syscall"
	"time"

	"baari.dev/tools/stack"
)

// SoloFlag is the flag with which `baari test` runs a single part. The function together passes it to its processes.
const SoloFlag = "solo"

// partGrace is the time within which a part must stop its systems after an interrupt.
const partGrace = 20 * time.Second

// together runs parts of a tier two at a time, each in a process of its own: changes of the environment affect only
// that part, its CPU time can be measured, and its children inherit its priority. The output of a part is written to
// .baari/test, and printed when the part has ended.
func together(ctx context.Context, root string, out io.Writer, tier Tier, chosen []Part) ([]Result, error) {
	logs := filepath.Join(root, ".baari", "test")
	if err := os.MkdirAll(logs, 0o700); err != nil {
		return nil, err
	}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	progress := stack.NewProgress(out)
	plan := schedule{every: statusEvery, say: func(line string) { progress.Printf("%s", line) }}
	for _, part := range chosen {
		command := append(tier.command(self), "--"+SoloFlag+"="+part.Name)
		plan.jobs = append(plan.jobs, &job{name: part.Name, alone: part.alone(),
			do: func(ctx context.Context) (time.Duration, error) {
				cmd := exec.CommandContext(ctx, command[0], command[1:]...)
				if part.yields() {
					cmd = stack.LowPriority(cmd)
				}
				return solo(cmd, root, filepath.Join(logs, part.Name+".log"))
			}})
	}
	plan.finish = func(j *job) { printLog(out, progress, filepath.Join(logs, j.name+".log")) }
	plan.run(ctx)
	var results []Result
	for _, j := range plan.jobs {
		if j.state != ended {
			continue
		}
		results = append(results, Result{j.name, j.err, j.took, j.cpu})
		if j.err != nil {
			printEnd(out, j.name, filepath.Join(logs, j.name+".log"))
		}
	}
	describeSum(progress, plan.jobs, time.Since(plan.begun))
	return results, nil
}

func printLog(out io.Writer, progress *stack.Progress, log string) {
	text, err := os.ReadFile(log)
	if err != nil {
		progress.Printf("%v", err)
	}
	_, _ = out.Write(text)
}

// passed matches a line in which the test runner of Go, Node or Playwright reports a passed test or a count.
var passed = regexp.MustCompile(`^\s*(ok\s|ℹ |✔ |✓ )`)

// printEnd prints the last lines of a failed part again, except those about passed tests. Later output may hide them.
func printEnd(out io.Writer, name, log string) {
	const shown = 120
	text, err := os.ReadFile(log)
	if err != nil {
		_, _ = fmt.Fprintln(out, err)
		return
	}
	lines := slices.DeleteFunc(bytes.SplitAfter(text, []byte("\n")), passed.Match)
	end := bytes.Join(lines[max(0, len(lines)-1-shown):], nil)
	_, _ = fmt.Fprintf(out, "\n=== %s failed. The last lines of %s:\n%s", name, log, end)
}

// describeSum prints the duration and CPU time of the run, and the shortest duration that this CPU time allows here.
func describeSum(progress *stack.Progress, jobs []*job, took time.Duration) {
	var cpu time.Duration
	for _, j := range jobs {
		cpu += j.cpu
	}
	second := func(d time.Duration) time.Duration { return d.Round(time.Second) }
	progress.Printf("\n%s in all; CPU time: %s, at least %s on %d processors",
		second(took), second(cpu), second(cpu/time.Duration(runtime.NumCPU())), runtime.NumCPU())
}

// solo runs the process of one part and returns the CPU time of that process and its children.
func solo(cmd *exec.Cmd, root, log string) (time.Duration, error) {
	file, err := os.Create(log)
	if err != nil {
		return 0, err
	}
	defer func() { _ = file.Close() }()
	cmd.Dir, cmd.WaitDelay = root, partGrace
	cmd.Stdout, cmd.Stderr = file, file
	err = stack.Run(cmd)
	if cmd.ProcessState == nil {
		return 0, err
	}
	return cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), err
}

// Solo runs one part of a tier, in a process that the function together has started.
func Solo(ctx context.Context, root string, out io.Writer, tier Tier, name string) error {
	chosen, err := Choose(tier.Parts(), []string{name}, nil)
	if err != nil {
		return err
	}
	if err := runOne(ctx, root, out, chosen[0]); err != nil { // printed already
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
