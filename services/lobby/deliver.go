package lobby

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/jackc/pgx/v5"

	"baari.dev/services/contract"
	"baari.dev/services/lobby/link"
	"baari.dev/services/lobby/message"
	"baari.dev/services/lobby/page"
	"baari.dev/services/lobby/push"
	"baari.dev/services/office"
	"baari.dev/services/platform/outbox"
)

// channelPush is web push. The other channels come from MESSAGES_FILE.
const channelPush = "push"

// The states of a delivery, besides "sending". A delivery that is "sending" when its sender ends is never sent again.
const (
	deliveryQueued  = "queued"
	deliverySent    = "sent"
	deliveryFailed  = "failed"
	deliveryUnknown = "unknown" // may have been sent; is never sent again
	deliveryDropped = "dropped"
)

// Reasons why a delivery was dropped or failed.
const (
	errorLate      = "late"      // the message is older than three minutes
	errorOver      = "over"      // the visit left the stage of the message, or the visitor was called again
	errorWithdrawn = "withdrawn" // no consent to messages, no known phone, or no push subscription
	errorRefused   = "refused"
	errorTemplate  = "template" // the channel was removed, or has no template for the message
)

const (
	lateAfter   = 3 * time.Minute
	sentWithin  = time.Minute // a delivery in state "sending" for longer has lost its sender
	mostTries   = 3
	tryAgain    = 5 * time.Second
	mostOfVisit = 3 // limit of a visit's messages over one channel, except push

	failuresToPause = 5
	pauseFor        = time.Minute
)

// due is a delivery that is to be sent.
type due struct {
	ID, VisitID, Channel string
	Kind                 message.Kind
	Tries                int
	CreatedAt            time.Time

	Token, Stage, Counter, Language string
	Generation                      int
	Phone                           []byte // encrypted; nil: not known
	Agrees                          bool
	CalledAgain                     bool // the channel has a delivery for a later call of the visitor
}

type deliverer struct {
	store   *store
	outbox  *outbox.Outbox
	senders map[string]message.Sender
	push    *push.Sender
	options Options
	metrics metrics
	log     *slog.Logger

	mu     sync.Mutex
	fails  map[string]map[string]bool // tries of a channel, or browsers of a push service, that failed in a row
	paused map[string]time.Time
}

// Intervals of checks: deliverEvery for due deliveries, nearEvery for visitors who became near, and for reminders.
const (
	deliverEvery = 500 * time.Millisecond
	nearEvery    = 5 * time.Second
)

// Deliver notifies visitors that they are near or called, and clients about their appointments, until ctx ends.
func (s *Service) Deliver(ctx context.Context, log *slog.Logger) error {
	ticker := time.NewTicker(deliverEvery)
	defer ticker.Stop()
	var nearAt time.Time
	for {
		now, err := s.store.now(ctx, s.store.pool)
		if err == nil && time.Since(nearAt) >= nearEvery {
			nearAt = time.Now()
			if err := s.queueNear(ctx, now); err != nil && ctx.Err() == nil {
				log.WarnContext(ctx, "notifications of visitors who are near are delayed", "cause", err)
			}
			if err := errors.Join(s.queueReminders(ctx, now), s.store.forgetAddresses(ctx)); err != nil && ctx.Err() == nil {
				log.WarnContext(ctx, "reminders of appointments are delayed", "cause", err)
			}
		}
		if err == nil {
			err = errors.Join(s.deliverer.run(ctx, now), s.tellBooked(ctx, now))
		}
		if err != nil && ctx.Err() == nil {
			log.WarnContext(ctx, "messages are sent later", "cause", err)
		}
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
		}
	}
}

func (s *Service) channelsAt(now time.Time, document officeCopy) []string {
	channels := []string{channelPush}
	hours := document.MessageHours
	if hours == nil {
		hours = &office.DefaultMessageHours
	}
	if document.Messages == office.MessagesOn && hours.Includes(now.In(s.options.Zone).Hour()) {
		for name := range s.options.Messages.Senders {
			channels = append(channels, name)
		}
	}
	return channels
}

// queueCalls queues the deliveries for the calls in a batch of events, in the transaction of the batch.
func (s *Service) queueCalls(ctx context.Context, tx pgx.Tx, events []outbox.Event, document officeCopy) error {
	now, err := s.store.now(ctx, tx)
	if err != nil {
		return err
	}
	for _, event := range events {
		called := event.Type == contract.VisitCalled || event.Type == contract.VisitRecalled && !bySystem(event)
		if !called || now.Sub(time.Time(event.Time)) > lateAfter {
			continue
		}
		call, err := callOf(event)
		if err != nil {
			return err
		}
		for _, call.channel = range s.channelsAt(now, document) {
			if err := s.store.queue(ctx, tx, call); err != nil {
				return err
			}
		}
	}
	return nil
}

// queueNear queues the message that a visitor is near, once per visit, for visitors who can be notified.
func (s *Service) queueNear(ctx context.Context, now time.Time) error {
	waiting, err := s.store.tellable(ctx)
	if err != nil || len(waiting) == 0 {
		return err
	}
	document, err := s.store.office(ctx)
	if err != nil {
		return err
	}
	line := s.places.read(ctx)
	for _, id := range waiting {
		place, known := line.of[id]
		if !known {
			continue
		}
		facts := page.Facts{Stage: contract.StageWaiting, Ahead: place.Ahead}
		if place.Forecast != nil {
			facts.From = (*time.Time)(place.Forecast.From)
		}
		if facts.StateOf(now) != page.Near {
			continue
		}
		err := pgx.BeginFunc(ctx, s.store.pool, func(tx pgx.Tx) error {
			for _, channel := range s.channelsAt(now, document) {
				if err := s.store.queue(ctx, tx, queued{visitID: id, channel: channel, kind: message.Near, at: now}); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// run sends deliveries that are due. It first closes those whose sender ended, because they may have been sent.
func (d *deliverer) run(ctx context.Context, now time.Time) error {
	lost, err := d.store.closeLost(ctx, now.Add(-sentWithin))
	if err != nil {
		return err
	}
	for _, channel := range lost {
		d.metrics.notified(channel, deliveryUnknown)
	}
	for began := time.Now(); ; {
		at := now.Add(time.Since(began)) // more become due while others are sent
		some, err := d.store.takeDue(ctx, at, d.pausedAt(at))
		if err != nil || len(some) == 0 {
			return err
		}
		var group sync.WaitGroup
		errs := make([]error, len(some))
		for i, one := range some {
			group.Go(func() { errs[i] = d.deliver(ctx, one, at) })
		}
		group.Wait()
		if err := errors.Join(errs...); err != nil {
			return err
		}
	}
}

// pausedAt returns the channels and push services that are not used for a while because of consecutive failures.
func (d *deliverer) pausedAt(now time.Time) (channels []string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	channels = []string{}
	for channel, until := range d.paused {
		if now.Before(until) {
			channels = append(channels, channel)
		}
	}
	return channels
}

// noteResult counts consecutive failures of a channel or a push service. Each try over a channel and each browser of a
// push service counts once.
func (d *deliverer) noteResult(way, of string, failed bool, now time.Time) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !failed {
		delete(d.fails, way)
		return
	}
	if d.fails[way] == nil {
		d.fails[way] = map[string]bool{}
	}
	if d.fails[way][of] = true; len(d.fails[way]) >= failuresToPause {
		delete(d.fails, way)
		d.paused[way] = now.Add(pauseFor)
	}
}

// reason returns why a delivery must not be sent any more, "" if it may be sent.
func (one due) reason(now time.Time) string {
	stage := map[message.Kind]string{message.Near: contract.StageWaiting, message.Called: contract.StageCalled}[one.Kind]
	switch {
	case now.Sub(one.CreatedAt) > lateAfter:
		return errorLate
	case one.Stage != stage, one.CalledAgain:
		return errorOver
	case one.Channel != channelPush && (!one.Agrees || one.Phone == nil):
		return errorWithdrawn
	}
	return ""
}

func (d *deliverer) deliver(ctx context.Context, one due, now time.Time) error {
	if why := one.reason(now); why != "" {
		return d.finish(ctx, one, outcome{state: deliveryDropped, why: why})
	}
	sent := outcome{state: deliverySent}
	var err error
	if one.Channel == channelPush {
		err = d.sendPush(ctx, one, now)
	} else {
		sent.id, sent.cost, err = d.sendMessage(ctx, one)
		d.noteResult(one.Channel, fmt.Sprint(one.ID, one.Tries), err != nil && !errors.Is(err, message.ErrNoTemplate), now)
	}
	if err != nil {
		d.log.WarnContext(ctx, "a message was not taken", "channel", one.Channel, "try", one.Tries, "cause", err)
	}
	switch {
	case err == nil:
		return d.finish(ctx, one, sent)
	case errors.Is(err, errPaused):
		return d.store.again(ctx, one.ID, one.Tries-1, tryAgain)
	case errors.Is(err, push.ErrGone):
		return d.finish(ctx, one, outcome{state: deliveryDropped, why: errorWithdrawn})
	case errors.Is(err, message.ErrNoTemplate):
		return d.finish(ctx, one, outcome{state: deliveryDropped, why: errorTemplate})
	case errors.Is(err, message.ErrUnknown), errors.Is(err, push.ErrUnknown):
		return d.finish(ctx, one, outcome{state: deliveryUnknown})
	case errors.Is(err, message.ErrRefused), errors.Is(err, push.ErrRefused), one.Tries >= mostTries:
		return d.finish(ctx, one, outcome{state: deliveryFailed, why: errorRefused})
	}
	return d.store.again(ctx, one.ID, one.Tries, time.Duration(one.Tries)*tryAgain)
}

func (d *deliverer) sendMessage(ctx context.Context, one due) (message.ID, message.Cost, error) {
	sender := d.senders[one.Channel]
	if sender == nil {
		return "", 0, message.ErrNoTemplate // the channel was removed from MESSAGES_FILE after the delivery was queued
	}
	phone, err := d.store.box.Open(one.VisitID, one.Phone)
	if err != nil {
		return "", 0, err
	}
	place := one.Counter
	if one.Kind == message.Near || place == "" { // the message names the office
		document, err := d.store.office(ctx)
		if err != nil {
			return "", 0, err
		}
		place = document.Brand
	}
	code := link.Code(d.options.Key, one.VisitID, one.Generation)
	m := message.Message{
		To: string(phone), Kind: one.Kind, Language: one.Language, Values: []string{one.Token, place},
		Link: strings.TrimSuffix(d.options.Base, "/") + "/q/" + code,
	}
	id, err := sender.Send(ctx, m)
	return id, d.options.Messages.Cost(one.Channel, m), err
}

// pushBody is the data that the page's worker receives. The worker has the texts.
type pushBody struct {
	Kind     message.Kind `json:"k"`
	Language string       `json:"l"`
	Token    string       `json:"t"`
	Counter  string       `json:"c"`
	Code     string       `json:"q"`
}

// errPaused is the result for a browser whose push service is paused and therefore was not called.
var errPaused = errors.New("the push service is not used for a while")

// wayOf returns the key for the failures and the pause of a push service, so that one service does not pause another.
func wayOf(sub push.Subscription) string { return channelPush + " " + push.Service(sub) }

// sendPush sends to every browser of the visit whose push service is not paused. It returns nil if a push service has
// accepted the push, otherwise push.ErrUnknown if a push service may have accepted it.
func (d *deliverer) sendPush(ctx context.Context, one due, now time.Time) error {
	all, err := d.store.subscriptionsOf(ctx, one.VisitID)
	if err != nil {
		return err
	}
	body, err := json.Marshal(pushBody{
		one.Kind, one.Language, one.Token, one.Counter, link.Code(d.options.Key, one.VisitID, one.Generation),
	})
	if err != nil {
		return err
	}
	result, paused := push.ErrGone, d.pausedAt(now)
	for _, sub := range all {
		err, way := errPaused, wayOf(sub.Subscription)
		if !slices.Contains(paused, way) {
			err = d.push.Send(ctx, sub.Subscription, topicOf(d.store.box.Mark(one.VisitID)), body)
			about := errors.Is(err, push.ErrGone) || errors.Is(err, push.ErrRefused) // the error concerns this browser alone
			d.noteResult(way, sub.ID, err != nil && !about, now)
		}
		switch {
		case err == nil:
			result = nil
		case errors.Is(err, push.ErrGone):
			if err := d.store.unsubscribe(ctx, sub.ID); err != nil {
				return err
			}
		case result != nil && !errors.Is(result, push.ErrUnknown):
			result = err
		}
	}
	return result
}

type outcome struct {
	state, why string
	id         message.ID
	cost       message.Cost
}

// finish records the result of a delivery, the cost of a sent message, and an event unless the delivery was dropped.
func (d *deliverer) finish(ctx context.Context, one due, end outcome) error {
	d.metrics.notified(one.Channel, end.state)
	return d.outbox.InTx(ctx, func(tx pgx.Tx) error {
		err := d.store.finish(ctx, tx, one.ID, end.state, end.why, string(end.id))
		if err != nil || end.state == deliveryDropped {
			return err
		}
		if end.state == deliverySent && one.Channel != channelPush {
			if err := d.store.addCost(ctx, tx, one.Channel, end.cost); err != nil {
				return err
			}
		}
		return outbox.Append(ctx, tx, messageEnded(one, end.state))
	})
}
