package realtime

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/redis/go-redis/v9"
)

// naiveHub is the hub that BenchmarkStream compares realtime to. It has a goroutine and a channel of 64 messages for
// each connection, follows the same Redis channel, sends frames of the same form, and drops messages that do not fit.
type naiveHub struct {
	mu      sync.Mutex
	clients map[chan naiveMessage]struct{}
}

// naiveMessage is an encoded frame with an id that is as long as an id of realtime.
type naiveMessage struct{ id, data string }

type naiveEvent struct {
	Epoch string `json:"epoch"`
	Seq   int64  `json:"seq"`
	Type  string `json:"type"`
	After struct {
		ID          string `json:"id"`
		Version     int64  `json:"version"`
		Token       string `json:"token"`
		Name        string `json:"name"`
		ServiceName string `json:"service_name"`
	} `json:"after"`
}

type naiveFrame struct {
	Type string    `json:"type"`
	Data naiveData `json:"data"`
}

type naiveData struct {
	VisitID string `json:"visitId"`
	Version int64  `json:"version"`
	Token   string `json:"token"`
	Name    string `json:"name"`
	Service string `json:"service"`
}

// follow forwards the messages of a Redis channel until ctx ends.
func (h *naiveHub) follow(ctx context.Context, client *redis.Client, channel string) error {
	subscription := client.Subscribe(ctx, channel)
	defer subscription.Close()
	messages := subscription.Channel(redis.WithChannelSize(1024))
	for {
		select {
		case <-ctx.Done():
			return nil
		case got := <-messages:
			var e naiveEvent
			if err := json.Unmarshal([]byte(got.Payload), &e); err != nil {
				return err
			}
			a := e.After
			data, err := json.Marshal(naiveFrame{e.Type, naiveData{a.ID, a.Version, a.Token, a.Name, a.ServiceName}})
			if err != nil {
				return err
			}
			id := fmt.Sprintf("auth=%[1]s:1;directory=%[1]s:1;realtime=%[1]s:1;visits=%[1]s:%[2]d", e.Epoch, e.Seq)
			h.publish(naiveMessage{id: id, data: string(data)})
		}
	}
}

func (h *naiveHub) publish(m naiveMessage) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for client := range h.clients {
		select {
		case client <- m:
		default:
		}
	}
}

// ServeHTTP sends the stream of one client.
func (h *naiveHub) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	flusher := w.(http.Flusher)
	mine := make(chan naiveMessage, 64)
	h.mu.Lock()
	h.clients[mine] = struct{}{}
	h.mu.Unlock()
	defer func() {
		h.mu.Lock()
		delete(h.clients, mine)
		h.mu.Unlock()
	}()
	w.Header().Set("Content-Type", "text/event-stream")
	_, _ = fmt.Fprint(w, "data: {\"type\":\"connection\",\"data\":{}}\n\n")
	flusher.Flush()
	beat := time.NewTicker(15 * time.Second)
	defer beat.Stop()
	for {
		select {
		case <-r.Context().Done():
			return
		case <-beat.C:
			_, _ = fmt.Fprint(w, "data: {\"type\":\"heartbeat\",\"data\":{}}\n\n")
		case m := <-mine:
			_, _ = fmt.Fprintf(w, "id: %s\ndata: %s\n\n", m.id, m.data)
		}
		flusher.Flush()
	}
}
