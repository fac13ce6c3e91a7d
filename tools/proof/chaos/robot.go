package chaos

import (
	"context"
	"encoding/json"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/time/rate"

	"baari.dev/services/platform/httpclient"
	"baari.dev/tools/proof/checker"
)

// callLimit is a robot's timeout, slightly longer than the system may take.
const callLimit = 10500 * time.Millisecond

// robot is one automated member of staff.
type robot struct {
	name, role string
	id, token  string
	turns      *sync.RWMutex           // shared by all robots, held for reading during a turn
	cookies    string                  // those of the browser that signed in; empty if only the token is used
	base       *atomic.Pointer[string] // address to which the robot sends requests
	history    *history
	pace       *rate.Limiter // shared by all robots
	noRetry    bool
	random     *rand.Rand
	http       *http.Client
	leaving    atomic.Bool // its session is about to end
}

func (r *robot) address() string { return *r.base.Load() }

func (r *robot) move(base string) { r.base.Store(&base) }

// send sends one request, whose name identifies it in the history. It returns an error if no complete answer arrived.
// The end of ctx does not cancel the request, since its outcome would be unknown.
func (r *robot) send(
	ctx context.Context, name, method, path string, body any, header map[string]string,
) (httpclient.Answer, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), callLimit)
	defer cancel()
	request, err := httpclient.Request(ctx, method, r.address()+path, body)
	if err != nil {
		return httpclient.Answer{}, err
	}
	if r.token != "" {
		request.Header.Set("Authorization", "Bearer "+r.token)
	}
	request.Header.Set("Traceparent", traceparent(name))
	for field, value := range header {
		request.Header.Set(field, value)
	}
	r.history.sent(name)
	got, err := httpclient.Do(r.http, request)
	if err == nil {
		r.history.replied(name, got.Header.Get("X-Request-Id"))
	}
	return got, err
}

// request sends one request and records its outcome.
func (r *robot) request(
	ctx context.Context, op checker.Op, method, path string, body any, header map[string]string,
) (checker.Op, httpclient.Answer) {
	op.Client, op.Actor, op.Role, op.RequestID = r.name, r.id, r.role, r.history.requestID()
	op.Call, op.Outcome = r.history.now(), checker.Unknown
	got, err := r.send(ctx, op.RequestID, method, path, body, header)
	op.Return, op.Status = r.history.now(), got.Status
	if err == nil {
		r.judge(&op, got)
	}
	r.history.add(op)
	return op, got
}

// change sends one request that changes a visit.
func (r *robot) change(ctx context.Context, op checker.Op, method, path string, body any) checker.Op {
	header := map[string]string{}
	if op.Key != "" {
		header["Idempotency-Key"] = op.Key
	}
	if op.IfVersion != 0 {
		body = withVersion(op.IfVersion, header, body)
	}
	op, _ = r.request(ctx, op, method, path, body, header)
	return op
}

// withVersion adds the version that a change starts from, as If-Match if it is even and in the body if it is odd, so
// that a retry sends the same request.
func withVersion(version int64, header map[string]string, body any) any {
	if version%2 == 0 {
		header["If-Match"] = strconv.Quote(strconv.FormatInt(version, 10))
		return body
	}
	fields := map[string]any{"version": version}
	if others, is := body.(map[string]any); is {
		maps.Copy(fields, others)
	}
	return fields
}

// judge derives the outcome from an answer. After a 5xx status, the outcome is unknown.
func (r *robot) judge(op *checker.Op, got httpclient.Answer) {
	r.checkLive(got, op.RequestID)
	switch {
	case got.Status >= http.StatusInternalServerError:
		op.Code = got.Code()
	case got.Status >= http.StatusBadRequest:
		op.Outcome, op.Code = checker.Failed, got.Code()
	case checker.ChangesVisit(op.Kind):
		r.takeVisit(op, got)
	default:
		op.Outcome = checker.OK
	}
}

func (r *robot) takeVisit(op *checker.Op, got httpclient.Answer) {
	var answered struct {
		Visit *visit
		Again bool
	}
	if err := json.Unmarshal(got.Body, &answered); err != nil {
		r.history.addStrange("%s received an answer that does not match api.yaml: %v", r.name, err)
		return
	}
	op.Outcome, op.Again = checker.OK, answered.Again
	op.Replayed = got.Header.Get("Idempotency-Replayed") == "true"
	if answered.Visit == nil && op.Kind == checker.Next { // the line is empty
		return
	}
	if answered.Visit == nil {
		r.history.addStrange("%s received an answer without a visit (request %s)", r.name, op.RequestID)
		return
	}
	r.inspectFields(*answered.Visit)
	seen := answered.Visit.seen()
	op.Seen, op.Visit = &seen, seen.ID
}

// checkLive reports a 401 for a session that was not ended.
func (r *robot) checkLive(got httpclient.Answer, requestID string) {
	if got.Status == http.StatusUnauthorized && !r.leaving.Load() {
		r.history.addCeased("%s has a valid session and received 401 (request %s)", r.name, requestID)
	}
}

// snapshot is a list of visits with the times of its request and its answer.
type snapshot struct {
	visits    []visit
	call, end int64
}

func (r *robot) ask(ctx context.Context, method, path string, body any) (checker.Op, httpclient.Answer) {
	return r.request(ctx, checker.Op{Kind: "list"}, method, path, body, nil)
}

// listed is a whole list of visits or, unless Reset is set, the changes after a position.
type listed struct {
	Visits   []visit
	Removed  []string
	Reset    bool
	Position string
}

// list reads a whole list of visits. ok is false if there was no answer to use.
func (r *robot) list(ctx context.Context, path string) (seen snapshot, ok bool) {
	all, op, ok := r.changes(ctx, path, "")
	return snapshot{all.Visits, op.Call, op.Return}, ok
}

// changes reads the changes of a list after a position, or the whole list if the position is empty. ok is false if
// there was no usable answer.
func (r *robot) changes(ctx context.Context, path, since string) (got listed, op checker.Op, ok bool) {
	if since != "" {
		path += "?since=" + url.QueryEscape(since)
	}
	op, answered := r.ask(ctx, http.MethodGet, path, nil)
	if op.Outcome != checker.OK {
		return got, op, false
	}
	if err := json.Unmarshal(answered.Body, &got); err != nil {
		r.history.addStrange("%s received a list that does not match api.yaml: %v", r.name, err)
		return got, op, false
	}
	for _, v := range got.Visits {
		r.inspect(v)
	}
	return got, op, true
}

// look records the state of a visit in a list, for the search for a linearization.
func (r *robot) look(s snapshot, v visit) {
	seen := v.seen()
	r.history.add(checker.Op{
		Client: r.name, Actor: r.id, Role: r.role, Kind: checker.Read, Visit: v.ID, Call: s.call, Return: s.end,
		Outcome: checker.OK, Seen: &seen,
	})
}

// later waits before a retry.
func (r *robot) later(ctx context.Context) {
	sleep(ctx, 200*time.Millisecond+time.Duration(r.random.IntN(800))*time.Millisecond)
}
