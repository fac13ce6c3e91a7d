package chaos

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"math/rand/v2"
	"net/http"
	"sync/atomic"
	"time"

	"golang.org/x/time/rate"

	"baari.dev/tools/checker"
)

// callLimit is how long a robot waits for an answer: a little more than the system may take.
const callLimit = 10500 * time.Millisecond

// robot is one member of staff who never sleeps.
type robot struct {
	name, role string
	id, token  string
	base       *atomic.Pointer[string] // of the gateway
	history    *history
	pace       *rate.Limiter // of all robots together
	noRetry    bool
	random     *rand.Rand
	http       *http.Client
	leaving    atomic.Bool // its session is about to end
}

// address is where the robot finds the office.
func (r *robot) address() string { return *r.base.Load() }

// move sends the robot to the office's new address.
func (r *robot) move(base string) { r.base.Store(&base) }

// answer is what came back of a call.
type answer struct {
	status int
	header http.Header
	body   []byte
}

var errNoAnswer = errors.New("no answer")

// send makes one call. An error means that no whole answer came.
func (r *robot) send(ctx context.Context, requestID, method, path string, body any, header map[string]string) (answer, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), callLimit) // who goes home waits for the answer: else it would count as lost
	defer cancel()
	var payload io.Reader = http.NoBody
	if body != nil {
		text, err := json.Marshal(body)
		if err != nil {
			return answer{}, err
		}
		payload = bytes.NewReader(text)
	}
	request, err := http.NewRequestWithContext(ctx, method, r.address()+path, payload)
	if err != nil {
		return answer{}, err
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Authorization", "Bearer "+r.token)
	request.Header.Set("X-Request-Id", requestID)
	for name, value := range header {
		request.Header.Set(name, value)
	}
	response, err := r.http.Do(request)
	if err != nil {
		return answer{}, errors.Join(errNoAnswer, err)
	}
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return answer{}, errors.Join(errNoAnswer, err)
	}
	return answer{response.StatusCode, response.Header, text}, nil
}

// change makes one call that changes a visit and writes down what became of it.
func (r *robot) change(ctx context.Context, op checker.Op, method, path string, body any) checker.Op {
	op.Client, op.Actor, op.Role, op.RequestID = r.name, r.id, r.role, r.history.requestID()
	header := map[string]string{}
	if op.Key != "" {
		header["Idempotency-Key"] = op.Key
	}
	op.Call = r.history.now()
	got, err := r.send(ctx, op.RequestID, method, path, body, header)
	op.Return = r.history.now()
	op.Outcome = checker.Unknown
	if err == nil {
		r.judge(&op, got)
	}
	r.history.add(op)
	return op
}

// judge reads the outcome off an answer. 5xx promises nothing, so what it answers to is not known.
func (r *robot) judge(op *checker.Op, got answer) {
	op.Status = got.status
	r.checkLive(got, op.RequestID)
	switch {
	case got.status >= http.StatusInternalServerError:
		op.Code = codeOf(got.body)
	case got.status >= http.StatusBadRequest:
		op.Outcome, op.Code = checker.Failed, codeOf(got.body)
	default:
		var answered struct{ Visit visit }
		if err := json.Unmarshal(got.body, &answered); err != nil {
			r.history.tellStrange("%s got an answer that is none of api.md: %v", r.name, err)
			return
		}
		r.inspect(answered.Visit)
		seen := answered.Visit.seen()
		op.Outcome, op.Seen, op.Visit = checker.OK, &seen, seen.ID
		op.Replayed = got.header.Get("Idempotency-Replayed") == "true"
	}
}

// checkLive watches for a 401 to somebody whose session nobody has ended ([S12]).
func (r *robot) checkLive(got answer, requestID string) {
	if got.status == http.StatusUnauthorized && !r.leaving.Load() {
		r.history.tellCeased("%s has a live session and was answered 401 (request %s)", r.name, requestID)
	}
}

// sighting is a list of visits and when it was seen.
type sighting struct {
	visits    []visit
	call, end int64
}

// ask makes one call that changes nothing and writes it down. ok is false when there was no answer to show.
func (r *robot) ask(ctx context.Context, method, path string, body any) (got answer, look checker.Op, ok bool) {
	look = checker.Op{Client: r.name, Actor: r.id, Role: r.role, Kind: "list", RequestID: r.history.requestID(), Call: r.history.now(), Outcome: checker.Unknown}
	got, err := r.send(ctx, look.RequestID, method, path, body, nil)
	look.Return, look.Status = r.history.now(), got.status
	switch {
	case err == nil && got.status == http.StatusOK:
		look.Outcome = checker.OK
	case err == nil:
		look.Code = codeOf(got.body)
		r.checkLive(got, look.RequestID)
		if got.status >= http.StatusBadRequest && got.status < http.StatusInternalServerError {
			look.Outcome = checker.Failed
		}
	}
	r.history.add(look)
	return got, look, look.Outcome == checker.OK
}

// list reads a list of visits. ok is false when there was no answer to show.
func (r *robot) list(ctx context.Context, path string) (seen sighting, ok bool) {
	got, look, ok := r.ask(ctx, http.MethodGet, path, nil)
	if !ok {
		return seen, false
	}
	var answered struct{ Visits []visit }
	if err := json.Unmarshal(got.body, &answered); err != nil {
		r.history.tellStrange("%s got a list that is none of api.md: %v", r.name, err)
		return seen, false
	}
	for _, v := range answered.Visits {
		r.inspect(v)
	}
	return sighting{answered.Visits, look.Call, look.Return}, true
}

// look writes down in which state a list showed a visit, for the search of an order that explains everything.
func (r *robot) look(s sighting, v visit) {
	seen := v.seen()
	r.history.add(checker.Op{
		Client: r.name, Actor: r.id, Role: r.role, Kind: checker.Read, Visit: v.ID, Call: s.call, Return: s.end, Outcome: checker.OK, Seen: &seen,
	})
}

func codeOf(body []byte) string {
	var refusal struct{ Code string }
	_ = json.Unmarshal(body, &refusal) // an answer of something else than Baari has no code
	return refusal.Code
}

// pause waits for the robots' common pace.
func (r *robot) pause(ctx context.Context) error { return r.pace.Wait(ctx) }

// later waits a moment of a retry.
func (r *robot) later(ctx context.Context) {
	select {
	case <-ctx.Done():
	case <-time.After(200*time.Millisecond + time.Duration(r.random.IntN(800))*time.Millisecond):
	}
}
