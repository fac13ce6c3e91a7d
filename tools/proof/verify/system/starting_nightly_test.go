//go:build nightly

package system

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"baari.dev/tools/stack"
)

// Sizes and limits of T27 (services/docs/gates.md).
const (
	readyWithin = time.Minute
	serversLate = 30 * time.Second
	orders      = 12 // the usual order, its reverse, and ten random ones
)

var allPrograms = append([]string{"gateway"}, stack.Services...)

// T27: the programs are started a second apart. In whatever order, all are ready within a minute, and none exits
// because another is missing.
func TestTheProgramsStartInAnyOrder(t *testing.T) {
	chosen := [][]string{append([]string{}, allPrograms...), reversed(allPrograms)}
	for len(chosen) < orders {
		order := append([]string{}, allPrograms...)
		rand.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		chosen = append(chosen, order)
	}
	for _, order := range chosen {
		before := running.Restarts()
		for _, name := range allPrograms {
			mustSignal(t, name, syscall.SIGKILL)
		}
		for _, name := range allPrograms { // each program is paused (SIGSTOP) just after its restart
			for running.Restarts()[name] == before[name] {
				time.Sleep(time.Millisecond)
			}
			mustSignal(t, name, syscall.SIGSTOP)
		}
		started := time.Now()
		for _, name := range order {
			mustSignal(t, name, syscall.SIGCONT)
			time.Sleep(time.Second)
		}
		awaitAllReady(t, running, readyWithin)
		for name, restarts := range running.Restarts() {
			if extra := restarts - before[name]; extra > 1 {
				t.Errorf("in the order %v %s exited %d times", order, name, extra-1)
			}
		}
		t.Logf("%s after %s", strings.Join(order, " "), time.Since(started).Round(time.Millisecond))
	}
}

// T27: if PostgreSQL and Redis start 30 s after the programs, all are ready within a minute, and no program restarts.
func TestTheProgramsWaitForPostgreSQLAndRedis(t *testing.T) {
	ports, err := stack.FreePorts(1)
	if err != nil {
		t.Fatal(err)
	}
	late := &lateDoors{opens: make(chan struct{})}
	defer late.close()
	go func() {
		time.Sleep(serversLate)
		close(late.opens)
	}()
	started := time.Now()
	system, err := stack.Start(context.Background(), stack.Options{
		Root: root, Data: t.TempDir(), Port: ports[0], Gateway: stack.Embedded, NoLimits: true,
		Progress: stack.NewProgress(os.Stderr),
		Link: func(_, to, address string) (string, error) {
			if to != "postgres" && to != "redis" {
				return address, nil
			}
			return late.before(address)
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer system.Stop()
	for name, restarts := range system.Restarts() {
		if restarts > 0 {
			t.Errorf("%s exited %d times", name, restarts)
		}
	}
	t.Logf("ready %s after the start", time.Since(started).Round(time.Millisecond))
}

// lateDoors are proxies in front of servers. They reject connections until opens is closed.
type lateDoors struct {
	opens chan struct{}
	mu    sync.Mutex
	doors []net.Listener
}

// before returns the address of a proxy that forwards to address.
func (l *lateDoors) before(address string) (string, error) {
	ports, err := stack.FreePorts(1)
	if err != nil {
		return "", err
	}
	door := fmt.Sprintf("127.0.0.1:%d", ports[0])
	go func() {
		<-l.opens
		listener, err := net.Listen("tcp", door)
		if err != nil {
			return // the programs report that the connection was refused
		}
		l.mu.Lock()
		l.doors = append(l.doors, listener)
		l.mu.Unlock()
		for {
			connection, err := listener.Accept()
			if errors.Is(err, net.ErrClosed) {
				return
			}
			if err == nil {
				go lead(connection, address)
			}
		}
	}()
	return door, nil
}

func (l *lateDoors) close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, door := range l.doors {
		_ = door.Close()
	}
}

// lead copies a connection in both directions until one side ends.
func lead(guest net.Conn, address string) {
	defer func() { _ = guest.Close() }()
	host, err := net.Dial("tcp", address)
	if err != nil {
		return
	}
	defer func() { _ = host.Close() }()
	done := make(chan struct{}, 2)
	for from, to := range map[net.Conn]net.Conn{guest: host, host: guest} {
		go func() {
			_, _ = io.Copy(to, from)
			done <- struct{}{}
		}()
	}
	<-done
}

func reversed(names []string) (back []string) {
	for _, name := range names {
		back = append([]string{name}, back...)
	}
	return back
}

func mustSignal(t *testing.T, name string, signal syscall.Signal) {
	t.Helper()
	if _, err := running.Signal(name, signal); err != nil {
		t.Fatal(err)
	}
}

func awaitAllReady(t *testing.T, system *stack.Stack, limit time.Duration) {
	t.Helper()
	deadline := time.Now().Add(limit)
	for _, process := range system.Processes() {
		if process.AdminPort == 0 {
			continue
		}
		for {
			answer, err := http.Get(fmt.Sprintf("http://127.0.0.1:%d/readyz", process.AdminPort))
			if err == nil {
				_ = answer.Body.Close()
				if answer.StatusCode == http.StatusOK {
					break
				}
			}
			if time.Now().After(deadline) {
				t.Fatalf("%s is not ready after %s", process.Name, limit)
			}
			time.Sleep(50 * time.Millisecond)
		}
	}
}
