package visits

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/idempotency"
	"baari.dev/services/visits/visit"
)

// recorder is a commit function that records its batches and takes a fixed time.
type recorder struct {
	takes   time.Duration
	batches [][]*command
}

func (r *recorder) commit(batch []*command) {
	r.batches = append(r.batches, batch)
	time.Sleep(r.takes)
	for _, n := range batch {
		n.done <- nil
	}
}

func arrival(ctx context.Context) *command {
	return registration(ctx, visit.Actor{}, visit.Visit{}, idempotency.Key{})
}

// arriveTogether submits count items at once and returns their outcomes.
func arriveTogether(j *batcher[*command], count int) []error {
	outcomes := make(chan error, count)
	for range count {
		go func() { outcomes <- j.submit(arrival(context.Background())) }()
	}
	var all []error
	for range count {
		all = append(all, <-outcomes)
	}
	return all
}

func TestAnIdleBatcherCommitsImmediately(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &recorder{takes: time.Millisecond}
		j := &batcher[*command]{commit: r.commit}
		for range 3 {
			began := time.Now()
			if err := j.submit(arrival(t.Context())); err != nil || time.Since(began) != r.takes {
				t.Errorf("%v after %s", err, time.Since(began))
			}
			synctest.Wait()
		}
		if len(r.batches) != 3 {
			t.Errorf("%d batches for three items submitted one after the other", len(r.batches))
		}
	})
}

func TestPendingItemsAreCommittedTogetherInBoundedBatches(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &recorder{takes: time.Millisecond}
		j := &batcher[*command]{commit: r.commit}
		go func() { _ = j.submit(arrival(context.Background())) }()
		synctest.Wait() // the first item is being committed
		for _, err := range arriveTogether(j, 2*maxBatch+1) {
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

func TestAnItemWithdrawnWhilePendingIsNotCommitted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &recorder{takes: 10 * time.Millisecond}
		j := &batcher[*command]{commit: r.commit}
		go func() { _ = j.submit(arrival(context.Background())) }()
		synctest.Wait()
		ctx, leave := context.WithTimeout(t.Context(), time.Millisecond)
		defer leave()
		if err := j.submit(arrival(ctx)); !errors.Is(err, context.DeadlineExceeded) || errors.Is(err, fault.ErrUnknownOutcome) {
			t.Errorf("the outcome of the withdrawn item is %v", err)
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
		j := &batcher[*command]{commit: r.commit}
		late, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		defer cancel()
		if err := j.submit(arrival(late)); !errors.Is(err, fault.ErrUnknownOutcome) {
			t.Errorf("the outcome after the deadline is %v", err)
		}
		gone, leave := context.WithCancel(t.Context())
		time.AfterFunc(12*time.Millisecond, leave)
		if err := j.submit(arrival(gone)); err != nil {
			t.Errorf("the outcome after a cancellation is %v", err)
		}
		synctest.Wait()
	})
}

// An error that may concern one command only makes each try alone; an unknown outcome is that of the commands in the commit.
func TestTheOutcomesOfAFailedBatch(t *testing.T) {
	own := errors.New("a constraint")
	for _, c := range []struct {
		err, in, out error
	}{
		{own, errAgain, errAgain},
		{fault.ErrNotFound, errAgain, errAgain},
		{fault.ErrBusy, fault.ErrBusy, fault.ErrBusy},
		{fault.ErrUnknownOutcome, fault.ErrUnknownOutcome, errAgain},
	} {
		if in, out := batchError(c.err, true), batchError(c.err, false); !errors.Is(in, c.in) || !errors.Is(out, c.out) {
			t.Errorf("%v: the outcome of a written command is %v, of another %v", c.err, in, out)
		}
	}
}

func TestABatchThatHangsDelaysOnlyItsOwnItems(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		stuck := make(chan struct{})
		quick := &recorder{}
		first := true
		j := &batcher[*command]{}
		j.commit = func(batch []*command) {
			if first {
				first = false
				<-stuck
			}
			quick.commit(batch)
		}
		hung := make(chan error, 1)
		go func() { hung <- j.submit(arrival(context.Background())) }()
		synctest.Wait()
		began := time.Now()
		arriveTogether(j, 3)
		if waited := time.Since(began); waited != commitPatience {
			t.Errorf("the other items waited %s", waited)
		}
		if began = time.Now(); len(arriveTogether(j, 2)) != 2 || time.Since(began) != 0 {
			t.Errorf("later items waited %s", time.Since(began))
		}
		close(stuck)
		if err := <-hung; err != nil {
			t.Error(err)
		}
		synctest.Wait()
		if j.running || len(j.pending) != 0 {
			t.Error("a goroutine still runs")
		}
	})
}
