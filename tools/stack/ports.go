package stack

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"strconv"
	"sync"
	"syscall"
)

// Ports are picked below the range from which systems take the local end of outgoing connections:
// so a port is still free when its process is started again.
const (
	firstPort = 18000
	lastPort  = 32000
)

const loopback = "127.0.0.1"

// taken are the ports that this launcher has given away or was told to use. One is never given twice: its program may not listen yet.
var taken = struct {
	sync.Mutex
	ports map[int]bool
}{ports: map[int]bool{}}

// reserve keeps a port from being given to another program.
func reserve(port int) {
	taken.Lock()
	defer taken.Unlock()
	taken.ports[port] = true
}

// FreePorts returns n different loopback ports that nobody listens on.
func FreePorts(n int) ([]int, error) {
	taken.Lock()
	defer taken.Unlock()
	ports := make([]int, 0, n)
	for tries := 0; len(ports) < n; tries++ {
		if tries > 1000 {
			return nil, errors.New("no free loopback port found")
		}
		port := firstPort + rand.IntN(lastPort-firstPort)
		if taken.ports[port] {
			continue
		}
		listener, err := net.Listen("tcp", address(port))
		if err != nil {
			continue
		}
		if err := listener.Close(); err != nil {
			return nil, err
		}
		taken.ports[port] = true
		ports = append(ports, port)
	}
	return ports, nil
}

// checkPort returns Advice when the port cannot be listened on.
func checkPort(port int) error {
	if port < 1 || port > 65535 {
		return advise("There is no port %d: choose one from 1 to 65535 with --port.", port)
	}
	listener, err := net.Listen("tcp", address(port))
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return advise("Port %d is in use by another program: stop it, or choose another port with --port.", port)
	case errors.Is(err, syscall.EACCES):
		return advise("Port %d needs more rights than this user has: choose one above 1023 with --port.", port)
	case err != nil:
		return fmt.Errorf("port %d: %w", port, err)
	}
	return listener.Close()
}

func address(port int) string     { return net.JoinHostPort(loopback, strconv.Itoa(port)) }
func httpAddress(port int) string { return "http://" + address(port) }
