package realtime

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"

	"baari.dev/services/contract"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/testkit"
)

// streamOrder is one task for the clients' process: to open streams at a host, to publish events on a Redis, or to
// close the streams. An empty order only returns the addresses.
type streamOrder struct {
	Host      string
	Open      int
	Redis     string
	PerSecond int
	Lasting   time.Duration
	Close     bool
}

// streamAnswer is the result of a streamOrder. Sources has, by name, the addresses at which the clients' process acts
// as auth, directory and visits.
type streamAnswer struct {
	Sources      map[string]string
	Wanted, Lost int64
	P50, P99     time.Duration
}

// benchUser is the user of every session token.
var benchUser = testkit.ID("bench")

// mark begins the visitor's name in each event and occurs nowhere else. After it, the name has the event's time, in
// nanoseconds.
const mark = '~'

const (
	timedOf     = 50 // one in this many streams records delays, because recording takes time
	openAtOnce  = 32
	quietStreak = 30 // tenths of a second without an event, after which no more events are expected
)

// streamClients is the clients' process. It has streams that count events, and acts as auth, directory and visits.
type streamClients struct {
	epoch   string
	sources map[string]string

	mu     sync.Mutex
	events []jsontext.Value // events of visits; the first has the sequence number 1

	conns    []net.Conn
	reading  sync.WaitGroup
	received atomic.Int64
	timing   sync.Mutex
	delays   []time.Duration
}

// newStreamClients starts servers that act as auth, directory and visits until the process ends.
func newStreamClients() *streamClients {
	c := &streamClients{epoch: uuid.NewString(), sources: map[string]string{}}
	for _, source := range []string{contract.SourceAuth, contract.SourceDirectory, contract.SourceVisits} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			switch r.URL.Path {
			case "/internal/introspect":
				answerJSON(w, http.StatusOK, map[string]any{
					"active": true, "session_id": "bench", "expires_at": time.Now().Add(time.Hour),
					"user": map[string]any{
						"id": benchUser, "name": "Bench", "email": "bench@example.com", "role": contract.RolePA, "isActive": true,
					},
				})
			case "/internal/sessions/active":
				answerJSON(w, http.StatusOK, map[string]any{"sessions": []any{}})
			case "/internal/events":
				c.feed(w, r, source)
			default:
				http.NotFound(w, r)
			}
		}))
		c.sources[source] = server.URL
	}
	return c
}

func answerJSON(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.MarshalWrite(w, body)
}

// feed responds with a page of a source's events. Only visits has events.
func (c *streamClients) feed(w http.ResponseWriter, r *http.Request, source string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	page := map[string]any{"source": source, "epoch": c.epoch, "head": 0, "begins": 0, "events": []jsontext.Value{}}
	status := http.StatusOK
	if epoch := r.URL.Query().Get("epoch"); epoch != "" && epoch != c.epoch {
		status = http.StatusConflict
	}
	if source == contract.SourceVisits {
		page["head"] = len(c.events)
		after, err := strconv.Atoi(r.URL.Query().Get("after"))
		if err == nil && status == http.StatusOK && after < len(c.events) {
			page["events"] = c.events[after:min(after+500, len(c.events))]
		}
	}
	answerJSON(w, status, page)
}

func (c *streamClients) do(order streamOrder) (answer streamAnswer, err error) {
	answer.Sources = c.sources
	switch {
	case order.Open > 0:
		return answer, c.open(order.Host, order.Open)
	case order.Close:
		c.close()
		return answer, nil
	case order.PerSecond == 0:
		return answer, nil
	}
	events, err := c.publish(order)
	answer.Wanted = int64(events * len(c.conns))
	c.await(answer.Wanted)
	answer.Lost = answer.Wanted - c.received.Load()
	c.timing.Lock()
	defer c.timing.Unlock()
	slices.Sort(c.delays)
	if n := len(c.delays); n > 0 {
		answer.P50, answer.P99 = c.delays[n/2], c.delays[n*99/100]
	}
	return answer, err
}

// open opens streams and returns when each has received its first frame.
func (c *streamClients) open(host string, count int) error {
	c.conns, c.delays = make([]net.Conn, count), nil
	c.received.Store(0)
	errs := make(chan error, count)
	var opening sync.WaitGroup
	places := make(chan int)
	for range openAtOnce {
		opening.Go(func() {
			for i := range places {
				var err error
				if c.conns[i], err = openStream(host); err != nil {
					errs <- fmt.Errorf("stream %d: %w", i, err)
				}
			}
		})
	}
	for i := range count {
		places <- i
	}
	close(places)
	opening.Wait()
	if len(errs) > 0 {
		return <-errs
	}
	for i, conn := range c.conns {
		c.reading.Go(func() { c.read(conn, i%timedOf == 0) })
	}
	return nil
}

func openStream(host string) (net.Conn, error) {
	conn, err := net.Dial("tcp", host)
	if err != nil {
		return nil, err
	}
	_, err = fmt.Fprintf(conn, "GET /api/stream?role=pa&user_id=%s HTTP/1.1\r\nHost: realtime\r\n"+
		"Authorization: Bearer bench\r\n\r\n", benchUser)
	if err != nil {
		return conn, err
	}
	var head []byte
	piece := make([]byte, 2048)
	for !bytes.Contains(head, []byte(`"connection"`)) || !bytes.Contains(head, []byte("\n\n")) {
		n, err := conn.Read(piece)
		if err != nil {
			return conn, fmt.Errorf("received %q and no first frame: %w", head, err)
		}
		head = append(head, piece[:n]...)
	}
	return conn, nil
}

// read counts events until the stream ends.
func (c *streamClients) read(conn net.Conn, timed bool) {
	buffer := make([]byte, 4<<10)
	if timed {
		buffer = make([]byte, 64<<10)
	}
	for {
		n, err := conn.Read(buffer)
		if err != nil {
			return
		}
		c.received.Add(int64(bytes.Count(buffer[:n], []byte{mark})))
		if timed {
			c.record(buffer[:n], time.Now())
		}
	}
}

// record appends the delays of the events in a piece of the stream. It skips an event whose time is incomplete in the
// piece.
func (c *streamClients) record(piece []byte, now time.Time) {
	c.timing.Lock()
	defer c.timing.Unlock()
	for _, event := range bytes.Split(piece, []byte{mark})[1:] {
		text, _, whole := bytes.Cut(event, []byte{'"'})
		if sent, err := strconv.ParseInt(string(text), 10, 64); whole && err == nil {
			c.delays = append(c.delays, now.Sub(time.Unix(0, sent)))
		}
	}
}

// await returns when the wanted number of events have arrived, or when none has arrived during quietStreak.
func (c *streamClients) await(wanted int64) {
	looks := time.NewTicker(100 * time.Millisecond)
	defer looks.Stop()
	for last, quiet := int64(-1), 0; c.received.Load() < wanted && quiet < quietStreak; {
		<-looks.C
		now := c.received.Load()
		if quiet++; now != last {
			last, quiet = now, 0
		}
	}
}

func (c *streamClients) close() {
	for _, conn := range c.conns {
		_ = conn.Close()
	}
	c.reading.Wait()
}

// publish publishes events at the ordered rate for the ordered time, as the relay of visits does, and returns their
// number.
func (c *streamClients) publish(order streamOrder) (int, error) {
	options, err := redis.ParseURL(order.Redis)
	if err != nil {
		return 0, err
	}
	bus, keys := redis.NewClient(options), testkit.Keys(contract.SourceVisits)
	defer func() { _ = bus.Close() }()
	channel := outbox.Channel(contract.SourceVisits)
	every := time.Second / time.Duration(order.PerSecond)
	began := time.Now()
	total := int(order.Lasting / every)
	for n := range total {
		<-time.After(time.Until(began.Add(time.Duration(n) * every)))
		message := outbox.Signed(keys, channel, c.next())
		if err := bus.Publish(context.Background(), channel, message).Err(); err != nil {
			return n, err
		}
	}
	return total, nil
}

// next appends the event of a new visit, in the form in which visits publishes it, and returns the event.
func (c *streamClients) next() []byte {
	c.mu.Lock()
	defer c.mu.Unlock()
	seq, now, id := len(c.events)+1, time.Now(), uuid.NewString()
	text, err := json.Marshal(map[string]any{
		"id": uuid.NewString(), "source": contract.SourceVisits, "epoch": c.epoch, "seq": seq,
		"type": contract.VisitCreated, "time": now.UTC().Format(time.RFC3339Nano), "request_id": id, "actor": nil,
		"version": 1, "before": nil, "subject": map[string]any{"entity": "visit", "id": id}, "traceparent": "",
		"after": map[string]any{
			"id": id, "token_no": seq, "token": fmt.Sprintf("T-%03d", seq), "phone": "9876543210",
			"name": fmt.Sprintf("%c%d", mark, now.UnixNano()), "service_id": id,
			"service_name": "Income tax return", "status": "new", "version": 1,
		},
	})
	if err != nil {
		panic(err) // these values always marshal
	}
	c.events = append(c.events, text)
	return text
}
