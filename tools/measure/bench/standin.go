package bench

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"

	"baari.dev/services/platform/identity"
)

// standIn answers in place of auth, directory and visits, so that realtime or visits runs alone, and publishes events
// of visits.
type standIn struct {
	epoch   string
	servers map[string]*httptest.Server // by service

	mu     sync.Mutex
	events []json.RawMessage // of visits, by sequence number
}

// The user that every session token belongs to, and the Redis channel of visits.
const (
	standInUser   = "benchlistener0000000000000000001"
	visitsChannel = "baari:events:visits"
)

// mark begins the name of each event's visitor and occurs nowhere else in a stream. The time of the event follows, in
// nanoseconds.
const mark = '~'

// newStandIn starts a stand-in whose user has this role.
func newStandIn(role string) *standIn {
	s := &standIn{epoch: uuid.NewString(), servers: map[string]*httptest.Server{}}
	for _, source := range []string{"auth", "directory", "visits"} {
		s.servers[source] = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			switch r.URL.Path {
			case "/internal/introspect":
				writeJSON(w, http.StatusOK, map[string]any{
					"active": true, "session_id": "bench", "expires_at": time.Now().Add(time.Hour),
					"user": map[string]any{
						"id": standInUser, "name": "Bench", "email": "bench@example.com", "role": role, "isActive": true,
					},
				})
			case "/internal/sessions/active":
				writeJSON(w, http.StatusOK, map[string]any{"sessions": []any{}})
			case "/internal/events":
				s.feed(w, r, source)
			default:
				http.NotFound(w, r)
			}
		}))
	}
	return s
}

func (s *standIn) close() {
	for _, server := range s.servers {
		server.Close()
	}
}

func writeJSON(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body)
}

// feed answers a page of a source's events. Only visits has events.
func (s *standIn) feed(w http.ResponseWriter, r *http.Request, source string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	page := map[string]any{
		"source": source, "epoch": s.epoch, "head": 0, "begins": 0, "events": []json.RawMessage{},
	}
	status := http.StatusOK
	if epoch := r.URL.Query().Get("epoch"); epoch != "" && epoch != s.epoch {
		status = http.StatusConflict
	}
	if source == "visits" {
		page["head"] = len(s.events)
		after, err := strconv.Atoi(r.URL.Query().Get("after"))
		if err == nil && status == http.StatusOK && after < len(s.events) {
			page["events"] = s.events[after:min(after+500, len(s.events))]
		}
	}
	writeJSON(w, status, page)
}

// next appends the event of a new visit, in the form in which visits publishes it.
func (s *standIn) next() []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	seq, now, id := len(s.events)+1, time.Now(), uuid.NewString()
	text, err := json.Marshal(map[string]any{
		"id": uuid.NewString(), "source": "visits", "epoch": s.epoch, "seq": seq, "type": "visit_created",
		"time": now.UTC().Format(time.RFC3339Nano), "request_id": id, "actor": nil, "version": 1, "before": nil,
		"subject": map[string]any{"entity": "visit", "id": id}, "traceparent": "",
		"after": map[string]any{
			"id": id, "token_no": seq, "token": fmt.Sprintf("T-%03d", seq), "phone": "9876543210",
			"name": fmt.Sprintf("%c%d", mark, now.UnixNano()), "service_id": id,
			"service_name": "Income tax return", "status": "new", "version": 1,
		},
	})
	if err != nil {
		panic(err) // the values are texts and numbers
	}
	s.events = append(s.events, text)
	return text
}

// signed returns the message of an event as a relay of visits publishes it (services/platform/outbox/signed.go).
func signed(keys identity.Keys, event []byte) []byte {
	signature := keys.Sign(append([]byte(visitsChannel+"\n"), event...))
	return append([]byte(`{"signature":"`+base64.StdEncoding.EncodeToString(signature)+`",`), event[1:]...)
}

// publish publishes events, signed with the keys of visits, at a rate for a time and returns their number.
func (s *standIn) publish(
	ctx context.Context, bus *redis.Client, keys identity.Keys, perSecond int, lasting time.Duration,
) (int, error) {
	every := time.Second / time.Duration(perSecond)
	began := time.Now()
	total := int(lasting / every)
	for n := range total {
		time.Sleep(time.Until(began.Add(time.Duration(n) * every)))
		if err := bus.Publish(ctx, visitsChannel, signed(keys, s.next())).Err(); err != nil {
			return n, fmt.Errorf("publish an event: %w", err)
		}
	}
	return total, nil
}

// link is a stack.Link that leads calls to the three services to the stand-in.
func (s *standIn) link(_, to, address string) (string, error) {
	if server := s.servers[to]; server != nil {
		return server.Listener.Addr().String(), nil
	}
	return address, nil
}
