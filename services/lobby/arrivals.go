package lobby

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"baari.dev/services/contract"
	"baari.dev/services/lobby/page"
	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/identity"
	"baari.dev/services/platform/limit"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/postgres"
	"baari.dev/services/platform/wire"
)

// The states of an arrival. Staff can set the last three. An arrival that is not answered in time becomes gone.
const (
	arrivalWaiting  = "waiting"
	arrivalAccepted = "accepted"
	arrivalRefused  = "refused"
	arrivalGone     = "gone"
)

const (
	goneAfter = 2 * time.Hour
	// mostWaiting limits the arrivals of the office that wait for an answer.
	mostWaiting = 200
	// acceptableFor replaces goneAfter for an arrival that is being accepted. visits recognises repetitions for longer.
	acceptableFor = 20 * time.Hour
)

// arrival is a visitor's request for a token. Person is empty once the visit is registered or the person is removed.
type arrival struct {
	ID            string
	Language      string
	Person        person
	ServiceID     string
	NoticeVersion string
	Messages      bool // the visitor agrees to messages
	State         string
	VisitID       *string
	CreatedAt     time.Time
}

// person is the encrypted part of an arrival.
type person struct {
	Name  string `json:"name"`
	Phone string `json:"phone"`
}

func (a arrival) repeats(earlier arrival) bool {
	return a.Person == earlier.Person && a.ServiceID == earlier.ServiceID && a.Messages == earlier.Messages
}

var joinRule = limit.Rule{Name: "lobby_joins", By: limit.PerAddress, Count: 3, Period: 10 * time.Minute, Burst: 3}

// errDoorFull is returned for a request for a token when mostWaiting arrivals already wait for an answer.
var errDoorFull = notice{page.TooMany, http.StatusTooManyRequests, readLimited, time.Minute}

// Join stores a visitor's request for a token. A repeated request is not stored again. Different requests with the same
// phone are all kept, because a stranger may have sent one. Join returns errDoorFull if mostWaiting arrivals wait.
func (s *Service) Join(ctx context.Context, a arrival) error {
	a.ID, a.State = uuid.Must(uuid.NewV7()).String(), arrivalWaiting
	added := false
	err := s.outbox.InTx(ctx, func(tx pgx.Tx) (err error) {
		added, err = s.store.addArrival(ctx, tx, a)
		if err != nil || !added {
			return err
		}
		return outbox.Append(ctx, tx, arrivalRequested(a, s.sender(ctx)))
	})
	if err == nil && added {
		s.metrics.arrived(arrivalWaiting)
	}
	return err
}

// arrivalsAnswer has the arrivals that wait for an answer, and the visitors who have announced their return after a
// missed call.
type arrivalsAnswer struct {
	Arrivals []arrivalBody `json:"arrivals"`
	Returns  []returnBody  `json:"returns"`
}

// arrivalBody is an arrival as reception sees it, with the phone masked.
type arrivalBody struct {
	ID        string      `json:"id"`
	Name      string      `json:"name"`
	Phone     string      `json:"phone"`
	Service   serviceBody `json:"service"`
	Language  string      `json:"language"`
	Messages  bool        `json:"messages"`
	CreatedAt wire.Time   `json:"createdAt"`
}

type serviceBody struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

type returnBody struct {
	VisitID string    `json:"visitId"`
	Token   string    `json:"token"`
	At      wire.Time `json:"at"`
}

// Arrivals lists the arrivals that wait for an answer and the visitors who have announced their return, oldest first.
func (s *Service) Arrivals(ctx context.Context, _ struct{}) (answer arrivalsAnswer, err error) {
	if answer.Arrivals, err = s.store.waitingArrivals(ctx); err == nil {
		answer.Returns, err = s.store.returns(ctx)
	}
	return answer, postgres.Classify(err)
}

// masked replaces the middle of a phone number of ten digits.
func masked(phone string) string {
	return phone[:2] + "******" + phone[len(phone)-2:]
}

type answerArrival struct{ ID, State string }

var stateWrong = fault.NewMessage(fault.CodeUnknownChoice, "Please choose accepted, refused or gone")

func readAnswer(r *http.Request) (answerArrival, error) {
	var body struct {
		State wire.Field[string] `json:"state"`
	}
	if err := wire.Read(r, &body); err != nil {
		return answerArrival{}, err
	}
	switch body.State.Value {
	case arrivalAccepted, arrivalRefused, arrivalGone:
	default:
		return answerArrival{}, fault.Field("state", stateWrong)
	}
	id, err := readID(r)
	return answerArrival{id, body.State.Value}, err
}

// arrivalAnswer is an answered arrival. Visit is null unless this call registered the visit.
type arrivalAnswer struct {
	Arrival answeredBody   `json:"arrival"`
	Visit   jsontext.Value `json:"visit"`
}

type answeredBody struct {
	ID      string  `json:"id"`
	State   string  `json:"state"`
	VisitID *string `json:"visitId"`
}

// Answer accepts an arrival and registers its visit, or closes the arrival without a visit. A repetition changes
// nothing. Its errors include fault.ErrNotFound, fault.ErrStale (answered differently before) and errServiceUnknown.
func (s *Service) Answer(ctx context.Context, req answerArrival) (arrivalAnswer, error) {
	if req.State == arrivalAccepted {
		return s.accept(ctx, req.ID)
	}
	answer, err := s.finish(ctx, req.ID, req.State, nil)
	if !errors.Is(err, fault.ErrStale) || answer.Arrival.State != arrivalWaiting {
		return answer, err
	}
	return s.close(ctx, req)
}

// close closes an arrival whose acceptance got no response from visits, and ensures that visits does not register it
// later. If visits has already registered it, close records the arrival as accepted and returns fault.ErrStale.
func (s *Service) close(ctx context.Context, req answerArrival) (arrivalAnswer, error) {
	var answer struct {
		VisitID *string `json:"visitId"`
	}
	status, err := s.visits.Call(ctx, http.MethodPost, "/internal/arrivals/"+req.ID+"/refusal", struct{}{}, &answer)
	switch {
	case err != nil || status/100 == 5:
		return arrivalAnswer{}, fault.ErrUnavailable.Because(err)
	case status != http.StatusOK:
		return arrivalAnswer{}, fault.ErrBusy
	case answer.VisitID != nil:
		made := createdVisit{*answer.VisitID, jsontext.Value("null")}
		if accepted, err := s.finish(ctx, req.ID, arrivalAccepted, &made); err != nil {
			return accepted, err
		}
		return arrivalAnswer{}, fault.ErrStale
	}
	if err := s.store.endAccept(ctx, req.ID); err != nil {
		return arrivalAnswer{}, postgres.Classify(err)
	}
	return s.finish(ctx, req.ID, req.State, nil)
}

// finish sets the state of a waiting arrival. Its result contains the visit only if this call changed the state.
func (s *Service) finish(ctx context.Context, id, state string, visit *createdVisit) (answer arrivalAnswer, err error) {
	answer.Visit = jsontext.Value("null")
	var visitID *string
	if visit != nil {
		visitID = &visit.id
	}
	changed := false
	err = s.outbox.InTx(ctx, func(tx pgx.Tx) error {
		var after arrival
		if after, changed, err = s.store.answerArrival(ctx, tx, id, state, visitID); err != nil {
			return err
		}
		answer.Arrival = answeredBody{after.ID, after.State, after.VisitID}
		if !changed {
			return nil
		}
		if visit != nil {
			answer.Visit = visit.body
		}
		return outbox.Append(ctx, tx, arrivalAnswered(after))
	})
	switch {
	case err != nil:
		return answer, postgres.Classify(err)
	case answer.Arrival.State != state:
		return answer, fault.ErrStale
	}
	if changed {
		s.metrics.arrived(state)
	}
	return answer, nil
}

// createdVisit is an arrival's visit, from a response of the service visits.
type createdVisit struct {
	id   string
	body jsontext.Value
}

var errServiceUnknown = fault.New(fault.Unprocessable, "service_unknown", "Please choose a service from the list")

// errRejected is returned for an arrival whose visit can never be registered. Reception can then refuse the arrival.
var errRejected = errors.New("visits has rejected the arrival")

// accept registers an arrival's visit. It can be repeated at any point, because visits registers an arrival only once.
func (s *Service) accept(ctx context.Context, id string) (arrivalAnswer, error) {
	a, err := s.store.beginAccept(ctx, id)
	if err != nil {
		return arrivalAnswer{}, postgres.Classify(err)
	}
	if a.State != arrivalWaiting {
		return s.finish(ctx, id, arrivalAccepted, nil)
	}
	visit, err := s.register(ctx, a)
	if err != nil {
		if errors.Is(err, errServiceUnknown) || errors.Is(err, errRejected) {
			err = errors.Join(err, s.store.endAccept(context.WithoutCancel(ctx), id))
		}
		return arrivalAnswer{}, err
	}
	return s.finish(ctx, id, arrivalAccepted, &visit)
}

// register asks visits to register the visit of an arrival, on behalf of the caller.
func (s *Service) register(ctx context.Context, a arrival) (createdVisit, error) {
	caller, _ := identity.From(ctx)
	var answer struct {
		Visit jsontext.Value `json:"visit"`
	}
	status, err := s.visits.Call(ctx, http.MethodPost, "/internal/arrivals/"+a.ID+"/visit", map[string]any{
		"name": a.Person.Name, "phone": a.Person.Phone, "service_id": a.ServiceID, "language": a.Language,
		"messages": a.Messages, "notice_version": a.NoticeVersion, "requested_at": a.CreatedAt,
		"by": map[string]string{"id": caller.ID, "name": caller.Name, "role": caller.Role},
	}, &answer)
	switch {
	case err != nil:
		return createdVisit{}, fault.ErrUnavailable.Because(err)
	case status == http.StatusUnprocessableEntity:
		return createdVisit{}, errServiceUnknown
	case status == http.StatusPreconditionFailed:
		return createdVisit{}, fault.ErrStale
	case status == http.StatusBadRequest:
		return createdVisit{}, fault.ErrBusy.Because(errRejected)
	case status != http.StatusCreated:
		return createdVisit{}, fault.ErrBusy
	}
	var made struct {
		ID string `json:"id"`
	}
	err = json.Unmarshal(answer.Visit, &made)
	return createdVisit{made.ID, answer.Visit}, err
}

// askBack records that a visitor who missed the call has returned. Reception then puts the visitor back into the line.
func (s *Service) askBack(ctx context.Context, f found) error {
	if !f.canAskBack() {
		return nil
	}
	first := false
	err := s.outbox.InTx(ctx, func(tx pgx.Tx) (err error) {
		first, err = s.store.takeBack(ctx, tx, f.visitID)
		if err != nil || !first {
			return err
		}
		return outbox.Append(ctx, tx, backRequested(f.visitID, f.visit.Token, s.sender(ctx)))
	})
	if err == nil {
		s.metrics.acted(actionBack, map[bool]string{true: "done", false: "repeated"}[first])
	}
	return postgres.Classify(err)
}

// canAskBack reports whether the page offers "I am back": once after each missed call.
func (f found) canAskBack() bool { return f.visit.Stage == contract.StageMissed && !f.backAsked() }

func (f found) backAsked() bool {
	return f.backAt != nil && (f.visit.CalledAt == nil || f.backAt.After(*f.visit.CalledAt))
}

const tidyEvery = time.Minute

// Tidy runs until ctx ends. It closes arrivals that were not answered in time. It removes the names and phones of
// refused and gone arrivals after the time that the office has set, and deletes answered arrivals after retention.
func (s *Service) Tidy(retention time.Duration, log *slog.Logger) func(context.Context) error {
	return func(ctx context.Context) error {
		ticker := time.NewTicker(tidyEvery)
		defer ticker.Stop()
		for {
			now, err := s.store.now(ctx, s.store.pool)
			if err == nil {
				err = s.tidy(ctx, now, retention)
			}
			if err != nil && ctx.Err() == nil {
				log.WarnContext(ctx, "old arrivals are closed a minute later", "cause", err)
			}
			select {
			case <-ctx.Done():
				return nil
			case <-ticker.C:
			}
		}
	}
}

func (s *Service) tidy(ctx context.Context, now time.Time, retention time.Duration) error {
	document, err := s.store.office(ctx)
	if err != nil {
		return err
	}
	keep := retention
	if document.ArrivalsKept > 0 {
		keep = min(keep, time.Duration(document.ArrivalsKept)*time.Hour)
	}
	var gone []arrival
	err = s.outbox.InTx(ctx, func(tx pgx.Tx) error {
		if gone, err = s.store.endOldArrivals(ctx, tx, now); err != nil {
			return err
		}
		for _, a := range gone {
			if err := outbox.Append(ctx, tx, arrivalAnswered(a)); err != nil {
				return err
			}
		}
		return s.store.forgetArrivals(ctx, tx, now.Add(-keep), now.Add(-retention))
	})
	if err == nil {
		s.metrics.gone(len(gone))
	}
	return err
}
