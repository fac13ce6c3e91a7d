// Command baseline runs the hub that Baari's live stream is compared with: a goroutine and a channel for each
// connection. It follows the same Redis channel and sends the same bytes. Start reading at main.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"
)

// event is the part of an event that is read.
type event struct {
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

// frame is what a dashboard receives.
type frame struct {
	Type string    `json:"type"`
	Data frameData `json:"data"`
}

type frameData struct {
	VisitID string `json:"visitId"`
	Version int64  `json:"version"`
	Token   string `json:"token"`
	Name    string `json:"name"`
	Service string `json:"service"`
}

// message is an encoded frame with an ID as long as Baari's.
type message struct{ id, data string }

const (
	greeting  = "data: {\"type\":\"connection\",\"data\":{}}\n\n"
	heartbeat = "data: {\"type\":\"heartbeat\",\"data\":{}}\n\n"
)

func main() {
	if len(os.Args) != 4 {
		fmt.Fprintln(os.Stderr, "baseline ADDRESS REDIS_URL CHANNEL")
		os.Exit(2)
	}
	options, err := redis.ParseURL(os.Args[2])
	if err == nil {
		h := &hub{clients: map[chan message]struct{}{}}
		go h.follow(redis.NewClient(options), os.Args[3])
		mux := http.NewServeMux()
		mux.HandleFunc("/api/stream", h.stream)                                //nolint:forbidigo // a developer's tool
		mux.HandleFunc("/readyz", func(http.ResponseWriter, *http.Request) {}) //nolint:forbidigo // as above
		server := &http.Server{Addr: os.Args[1], Handler: mux, ReadHeaderTimeout: 5 * time.Second}
		err = server.ListenAndServe()
	}
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

// hub has a channel of 64 messages for each connection and drops those that do not fit.
type hub struct {
	mu      sync.Mutex
	clients map[chan message]struct{}
}

func (h *hub) follow(client *redis.Client, channel string) {
	for got := range client.Subscribe(context.Background(), channel).Channel(redis.WithChannelSize(1024)) {
		var e event
		if err := json.Unmarshal([]byte(got.Payload), &e); err != nil {
			fmt.Fprintln(os.Stderr, err)
			continue
		}
		a := e.After
		data, err := json.Marshal(frame{e.Type, frameData{a.ID, a.Version, a.Token, a.Name, a.ServiceName}})
		if err != nil {
			panic(err) // the values are texts and numbers
		}
		id := fmt.Sprintf("auth=%[1]s:1;directory=%[1]s:1;realtime=%[1]s:1;visits=%[1]s:%[2]d", e.Epoch, e.Seq)
		h.publish(message{id: id, data: string(data)})
	}
}

func (h *hub) publish(m message) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for client := range h.clients {
		select {
		case client <- m:
		default:
		}
	}
}

func (h *hub) stream(w http.ResponseWriter, r *http.Request) {
	flusher := w.(http.Flusher)
	mine := make(chan message, 64)
	h.mu.Lock()
	h.clients[mine] = struct{}{}
	h.mu.Unlock()
	defer func() {
		h.mu.Lock()
		delete(h.clients, mine)
		h.mu.Unlock()
	}()
	w.Header().Set("Content-Type", "text/event-stream")
	_, _ = fmt.Fprint(w, greeting)
	flusher.Flush()
	beat := time.NewTicker(15 * time.Second)
	defer beat.Stop()
	for {
		select {
		case <-r.Context().Done():
			return
		case <-beat.C:
			_, _ = fmt.Fprint(w, heartbeat)
		case m := <-mine:
			_, _ = fmt.Fprintf(w, "id: %s\ndata: %s\n\n", m.id, m.data)
		}
		flusher.Flush()
	}
}
