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

// recorder is a commit that notes its batches and takes as long as it is told.
type recorder struct {
	takes   time.Duration
	batches [][]*newcomer
}

func (r *recorder) commit(batch []*newcomer) {
	r.batches = append(r.batches, batch)
	time.Sleep(r.takes)
	for _, n := range batch {
		n.settled <- nil
	}
}

func arrival(ctx context.Context) *newcomer {
	return newNewcomer(ctx, visit.Actor{}, createVisit{}, idempotency.Key{})
}

// arriveTogether lets so many join at once and returns their outcomes when all are settled.
func arriveTogether(j *joiner[*newcomer], count int) []error {
	outcomes := make(chan error, count)
	for range count {
		go func() { outcomes <- j.join(arrival(context.Background())) }()
	}
	var all []error
	for range count {
		all = append(all, <-outcomes)
	}
	return all
}

func TestWhoeverComesAloneWaitsForNobody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &recorder{takes: time.Millisecond}
		j := &joiner[*newcomer]{commit: r.commit}
		for range 3 {
			began := time.Now()
			if err := j.join(arrival(t.Context())); err != nil || time.Since(began) != r.takes {
				t.Errorf("%v after %s", err, time.Since(began))
			}
			synctest.Wait()
		}
		if len(r.batches) != 3 {
			t.Errorf("%d batches for three who came one after the other", len(r.batches))
		}
	})
}

func TestThoseWhoWaitAreCommittedTogetherAndBatchesAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &recorder{takes: time.Millisecond}
		j := &joiner[*newcomer]{commit: r.commit}
		go func() { _ = j.join(arrival(context.Background())) }()
		synctest.Wait() // it is being committed
		for _, err := range arriveTogether(j, 2*mostJoined+1) {
			if err != nil {
				t.Error(err)
			}
		}
		var sizes []int
		for _, batch := range r.batches {
			sizes = append(sizes, len(batch))
		}
		if !slices.Equal(sizes, []int{1, mostJoined, mostJoined, 1}) {
			t.Errorf("batches of %v", sizes)
		}
	})
}

func TestWhoeverLeavesWhileWaitingHasChangedNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &recorder{takes: 10 * time.Millisecond}
		j := &joiner[*newcomer]{commit: r.commit}
		go func() { _ = j.join(arrival(context.Background())) }()
		synctest.Wait()
		ctx, leave := context.WithTimeout(t.Context(), time.Millisecond)
		defer leave()
		if err := j.join(arrival(ctx)); !errors.Is(err, context.DeadlineExceeded) || errors.Is(err, fault.ErrUnknownOutcome) {
			t.Errorf("who waited in vain hears %v", err)
		}
		time.Sleep(time.Second)
		if len(r.batches) != 1 {
			t.Errorf("%d batches; nobody waited for a second", len(r.batches))
		}
	})
}

func TestWhoseTimeRunsOutInTheMiddleDoesNotKnow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &recorder{takes: 10 * time.Millisecond}
		j := &joiner[*newcomer]{commit: r.commit}
		late, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		defer cancel()
		if err := j.join(arrival(late)); !errors.Is(err, fault.ErrUnknownOutcome) {
			t.Errorf("a caller out of time hears %v", err)
		}
		gone, leave := context.WithCancel(t.Context())
		time.AfterFunc(12*time.Millisecond, leave)
		if err := j.join(arrival(gone)); err != nil {
			t.Errorf("of a caller who went away it is noted: %v", err)
		}
		synctest.Wait()
	})
}

// What may be one's only is found out by each alone; only those who were in a lost commit hear that it is lost.
func TestWhatABatchHearsWhoseTransactionFailed(t *testing.T) {
	own := errors.New("a constraint")
	for _, c := range []struct {
		err, in, out error
	}{
		{own, errAlone, errAlone},
		{fault.ErrNotFound, errAlone, errAlone},
		{fault.ErrBusy, fault.ErrBusy, fault.ErrBusy},
		{fault.ErrUnknownOutcome, fault.ErrUnknownOutcome, errAlone},
	} {
		if in, out := unmade(c.err, true), unmade(c.err, false); !errors.Is(in, c.in) || !errors.Is(out, c.out) {
			t.Errorf("%v: who was in it hears %v, who was not %v", c.err, in, out)
		}
	}
}

func TestATransactionThatHangsHoldsUpOnlyItsOwn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		stuck := make(chan struct{})
		quick := &recorder{}
		first := true
		j := &joiner[*newcomer]{}
		j.commit = func(batch []*newcomer) {
			if first {
				first = false
				<-stuck
			}
			quick.commit(batch)
		}
		hung := make(chan error, 1)
		go func() { hung <- j.join(arrival(context.Background())) }()
		synctest.Wait()
		began := time.Now()
		arriveTogether(j, 3)
		if waited := time.Since(began); waited != joinPatience {
			t.Errorf("the others waited %s", waited)
		}
		if began = time.Now(); len(arriveTogether(j, 2)) != 2 || time.Since(began) != 0 {
			t.Errorf("later ones waited %s", time.Since(began))
		}
		close(stuck)
		if err := <-hung; err != nil {
			t.Error(err)
		}
		synctest.Wait()
		if j.leading || len(j.waiting) != 0 {
			t.Error("somebody still leads")
		}
	})
}
