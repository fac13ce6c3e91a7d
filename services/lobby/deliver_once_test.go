package lobby

import (
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"baari.dev/services/contract"
	"baari.dev/services/platform/limit"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/postgres"
	"baari.dev/services/platform/testkit"
)

// If a sender ends after it has sent a message and before it has recorded the result, no other sender sends it again.
func TestAKilledSenderDoesNotSendTwice(t *testing.T) {
	p := newPorch(t)
	atNoon(p)
	id := p.arrive()
	p.agrees(id, contract.ConsentGiven)
	p.subscribes(id)
	p.calls(id, "3")
	doomed, err := postgres.Open(t.Context(), p.db.URL, p.db.Settings)
	if err != nil {
		t.Fatal(err)
	}
	other := New(doomed, outbox.New(contract.SourceLobby, doomed), p.Service.visits, limit.New(p.redis.Client, "lobby"),
		p.options(), slog.New(slog.DiscardHandler))
	p.aggregator.then(func() { go doomed.Close(); time.Sleep(100 * time.Millisecond) })
	if err := other.deliverer.run(t.Context(), time.Now()); err == nil {
		t.Error("the record of a killed sender was stored")
	}
	p.aggregator.then(func() {})
	for _, later := range []time.Duration{0, 2 * time.Minute} {
		if err := p.deliverer.run(t.Context(), time.Now().Add(later)); err != nil {
			t.Fatal(err)
		}
	}
	if p.phone.Count() > 1 || len(p.aggregator.got()) != 1 {
		t.Errorf("%d pushes, %q", p.phone.Count(), p.aggregator.got())
	}
	if got := p.outcomes(id); !strings.Contains(got, "sms called unknown") {
		t.Errorf("it is recorded as %s", got)
	}
}

// A message is not sent again if the provider refuses it, or if it is unknown whether it was sent.
func TestAMessageWithAnUnknownOutcomeIsNotSentAgain(t *testing.T) {
	for status, want := range map[int]string{
		http.StatusInternalServerError: "sms called unknown", http.StatusServiceUnavailable: "sms called unknown",
		http.StatusFound: "sms called unknown", http.StatusForbidden: "sms called failed refused",
	} {
		p := newPorch(t)
		atNoon(p)
		p.aggregator.answer(status)
		id := p.arrive()
		p.agrees(id, contract.ConsentGiven)
		p.calls(id, "3")
		for range 3 {
			testkit.Exec(t, p.db.Owner(t), `UPDATE deliveries SET next_at = now() - interval '1 second' WHERE state = 'queued'`)
			p.sends()
		}
		if got := p.outcomes(id); got != want || len(p.aggregator.got()) != 1 {
			t.Errorf("%d: it is recorded as %s, want %s; the aggregator got %q", status, got, want, p.aggregator.got())
		}
		if got := p.events("message"); strings.Contains(got, "message_unknown") != strings.HasSuffix(want, "unknown") {
			t.Errorf("%d: the events are %s", status, got)
		}
	}
}

// If a push service responds with a server error, the push may have been shown, so it is not sent again.
func TestAPushWithAnUnknownOutcomeIsNotSentAgain(t *testing.T) {
	p := newPorch(t)
	id := p.arrive()
	p.subscribes(id)
	p.phone.Answer(http.StatusBadGateway)
	p.calls(id, "3")
	for range 2 {
		p.sends()
	}
	if got := p.outcomes(id); got != "push called unknown" || p.phone.Count() != 1 {
		t.Errorf("it is recorded as %s after %d pushes", got, p.phone.Count())
	}
}
