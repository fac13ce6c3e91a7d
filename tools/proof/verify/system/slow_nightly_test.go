//go:build nightly

package system

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"baari.dev/services/platform/testkit"
	"baari.dev/tools/stack"
)

// Sizes and limits of T12 (services/docs/gates.md). cutHalf and cutSlow include a second for a machine with other load.
const (
	halfRequests, slowBodies, deafStreams = 500, 100, 200

	cutHalf = 5*time.Second + time.Second
	cutSlow = 10*time.Second + time.Second
	calmed  = 10 * time.Second
)

// T12: clients that never end a request, send slowly or do not read are disconnected or tolerated. Others keep their
// latency, and no resources stay in use. Load of other programs may spoil a round, so one of three must pass.
func TestSlowClientsDoNotDelayOthers(t *testing.T) {
	o := gateway(t)
	reception := o.shared["reception"][0]
	var report []string
	for range 3 {
		calm := goroutines(t, running)
		usual := slowest(t, o.way, reception)
		var slow sync.WaitGroup
		slow.Go(func() { mustBeCut(t, halfRequests, cutHalf, halfRequest) })
		slow.Go(func() { mustBeCut(t, slowBodies, cutSlow, slowBody(reception)) })
		deaf := listenDeaf(t, reception)
		meanwhile := slowest(t, o.way, reception)
		slow.Wait()
		for _, connection := range deaf {
			_ = connection.Close()
		}
		mustCalmDown(t, running, calm)
		if meanwhile < 2*usual {
			t.Logf("p99 of other clients %s, normally %s", meanwhile, usual)
			return
		}
		report = append(report, fmt.Sprintf("p99 of other clients %s, normally %s", meanwhile, usual))
	}
	t.Errorf("slow clients delay others: %v", report)
}

// slowest returns the p99 of a user's list requests.
func slowest(t *testing.T, w way, p *person) time.Duration {
	t.Helper()
	times := make([]time.Duration, 300)
	for i := range times {
		started := time.Now()
		if got := w.send(t, p, ask{method: "GET", path: "/api/visits/today"}); got.status != http.StatusOK {
			t.Errorf("a list answered %d", got.status)
		}
		times[i] = time.Since(started)
	}
	slices.Sort(times)
	return times[len(times)*99/100]
}

// slowClient writes a request to a connection, slowly or only in part.
type slowClient func(connection net.Conn) error

func halfRequest(connection net.Conn) error {
	_, err := connection.Write([]byte("GET /api/visits/today HTTP/1.1\r\nHost: office\r\nX-Half: "))
	return err
}

// slowBody sends a body one byte a second.
func slowBody(p *person) slowClient {
	return func(connection net.Conn) error {
		_, err := fmt.Fprintf(connection, "POST /api/visits HTTP/1.1\r\nHost: office\r\nAuthorization: Bearer %s\r\n"+
			"Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{", p.token)
		for err == nil {
			time.Sleep(time.Second)
			_, err = connection.Write([]byte(" "))
		}
		return nil // The server closed the connection.
	}
}

// mustBeCut opens connections concurrently and fails unless the server closes each within the limit.
func mustBeCut(t *testing.T, clients int, limit time.Duration, client slowClient) {
	t.Helper()
	var all sync.WaitGroup
	for range clients {
		all.Go(func() {
			connection := dial(t)
			defer func() { _ = connection.Close() }()
			started := time.Now()
			go func() { _ = client(connection) }()
			_ = connection.SetReadDeadline(started.Add(2 * limit))
			answer := bufio.NewReader(connection)
			for {
				if _, err := answer.ReadByte(); err != nil {
					break
				}
			}
			if took := time.Since(started); took > limit {
				t.Errorf("a slow client was held for %s, want at most %s", took, limit)
			}
		})
	}
	all.Wait()
}

// listenDeaf opens streams and does not read from them.
func listenDeaf(t *testing.T, p *person) []net.Conn {
	t.Helper()
	streams := make([]net.Conn, deafStreams)
	for i := range streams {
		streams[i] = dial(t)
		if err := streams[i].(*net.TCPConn).SetReadBuffer(1 << 12); err != nil {
			t.Fatal(err)
		}
		if _, err := fmt.Fprintf(
			streams[i], "GET /api/stream%s HTTP/1.1\r\nHost: office\r\nAuthorization: Bearer %s\r\n\r\n",
			query("role", p.role, "user_id", p.id), p.token,
		); err != nil {
			t.Fatal(err)
		}
	}
	testkit.Eventually(t, "all streams are open", func() bool {
		return metric(t, running, "realtime", `baari_sse_clients\{[^}]*\}`) >= deafStreams
	})
	return streams
}

func dial(t *testing.T) net.Conn {
	t.Helper()
	at, err := url.Parse(running.URL())
	if err != nil {
		t.Fatal(err)
	}
	connection, err := net.Dial("tcp", net.JoinHostPort("127.0.0.1", at.Port()))
	if err != nil {
		t.Fatal(err)
	}
	return connection
}

// goroutines returns the number of goroutines of the programs that slow clients reach, keyed by program.
func goroutines(t *testing.T, system *stack.Stack) map[string]float64 {
	t.Helper()
	counts := map[string]float64{}
	for _, name := range []string{"gateway", "visits", "realtime"} {
		counts[name] = metric(t, system, name, "go_goroutines")
	}
	return counts
}

// mustCalmDown waits until the programs have no more goroutines than before, apart from those of idle connections.
func mustCalmDown(t *testing.T, system *stack.Stack, before map[string]float64) {
	t.Helper()
	const kept = 40
	started := time.Now()
	for {
		now, calm := goroutines(t, system), true
		for name, count := range now {
			calm = calm && count <= before[name]+kept
		}
		switch {
		case calm:
			return
		case time.Since(started) > calmed:
			t.Fatalf("after %s %v run, before it were %v", calmed, now, before)
		}
		time.Sleep(100 * time.Millisecond)
	}
}

// metric returns the sum of a program's samples whose name with labels matches the pattern.
func metric(t *testing.T, system *stack.Stack, program, pattern string) (sum float64) {
	t.Helper()
	for _, process := range system.Processes() {
		if process.Name != program {
			continue
		}
		answer, err := http.Get(fmt.Sprintf("http://127.0.0.1:%d/metrics", process.AdminPort))
		if err != nil {
			t.Fatal(err)
		}
		text := readAll(t, answer)
		_ = answer.Body.Close()
		for _, match := range regexp.MustCompile(`(?m)^`+pattern+` (\S+)$`).FindAllStringSubmatch(text, -1) {
			value, err := strconv.ParseFloat(strings.TrimSpace(match[1]), 64)
			if err != nil {
				t.Fatal(err)
			}
			sum += value
		}
	}
	return sum
}
