package bench

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/golang-jwt/jwt/v5"
	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"
)

// sources stand where auth, directory and visits would: they answer whose token it is and what their feeds hold, so
// that realtime or visits runs by itself, and make visits' events at a rate.
type sources struct {
	*httptest.Server
	epoch string
	role  string // whose every token is

	mu     sync.Mutex
	events []json.RawMessage // of visits, by seq
}

// The one listener, and the bus that visits publishes on.
const (
	listenerID    = "benchlistener0000000000000000001"
	listenerRole  = "pa"
	visitsChannel = "baari:events:visits"
)

// mark begins the name of each event's visitor, and nothing else that a stream carries; after it stands when the event
// was made, in nanoseconds.
const mark = '~'

func newSources(role string) *sources {
	s := &sources{epoch: uuid.NewString(), role: role}
	s.Server = httptest.NewServer(s)
	return s
}

// ServeHTTP implements http.Handler. All three services have one address here; the token of a call names its service.
func (s *sources) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch r.URL.Path {
	case "/internal/introspect":
		answer(w, map[string]any{
			"active": true, "session_id": "bench", "expires_at": time.Now().Add(time.Hour),
			"user": map[string]any{"id": listenerID, "name": "Bench", "email": "bench@example.com", "role": s.role, "isActive": true},
		})
	case "/internal/sessions/active":
		answer(w, map[string]any{"sessions": []any{}})
	case "/internal/events":
		s.feed(w, r, audience(strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")))
	default:
		http.NotFound(w, r)
	}
}

func answer(w http.ResponseWriter, body any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(body)
}

// feed answers a page of a source's events; only visits has any.
func (s *sources) feed(w http.ResponseWriter, r *http.Request, source string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	page := map[string]any{"source": source, "epoch": s.epoch, "head": 0, "begins": 0, "events": []json.RawMessage{}}
	epoch := r.URL.Query().Get("epoch")
	status := http.StatusOK
	if epoch != "" && epoch != s.epoch {
		status = http.StatusConflict
	}
	if source == "visits" {
		page["head"] = len(s.events)
		after, err := strconv.Atoi(r.URL.Query().Get("after"))
		if err == nil && status == http.StatusOK && after < len(s.events) {
			page["events"] = s.events[after:min(after+500, len(s.events))]
		}
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(page)
}

// next creates the next event, as visits publishes it for a new visitor.
func (s *sources) next() []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	seq := len(s.events) + 1
	now := time.Now()
	id := uuid.NewString()
	text, err := json.Marshal(map[string]any{
		"id": uuid.NewString(), "source": "visits", "epoch": s.epoch, "seq": seq, "type": "visit_created", "time": now.UTC().Format(time.RFC3339Nano),
		"request_id": id, "actor": nil, "subject": map[string]any{"entity": "visit", "id": id}, "version": 1, "before": nil, "traceparent": "",
		"after": map[string]any{
			"id": id, "token_no": seq, "token": fmt.Sprintf("T-%03d", seq), "name": fmt.Sprintf("%c%d", mark, now.UnixNano()), "phone": "9876543210",
			"service_id": id, "service_name": "Income tax return", "status": "new", "version": 1,
		},
	})
	if err != nil {
		panic(err) // texts and numbers
	}
	s.events = append(s.events, text)
	return text
}

// publish makes events at a rate for a time and returns how many.
func (s *sources) publish(ctx context.Context, client *redis.Client, perSecond int, lasting time.Duration) (int, error) {
	every := time.Second / time.Duration(perSecond)
	began := time.Now()
	total := int(lasting / every)
	for n := range total {
		if wait := time.Until(began.Add(time.Duration(n) * every)); wait > 0 {
			time.Sleep(wait)
		}
		if err := client.Publish(ctx, visitsChannel, s.next()).Err(); err != nil {
			return n, fmt.Errorf("publish an event: %w", err)
		}
	}
	return total, nil
}

// instead sends a service to the sources where it would call another.
func (s *sources) instead(_, to, address string) (string, error) {
	if to == "auth" || to == "directory" || to == "visits" {
		return strings.TrimPrefix(s.URL, "http://"), nil
	}
	return address, nil
}

// audience is the service that a token between services is for; its caller signed it a moment ago.
func audience(token string) string {
	var claims jwt.RegisteredClaims
	if _, _, err := jwt.NewParser().ParseUnverified(token, &claims); err != nil || len(claims.Audience) == 0 {
		return "unknown"
	}
	return claims.Audience[0]
}
