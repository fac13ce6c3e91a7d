package lobby

import (
	"context"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"

	"baari.dev/services/lobby/page"
	"baari.dev/services/lobby/push"
	"baari.dev/services/office"
	"baari.dev/services/platform/postgres"
)

// mostSubscription is the size of the largest subscription in bytes.
const mostSubscription = 4 << 10

// badSubscription is the error for a body that is no subscription of a known push service.
var badSubscription = notice{page.Unavailable, http.StatusBadRequest, readFailed, 0}

func (s *Service) serveSubscribe(w http.ResponseWriter, r *http.Request) error {
	if !s.isOurs(r) {
		return s.answer(w, r, notOurs)
	}
	_, f, err := s.find(r)
	if err == nil {
		err = s.limited(r.Context(), actionRule, f.visitID, nil)
	}
	if err != nil {
		return s.answer(w, r, err)
	}
	var sub push.Subscription
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, mostSubscription))
	if err != nil || json.Unmarshal(body, &sub) != nil || s.options.Push.Check(sub) != nil {
		return s.answer(w, r, badSubscription)
	}
	if err := s.store.subscribe(r.Context(), f.visitID, sub); err != nil {
		return s.answer(w, r, err)
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// serveUnsubscribe ends push to the browsers of a visit.
func (s *Service) serveUnsubscribe(w http.ResponseWriter, r *http.Request) error {
	if !s.isOurs(r) {
		return s.answer(w, r, notOurs)
	}
	_, f, err := s.find(r)
	if err == nil {
		err = s.store.unsubscribeAll(r.Context(), f.visitID)
	}
	if err != nil {
		return s.answer(w, r, err)
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

func (s *Service) serveKey(w http.ResponseWriter, _ *http.Request) error {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	_, err := io.WriteString(w, s.options.Push.PublicKey())
	return err
}

func serveWorker(w http.ResponseWriter, r *http.Request) error {
	w.Header().Set("Cache-Control", "no-cache")
	return writeText(w, r, http.StatusOK, "text/javascript", page.Worker)
}

type messagesAnswer struct {
	On       bool          `json:"on"` // the office sends messages
	Channels []channelBody `json:"channels"`
	Costs    *costsBody    `json:"costs"` // nil: no channel has a price
}

// costsBody has the costs of messages by day and by month, newest first.
type costsBody struct {
	Days   []costBody `json:"days"`
	Months []costBody `json:"months"`
}

// costBody has the messages and the cost of a channel on a day or in a month.
type costBody struct {
	Period  string  `json:"period"` // 2026-11-25, or 2026-11
	Channel string  `json:"channel"`
	Sent    int     `json:"sent"`
	Paise   float64 `json:"paise"`
}

// channelBody has the deliveries of a channel in the last 24 hours.
type channelBody struct {
	Channel string `json:"channel"`
	Sent    int    `json:"sent"`
	Failed  int    `json:"failed"`
	Unknown int    `json:"unknown"` // may have been sent
	Dropped int    `json:"dropped"`
	Waiting int    `json:"waiting"`
	Visits  int    `json:"visits"`
	Paused  bool   `json:"paused"` // the channel or a push service pauses on this replica after consecutive failures
}

// isPaused reports whether a channel, or one of its push services, pauses.
func isPaused(paused []string, channel string) bool {
	return slices.ContainsFunc(paused, func(way string) bool {
		name, _, _ := strings.Cut(way, " ")
		return name == channel
	})
}

// Messages returns the state of the channels: push and the configured channels.
func (s *Service) Messages(ctx context.Context, _ struct{}) (messagesAnswer, error) {
	document, err := s.store.office(ctx)
	if err != nil {
		return messagesAnswer{}, postgres.Classify(err)
	}
	counts, err := s.store.counts(ctx)
	if err != nil {
		return messagesAnswer{}, postgres.Classify(err)
	}
	names := append([]string{channelPush}, slices.Sorted(maps.Keys(s.options.Messages.Senders))...)
	now, err := s.store.now(ctx, s.store.pool)
	if err != nil {
		return messagesAnswer{}, postgres.Classify(err)
	}
	paused := s.deliverer.pausedAt(now)
	answer := messagesAnswer{On: document.Messages == office.MessagesOn, Channels: make([]channelBody, len(names))}
	for i, name := range names {
		answer.Channels[i] = counts[name]
		answer.Channels[i].Channel, answer.Channels[i].Paused = name, isPaused(paused, name)
	}
	if s.options.Messages.Priced() {
		answer.Costs = &costsBody{}
		answer.Costs.Days, answer.Costs.Months, err = s.store.costs(ctx, now)
	}
	return answer, postgres.Classify(err)
}
