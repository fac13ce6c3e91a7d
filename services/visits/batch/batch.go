// Package batch carries out one action on several visits in one request. Each visit has its own command, event and
// result, as if it had its own request; decisions share a transaction with other decisions.
package batch

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
	"time"

	"github.com/jackc/pgx/v5"
	"golang.org/x/sync/errgroup"

	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/idempotency"
	"baari.dev/services/platform/postgres"
	"baari.dev/services/visits/queue"
	"baari.dev/services/visits/row"
	"baari.dev/services/visits/visit"
)

const (
	path = "/api/visits/batch"
	// abreast is the largest number of commands of one request that run at once; it does not apply to decisions. The
	// limit leaves connections for other requests.
	abreast = 4
	// commandLimit is shorter than the 8 s that a response may take, so that a visit that another transaction has
	// locked does not hide the results of the others.
	commandLimit = 5 * time.Second
)

// Batch carries out requests for several visits.
type Batch struct {
	db    *row.DB
	queue *queue.Queue
}

// New returns a Batch that reads visits from db and changes them through q.
func New(db *row.DB, q *queue.Queue) *Batch { return &Batch{db: db, queue: q} }

// result is the result for one visit. Either Visit or Error is nil.
type result struct {
	ID    string    `json:"id"`
	Visit *row.Body `json:"visit"`
	Error *refusal  `json:"error"`
	// passing is true if another try may succeed.
	passing bool
}

// refusal is an error in the form in which a request for a single visit returns it.
type refusal struct {
	Code   string       `json:"code"`
	Error  string       `json:"error"`
	Params fault.Params `json:"params,omitempty"`
}

// refusals are a request's errors by visit id, stored under its idempotency key. They name no visitor; the errors
// call_open and session_active name a consultant. The responses for changed visits are stored under a key per visit.
type refusals map[string]*refusal

// answer has the results in the order of the request.
type answer struct {
	Results  []result `json:"results"`
	replayed bool
}

// Headers implements kithttp.Headerer.
func (a answer) Headers() http.Header {
	header := http.Header{}
	if a.replayed {
		header.Set(idempotency.HeaderReplayed, "true")
	}
	return header
}

// Act carries out the action on each visit of the request. A repetition gets the stored results. If another try could
// change an error, no error is stored, and a repetition tries all visits with errors. Errors: key_reused, busy_key.
func (b *Batch) Act(ctx context.Context, req request) (answer, error) {
	by := row.Actor(ctx)
	key, err := idempotency.Of(by.ID, http.MethodPost+" "+path, req.key, req)
	if err != nil {
		return answer{}, err
	}
	refused, replayed, err := b.stored(ctx, key)
	if err != nil {
		return answer{}, err
	}
	results := b.actOnAll(ctx, by, req, refused)
	if final := refusalsOf(results); !replayed && final != nil {
		if err := b.store(ctx, key, final); err != nil {
			slog.WarnContext(ctx, "a repetition of a batch decides its refusals again", "cause", err)
		}
	}
	return answer{results, replayed}, nil
}

// refusalsOf returns the errors of results, or nil if another try could change one of them.
func refusalsOf(results []result) refusals {
	all := refusals{}
	for _, r := range results {
		if r.passing {
			return nil
		}
		if r.Error != nil {
			all[r.ID] = r.Error
		}
	}
	return all
}

// errNotStored rolls back the reservation of a key without a stored response.
var errNotStored = errors.New("no answer is stored")

// stored returns the refusals that were stored under a key. replayed is false if the key has no stored response.
func (b *Batch) stored(ctx context.Context, key idempotency.Key) (refused refusals, replayed bool, err error) {
	err = postgres.InTx(ctx, b.db.Pool, func(tx pgx.Tx) error {
		if replayed, err = key.Reserve(ctx, tx, &refused); err == nil && !replayed {
			return errNotStored
		}
		return err
	})
	if errors.Is(err, errNotStored) {
		err = nil
	}
	return refused, replayed, err
}

// store stores refusals under the key, unless another request has used the key meanwhile.
func (b *Batch) store(ctx context.Context, key idempotency.Key, refused refusals) error {
	return postgres.InTx(ctx, b.db.Pool, func(tx pgx.Tx) error {
		var before refusals
		if replayed, err := key.Reserve(ctx, tx, &before); err != nil || replayed {
			return err
		}
		return key.Store(ctx, tx, refused)
	})
}

// actOnAll acts on each visit that has no stored refusal, and returns the results in the order of the request.
func (b *Batch) actOnAll(ctx context.Context, by visit.Actor, req request, refused refusals) []result {
	ctx, cancel := context.WithTimeout(ctx, commandLimit)
	defer cancel()
	results := make([]result, len(req.Visits))
	var commands errgroup.Group
	if !req.Action.Decides() {
		commands.SetLimit(abreast)
	}
	for i, of := range req.Visits {
		if before := refused[of.ID]; before != nil {
			results[i] = result{ID: of.ID, Error: before}
			continue
		}
		commands.Go(func() error {
			results[i] = b.actOn(ctx, by, req, of)
			return nil
		})
	}
	_ = commands.Wait() // the functions always return nil
	return results
}

// actOn acts on one visit. A panic becomes an error of this visit, because otherwise it would end the process for all
// requests.
func (b *Batch) actOn(ctx context.Context, by visit.Actor, req request, of one) (res result) {
	defer func() {
		if cause := recover(); cause != nil {
			res = refuse(ctx, of.ID, fmt.Errorf("panic: %v\n%s", cause, debug.Stack()))
		}
	}()
	key, err := idempotency.Of(by.ID, http.MethodPost+" "+path, req.key+"/"+of.ID, req)
	if err != nil {
		return refuse(ctx, of.ID, err)
	}
	done, err := b.queue.Do(&queue.Change{
		Origin: queue.Origin{Context: ctx, By: by, Key: key}, VisitID: of.ID, Consultant: req.ConsultantID,
		Want: visit.Request{
			Action: req.Action, Version: of.Version, Notes: req.Notes, ToLine: req.ToLine, Reason: req.Reason,
		},
	})
	switch {
	case err != nil:
		return refuse(ctx, of.ID, postgres.Classify(row.APIError(err)))
	case done.Replayed != nil:
		return result{ID: of.ID, Visit: &done.Replayed.Visit}
	}
	body := row.BodyOf(done.Snapshot, by)
	return result{ID: of.ID, Visit: &body}
}

// refuse returns the result for a visit whose command has failed. It logs internal errors.
func refuse(ctx context.Context, id string, err error) result {
	f := fault.Of(err)
	if f.Kind == fault.Internal {
		slog.ErrorContext(ctx, "a visit of a batch failed", "visit", id, "cause", err)
	}
	passing := f.Kind == fault.Internal || f.Kind == fault.Unavailable || errors.Is(f, idempotency.ErrBusyKey)
	return result{ID: id, Error: &refusal{Code: f.Code, Error: f.Sentence, Params: f.Params}, passing: passing}
}
