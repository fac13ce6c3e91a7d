package queue

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"baari.dev/services/platform/fault"
)

// recorder is a commit function that records its batches and takes a fixed time. Commands and results are numbers.
type recorder struct {
	takes   time.Duration
	batches [][]int
}

func (r *recorder) commit(batch []int) []reply[int] {
	r.batches = append(r.batches, batch)
	time.Sleep(r.takes)
	replies := make([]reply[int], len(batch))
	for i, command := range batch {
		replies[i].result = command
	}
	return replies
}

// submitTogether submits count commands at once and returns their errors; a result of another command is an error.
func submitTogether(b *batcher[int, int], count int) []error {
	errs := make(chan error, count)
	for i := range count {
		go func() {
			got, err := b.submit(context.Background(), i)
			if err == nil && got != i {
				err = errors.New("the result of another command")
			}
			errs <- err
		}()
	}
	var all []error
	for range count {
		all = append(all, <-errs)
	}
	return all
}

func TestAnIdleBatcherCommitsImmediately(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &recorder{takes: time.Millisecond}
		b := &batcher[int, int]{commit: r.commit}
		for i := range 3 {
			began := time.Now()
			if got, err := b.submit(t.Context(), i); err != nil || got != i || time.Since(began) != r.takes {
				t.Errorf("%d, %v after %s", got, err, time.Since(began))
			}
			synctest.Wait()
		}
		if len(r.batches) != 3 {
			t.Errorf("%d batches for three commands submitted one after the other", len(r.batches))
		}
	})
}

func TestPendingCommandsAreCommittedTogetherInBoundedBatches(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &recorder{takes: time.Millisecond}
		b := &batcher[int, int]{commit: r.commit}
		go func() { _, _ = b.submit(context.Background(), 0) }()
		synctest.Wait() // the first command is being committed
		for _, err := range submitTogether(b, 2*maxBatch+1) {
			if err != nil {
				t.Error(err)
			}
		}
		var sizes []int
		for _, batch := range r.batches {
			sizes = append(sizes, len(batch))
		}
		if !slices.Equal(sizes, []int{1, maxBatch, maxBatch, 1}) {
			t.Errorf("batches of %v", sizes)
		}
	})
}

func TestACommandWithdrawnWhilePendingIsNotCommitted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &recorder{takes: 10 * time.Millisecond}
		b := &batcher[int, int]{commit: r.commit}
		go func() { _, _ = b.submit(context.Background(), 1) }()
		synctest.Wait()
		ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		defer cancel()
		_, err := b.submit(ctx, 2)
		if !errors.Is(err, context.DeadlineExceeded) || errors.Is(err, fault.ErrUnknownOutcome) {
			t.Errorf("the error of the withdrawn command is %v", err)
		}
		time.Sleep(time.Second)
		if len(r.batches) != 1 {
			t.Errorf("%d batches, want 1", len(r.batches))
		}
	})
}

func TestADeadlineDuringTheCommitIsAnUnknownOutcome(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &recorder{takes: 10 * time.Millisecond}
		b := &batcher[int, int]{commit: r.commit}
		late, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		defer cancel()
		if _, err := b.submit(late, 1); !errors.Is(err, fault.ErrUnknownOutcome) {
			t.Errorf("the error after the deadline is %v", err)
		}
		gone, leave := context.WithCancel(t.Context())
		time.AfterFunc(12*time.Millisecond, leave)
		if got, err := b.submit(gone, 2); err != nil || got != 2 {
			t.Errorf("the result after a cancellation is %d, %v", got, err)
		}
		synctest.Wait()
	})
}

// After an error that may concern a single command, each command is tried alone. An unknown outcome applies only to the
// commands that were written.
func TestErrorsOfAFailedBatch(t *testing.T) {
	own := errors.New("a constraint")
	for _, c := range []struct {
		err, in, out error
	}{
		{own, errAgain, errAgain},
		{fault.ErrNotFound, errAgain, errAgain},
		{fault.ErrBusy, fault.ErrBusy, fault.ErrBusy},
		{fault.ErrUnknownOutcome, fault.ErrUnknownOutcome, errAgain},
	} {
		in, out := batchError(c.err, true), batchError(c.err, false)
		if !errors.Is(in, c.in) || !errors.Is(out, c.out) {
			t.Errorf("%v: the error of a written command is %v, of another %v", c.err, in, out)
		}
	}
}

func TestABatchThatHangsDelaysOnlyItsOwnCommands(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		stuck := make(chan struct{})
		quick := &recorder{}
		first := true
		b := &batcher[int, int]{patience: commitPatience}
		b.commit = func(batch []int) []reply[int] {
			if first {
				first = false
				<-stuck
			}
			return quick.commit(batch)
		}
		hung := make(chan error, 1)
		go func() {
			_, err := b.submit(context.Background(), 1)
			hung <- err
		}()
		synctest.Wait()
		began := time.Now()
		submitTogether(b, 3)
		if waited := time.Since(began); waited != commitPatience {
			t.Errorf("the other commands waited %s", waited)
		}
		if began = time.Now(); len(submitTogether(b, 2)) != 2 || time.Since(began) != 0 {
			t.Errorf("later commands waited %s", time.Since(began))
		}
		close(stuck)
		if err := <-hung; err != nil {
			t.Error(err)
		}
		synctest.Wait()
		if b.running || len(b.pending) != 0 {
			t.Error("a goroutine still runs")
		}
	})
}

func TestBatchesWithoutPatienceNeverOverlap(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &recorder{takes: 2 * commitPatience}
		b := &batcher[int, int]{commit: r.commit}
		go func() { _, _ = b.submit(context.Background(), 0) }()
		synctest.Wait()
		began := time.Now()
		submitTogether(b, 3)
		if waited := time.Since(began); waited != 2*r.takes || len(r.batches) != 2 {
			t.Errorf("the other commands waited %s for %d batches", waited, len(r.batches))
		}
	})
}

func TestAPanicOfACommitIsAnErrorOfItsCommands(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &recorder{}
		b := &batcher[int, int]{commit: func(batch []int) []reply[int] {
			if batch[0] < 0 {
				panic("no")
			}
			return r.commit(batch)
		}}
		if _, err := b.submit(t.Context(), -1); err == nil || !strings.Contains(err.Error(), "panic: no") {
			t.Errorf("the command is answered %v", err)
		}
		synctest.Wait()
		if got, err := b.submit(t.Context(), 7); err != nil || got != 7 {
			t.Errorf("the next command is answered %d, %v", got, err)
		}
	})
}
