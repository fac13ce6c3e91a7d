package suite

import (
	"context"
	"errors"
	"os/exec"
	"runtime"
	"sync"

	"baari.dev/tools/stack"
)

// flakesPart runs the fast tier's parts go, web and browser three times, beside two busy loops per processor. A busy
// machine may make a test slow, but must not make it fail. A test that fails here must be corrected or made nightly.
func flakesPart(ctx context.Context, r *Runner) error {
	busy, stop := context.WithCancel(ctx)
	var loops sync.WaitGroup
	for range 2 * runtime.NumCPU() {
		loops.Go(func() { _ = stack.Run(exec.CommandContext(busy, "sh", "-c", "while :; do :; done")) })
	}
	defer loops.Wait()
	defer stop()
	var errs []error
	for round := range 3 {
		r.Progress.Printf("round %d", round+1)
		errs = append(errs, quickGoPart("-count=1")(ctx, r), webPart(ctx, r), quickBrowserPart(ctx, r))
	}
	return errors.Join(errs...)
}
