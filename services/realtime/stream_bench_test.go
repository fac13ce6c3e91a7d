package realtime

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"runtime/debug"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"baari.dev/services/contract"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/postgres"
	"baari.dev/services/platform/process"
	"baari.dev/services/platform/testkit"
	"baari.dev/services/platform/testkit/port"
)

const (
	streamEach     = 10 * time.Second
	streamSettling = 5 * time.Second // time for a program to release what it needed to open streams
)

// streamBench has the dependencies of both hubs in BenchmarkStream.
type streamBench struct {
	clients *testkit.Child
	sources map[string]string
	redis   *testkit.Redis
	db      *testkit.Database
}

// BenchmarkStream runs the service realtime and a naive hub in turns, on one durable PostgreSQL and one Redis. A second
// process opens streams, publishes events and acts as auth, directory and visits. The benchmark reports the
// processor time per delivery and the resident memory per idle stream, for each hub and as a ratio. Run it with the
// variables that `baari deps --durable` prints:
//
//	go test -run - -bench 'Stream$' -benchtime 1x ./realtime
//
// With -short, events are published for only two seconds.
func BenchmarkStream(b *testing.B) {
	s := &streamBench{
		clients: testkit.StartChild(b), redis: testkit.NewRedis(b), db: testkit.NewDatabase(b, Migrations()...),
	}
	if err := postgres.AssertDurable(b.Context(), s.db.Pool); err != nil {
		b.Fatalf("run `go run ./tools/baari deps --durable` and set what it prints: %v", err)
	}
	s.sources = testkit.Ask[streamAnswer](b, s.clients, streamOrder{}).Sources
	for _, pace := range []struct{ streams, perSecond int }{{10_000, 0}, {1000, 50}, {5000, 10}, {1000, 300}} {
		b.Run(fmt.Sprintf("%dx%d", pace.streams, pace.perSecond), func(b *testing.B) {
			for b.Loop() {
				unit := "us/delivery"
				if pace.perSecond == 0 {
					unit = "kB/stream"
				}
				// The service is measured first, because otherwise its streams could reuse memory that the naive hub
				// has freed.
				ours := s.measure(b, s.runRealtime, pace.streams, pace.perSecond)
				naive := s.measure(b, s.runNaive, pace.streams, pace.perSecond)
				b.ReportMetric(naive.cost, "naive-"+unit)
				b.ReportMetric(ours.cost, unit)
				b.ReportMetric(ours.cost/naive.cost, "ratio")
				b.ReportMetric(ours.P50.Seconds()*1e3, "p50-ms")
				b.ReportMetric(ours.P99.Seconds()*1e3, "p99-ms")
				if ours.Lost != 0 {
					b.Errorf("%d of %d deliveries are lost", ours.Lost, ours.Wanted)
				}
			}
		})
	}
}

// delivered is the result for one hub at one rate.
type delivered struct {
	streamAnswer
	cost float64 // kB of memory per stream if no events are published, else microseconds of processor time per delivery
}

// measure starts a hub with run, opens streams and lets the second process publish perSecond events a second.
func (s *streamBench) measure(
	b *testing.B, run func(*testing.B) (host string, stop func()), streams, perSecond int,
) (d delivered) {
	b.Helper()
	host, stop := run(b)
	defer stop()
	debug.FreeOSMemory()
	empty := resident(b)
	testkit.Ask[streamAnswer](b, s.clients, streamOrder{Host: host, Open: streams})
	defer testkit.Ask[streamAnswer](b, s.clients, streamOrder{Close: true})
	<-time.After(streamSettling)
	if perSecond == 0 {
		d.cost = (resident(b) - empty) / 1e3 / float64(streams)
		return d
	}
	order := streamOrder{Redis: s.redis.URL, PerSecond: perSecond, Lasting: streamEach}
	if testing.Short() {
		order.Lasting = 2 * time.Second
	}
	before := processorTime(b)
	d.streamAnswer = testkit.Ask[streamAnswer](b, s.clients, order)
	d.cost = float64((processorTime(b) - before).Microseconds()) / float64(max(1, d.Wanted-d.Lost))
	return d
}

// runRealtime runs the service without limits until stop is called. host is its address.
func (s *streamBench) runRealtime(b *testing.B) (host string, stop func()) {
	env := process.Environment{
		"HOST": "127.0.0.1", "LIMITS": "off", "LOG_LEVEL": "error", "SHUTDOWN_DELAY": "0s", "DRAIN_TIMEOUT": "2s",
		"DATABASE_URL": s.db.URL, "MIGRATE_DATABASE_URL": s.db.OwnerURL, "REDIS_URL": s.redis.URL,
		"SERVICE_KEY":         testkit.PrivateKey(contract.SourceRealtime),
		"SERVICE_PUBLIC_KEYS": testkit.PublicKeys(),
	}
	for _, name := range []string{"PORT", "INTERNAL_PORT", "ADMIN_PORT"} {
		env[name] = strconv.Itoa(port.Free(b))
	}
	env["REALTIME_URL"] = "http://127.0.0.1:" + env["INTERNAL_PORT"]
	for name, address := range s.sources {
		env[strings.ToUpper(name)+"_URL"] = address
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- process.Run(ctx, env, process.Group{Targets: []process.Target{Target()}}) }()
	testkit.Eventually(b, "realtime is ready", func() bool {
		answer, err := http.Get("http://127.0.0.1:" + env["ADMIN_PORT"] + "/readyz")
		if err != nil {
			return false
		}
		_ = answer.Body.Close()
		return answer.StatusCode == http.StatusOK
	})
	return "127.0.0.1:" + env["PORT"], func() {
		cancel()
		if err := <-ended; err != nil {
			b.Error(err)
		}
	}
}

// runNaive runs the naive hub until stop is called. host is its address.
func (s *streamBench) runNaive(b *testing.B) (host string, stop func()) {
	options, err := redis.ParseURL(s.redis.URL)
	if err != nil {
		b.Fatal(err)
	}
	client := redis.NewClient(options)
	h := &naiveHub{clients: map[chan naiveMessage]struct{}{}}
	unfollow := testkit.Background(b, func(ctx context.Context) error {
		return h.follow(ctx, client, outbox.Channel(contract.SourceVisits))
	})
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	server := &http.Server{Handler: h, ReadHeaderTimeout: 5 * time.Second}
	go func() { _ = server.Serve(listener) }()
	return listener.Addr().String(), func() {
		_ = server.Close()
		unfollow()
		_ = client.Close()
	}
}

func processorTime(b *testing.B) time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		b.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// resident returns the resident memory of this process in bytes.
func resident(b *testing.B) float64 {
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		b.Fatal(err)
	}
	pages, err := strconv.Atoi(string(bytes.Fields(text)[1]))
	if err != nil {
		b.Fatal(err)
	}
	return float64(pages * os.Getpagesize())
}
