package bench

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/redis/go-redis/v9"

	"baari.dev/services/platform/identity"
	"baari.dev/tools/stack"
	"baari.dev/tools/stack/operator"
)

// paces are the measured numbers of streams and of events a second. Idle streams come first and have no events.
var paces = []struct{ streams, perSecond int }{{0, 0}, {1000, 50}, {5000, 10}, {1000, 300}}

// hub is one of the programs that are compared.
type hub struct {
	target
	name string
	pid  int
}

// stream is a benchmark of the live stream.
type stream struct {
	events *standIn
	bus    *redis.Client
	keys   identity.Keys // of visits
	each   time.Duration
}

// Stream compares realtime with a naive hub, on one Redis, one after the other at each pace. each
// is the duration of the events at one pace, idle the number of idle streams. It returns Advice if the user can fix
// the cause of an error.
func Stream(ctx context.Context, options stack.Options, each time.Duration, idle int) (*Report, error) {
	events := newStandIn("pa")
	defer events.close()
	options.NoLimits, options.Link = true, events.link
	realtime, err := stack.StartAlone(ctx, options, "realtime")
	if err != nil {
		return nil, err
	}
	defer realtime.Stop()
	hubs := []hub{{target{hostOf(realtime, "realtime"), "bench"}, "Baari", realtime.Process("realtime").PID}}
	program := filepath.Join(options.Data, "baseline")
	err = options.Progress.Step("building the naive hub", func() error {
		return stack.Run(stack.GoCommand(ctx, filepath.Join(options.Root, "tools"), "build", "-o", program,
			"./measure/bench/baseline"))
	})
	if err != nil {
		return nil, err
	}
	naive, err := startNaive(ctx, realtime, program)
	if err != nil {
		return nil, err
	}
	hubs = append(hubs, naive)
	redisOptions, err := redis.ParseURL(realtime.Redis())
	if err != nil {
		return nil, err
	}
	bus := redis.NewClient(redisOptions)
	defer func() { _ = bus.Close() }()
	keys, err := operator.Keys(realtime, "visits")
	if err != nil {
		return nil, err
	}
	var r *Report
	err = options.Progress.Step("measuring", func() error {
		r, err = (&stream{events, bus, keys, each}).compare(ctx, hubs, idle)
		return err
	})
	return r, err
}

// startNaive starts the program of package baseline beside realtime.
func startNaive(ctx context.Context, realtime *stack.Stack, program string) (h hub, err error) {
	const name = "naive"
	ports, err := stack.FreePorts(1)
	if err != nil {
		return h, err
	}
	host := fmt.Sprintf("127.0.0.1:%d", ports[0])
	spec := stack.Spec{
		Name: name, Path: program, Args: []string{host, realtime.Redis(), visitsChannel}, Env: os.Environ(),
		Port: ports[0],
	}
	err = realtime.RunBeside(ctx, spec, "http://"+host+"/readyz")
	return hub{target{host, "bench"}, name, realtime.Process(name).PID}, err
}

// delivered is the result of one program at one pace.
type delivered struct {
	memory float64 // kB of an idle stream
	cpu    float64 // us of a delivery
	lost   int64
	delays *streams
}

func (s *stream) compare(ctx context.Context, hubs []hub, idle int) (*Report, error) {
	r := newReport()
	table := r.table("streams x events/s %s", "program %s", "CPU of a delivery, us %.2f", "times naive %.2f",
		"kB a stream %.1f", "p50, ms %.1f", "p99, ms %.1f", "lost %d")
	var ratios []float64 // of Baari, by pace
	var idleMemory float64
	var lost int64
	for _, pace := range paces {
		count, name := pace.streams, fmt.Sprintf("%d x %d", pace.streams, pace.perSecond)
		if pace.perSecond == 0 {
			count, name = idle, fmt.Sprintf("%d idle", idle)
		}
		results := make([]delivered, len(hubs))
		for i, h := range hubs {
			var err error
			if results[i], err = s.measure(ctx, h, count, pace.perSecond); err != nil {
				return nil, fmt.Errorf("%s, %s: %w", h.name, name, err)
			}
		}
		for i, d := range results {
			if pace.perSecond == 0 {
				table.add(name, hubs[i].name, nil, nil, d.memory, nil, nil, nil)
				continue
			}
			table.add(name, hubs[i].name, d.cpu, d.cpu/results[1].cpu, nil, d.delays.quantile(.5),
				d.delays.quantile(.99), d.lost)
		}
		ratios = append(ratios, results[0].cpu/results[1].cpu)
		idleMemory = max(idleMemory, results[0].memory)
		lost += results[0].lost
	}
	r.note("%d processors, which generator, Redis and listeners share; %s each", runtime.NumCPU(), s.each)
	r.goal("CPU of a delivery at 1,000 x 50/s, times the naive hub", "<= 0.8", ratios[1])
	r.goal("CPU of a delivery at 1,000 x 300/s, times the naive hub", "<= 0.5", ratios[3])
	r.goal(fmt.Sprintf("kB of one of %d idle streams", idle), "<= 16", idleMemory)
	r.goal("lost", "0", float64(lost))
	return r, nil
}

// measure opens streams and publishes events at a rate; at rate 0 it measures the memory of the streams.
func (s *stream) measure(ctx context.Context, h hub, count, perSecond int) (d delivered, err error) {
	empty, err := megabytes(h.pid)
	if err != nil {
		return d, err
	}
	if d.delays, err = openStreams(ctx, h.target, "pa", standInUser, count); err != nil {
		return d, err
	}
	defer func() { // the end of these streams must not be counted in the next measurement
		d.delays.close()
		err = errors.Join(err, awaitIdle(ctx, h.pid))
	}()
	if err := stack.Pause(ctx, settling); err != nil {
		return d, err
	}
	if perSecond == 0 {
		full, err := megabytes(h.pid)
		d.memory = (full - empty) * 1e3 / float64(count)
		return d, err
	}
	var wanted int64
	used, err := spent([]int{h.pid}, func() error {
		events, err := s.events.publish(ctx, s.bus, s.keys, perSecond, s.each)
		wanted = int64(events) * int64(count)
		d.delays.await(wanted)
		return err
	})
	if err != nil {
		return d, err
	}
	received := d.delays.received.Load()
	d.lost, d.cpu = wanted-received, microseconds(used[0])/float64(max(received, 1))
	return d, nil
}
