package realtime

import (
	"io"
	"net"
	"testing"
	"time"

	"baari.dev/services/contract"
)

// BenchmarkDelivery publishes events to a thousand streams over sockets. It publishes an event when the previous one
// has been written to every stream. For profiles:
//
//	go test -run - -bench Delivery -benchtime 300x -cpuprofile cpu.out -memprofile mem.out ./realtime
func BenchmarkDelivery(b *testing.B) {
	const streams = 1000
	r := newRig(b, Limits{})
	r.begin(0, 0)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	defer listener.Close()
	caller, _ := r.people.Verify(b.Context(), "token-pa")
	for range streams {
		reader, err := net.Dial("tcp", listener.Addr().String())
		if err != nil {
			b.Fatal(err)
		}
		defer reader.Close()
		go func() { _, _ = io.Copy(io.Discard, reader) }()
		conn, err := listener.Accept()
		if err != nil {
			b.Fatal(err)
		}
		s, _, _, err := r.hub.join(caller)
		if err != nil {
			b.Fatal(err)
		}
		s.attach(conn)
		s.release(nil)
		go s.listen(r.hub)
	}
	stop := inBackground(b, r.hub.Run)
	for n := range b.N {
		r.deliver("visits", visitEvent(contract.VisitCreated, int64(n+1)))
		for busy := true; busy; {
			time.Sleep(time.Millisecond)
			busy = r.waiting()
		}
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/streams, "us/delivery")
	stop()
}

// waiting reports whether any stream has frames that are queued or being written.
func (r *rig) waiting() bool {
	r.hub.mu.Lock()
	defer r.hub.mu.Unlock()
	for _, s := range r.hub.streams {
		s.mu.Lock()
		waits := s.events > 0
		s.mu.Unlock()
		if waits {
			return true
		}
	}
	return false
}
