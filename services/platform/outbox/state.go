package outbox

import (
	"context"
	"sync"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/google/uuid"

	"baari.dev/services/platform/bus"
)

// State is what one replica of a source has read from its outbox. Replicas that receive it do not read the outbox
// themselves, and followers at its head do not read the feed. So the cost of an idle installation does not grow with
// its replicas.
type State struct {
	By         string  `json:"by"` // id of the relay that has read the outbox
	Epoch      string  `json:"epoch"`
	Head       int64   `json:"head"`
	Unnumbered int64   `json:"unnumbered"`
	Oldest     float64 `json:"oldest"` // age in seconds of the oldest row without a number; 0: there is none

	// Read is the time of the read, in microseconds of the database's clock; 0 for the previous release. A state that
	// is not newer than the last one is ignored, because any client of Redis can publish a signed state again.
	Read int64 `json:"read"`
}

// StateChannel is the channel of a source's State.
func StateChannel(source string) string { return "baari:state:" + source }

// stateAge is how long a received state is used. It is longer than relayEvery, so that only one replica reads the
// outbox while its messages arrive, and another replica takes over soon after they stop.
const stateAge = relayEvery * 3 / 2

// sharing holds the state that relays of a source share.
type sharing struct {
	id       string
	announce chan State // read and not yet published

	mu    sync.Mutex
	epoch string    // the value last read from the database; "": not read
	read  int64     // State.Read of the last state, read or received
	heard time.Time // time when another relay's state of this epoch was received
}

func newSharing() sharing { return sharing{id: uuid.NewString(), announce: make(chan State, 1)} }

// known reports whether another relay has read the outbox recently.
func (s *sharing) known() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return time.Since(s.heard) < stateAge
}

// accept records another relay's state and reports true. It reports false for this relay's own state, a state of
// another epoch (for example of another installation on the same Redis), and a state that is not newer than the last.
func (s *sharing) accept(state State) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if state.By == s.id || state.Epoch != s.epoch || state.Read <= s.read {
		return false
	}
	s.heard, s.read = time.Now(), state.Read
	return true
}

// hasRead records a state that this relay has read. Its Read is stored even if it is smaller than the last one, because
// the database's clock may have been set back, or another server promoted.
func (s *sharing) hasRead(state State) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.epoch, s.read = state.Epoch, state.Read
}

func (r *Relay) hear(notice bus.Notice) {
	if notice.Joined || notice.Channel != StateChannel(r.outbox.source) {
		r.wakeUp()
		return
	}
	verifies := func(message, signature []byte) bool {
		return r.signer.Verifies(r.outbox.source, message, signature)
	}
	var state State
	object, signed := Verified(verifies, notice.Channel, notice.Payload)
	if !signed || json.Unmarshal(object, &state) != nil || !r.shared.accept(state) {
		return
	}
	if r.show(state) {
		r.wakeUp()
	}
}

func (r *Relay) show(state State) (some bool) {
	r.unnumbered.Set(float64(state.Unnumbered))
	r.oldest.Set(state.Oldest)
	return state.Unnumbered > 0
}

const readState = `
SELECT h.epoch::text, h.head, w.count, w.age, (extract(epoch FROM clock_timestamp()) * 1000000)::bigint
FROM stream_head h, (
  SELECT count(*), coalesce(extract(epoch FROM clock_timestamp() - min(created_at)), 0)::float8 AS age
  FROM outbox WHERE seq IS NULL) w
WHERE h.stream = $1`

// measure reads the state, sets its metrics, announces it, and reports whether rows without a number may exist.
func (r *Relay) measure(ctx context.Context) (some bool) {
	state := State{By: r.shared.id}
	columns := []any{&state.Epoch, &state.Head, &state.Unnumbered, &state.Oldest, &state.Read}
	if err := r.pool.QueryRow(ctx, readState, r.outbox.source).Scan(columns...); err != nil {
		return true
	}
	r.shared.hasRead(state)
	select {
	case r.shared.announce <- state:
	default: // Redis hangs
	}
	return r.show(state)
}

// publishState announces a state. If publishing fails, other replicas and followers read for themselves.
func (r *Relay) publishState(ctx context.Context, state State) {
	bounded, cancel := context.WithTimeout(ctx, relayEvery)
	defer cancel()
	if data, err := json.Marshal(state); err == nil {
		channel := StateChannel(r.outbox.source)
		_ = r.bus.Publish(bounded, channel, Signed(r.signer, channel, data))
	}
}
