package stack

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"strconv"
	"sync"
	"syscall"
)

// FreePorts chooses ports below the ephemeral range, so that no outgoing connection takes a restarting program's port.
const (
	firstPort = 18000
	lastPort  = 32000
)

const loopback = "127.0.0.1"

// reserved holds the ports that this launcher has allocated or was configured with. For each of them, this process
// keeps a UDP socket on the same port number open until it ends. Another launcher that finds the UDP socket taken does
// not use the TCP port. So no port is allocated twice on one machine, even by launchers of different users, and even
// while its program does not listen yet or restarts.
var reserved = struct {
	sync.Mutex
	ports map[int]io.Closer
}{ports: map[int]io.Closer{}}

var errReserved = errors.New("the port is reserved by another launcher")

func reserve(port int) error {
	reserved.Lock()
	defer reserved.Unlock()
	if reserved.ports[port] != nil {
		return nil
	}
	return reserveLocked(port)
}

func reserveLocked(port int) error {
	socket, err := (&net.ListenConfig{}).ListenPacket(context.Background(), "udp", address(port))
	if err != nil {
		return fmt.Errorf("%w: %w", errReserved, err)
	}
	reserved.ports[port] = socket
	return nil
}

// FreePorts returns n different free loopback ports, reserved for the programs of this launcher.
func FreePorts(n int) ([]int, error) {
	reserved.Lock()
	defer reserved.Unlock()
	ports := make([]int, 0, n)
	for tries := 0; len(ports) < n; tries++ {
		if tries > 1000+10*n {
			return nil, errors.New("no free loopback port found")
		}
		port := firstPort + rand.IntN(lastPort-firstPort)
		if reserved.ports[port] != nil || reserveLocked(port) != nil {
			continue
		}
		listener, err := net.Listen("tcp", address(port))
		// If the port is in use, it stays reserved, so that FreePorts does not try it again.
		if err != nil {
			continue
		}
		if err := listener.Close(); err != nil {
			return nil, err
		}
		ports = append(ports, port)
	}
	return ports, nil
}

// checkPort reserves a port that the user has chosen. It returns Advice if the port cannot be listened on.
func checkPort(port int) error {
	if port < 1 || port > 65535 {
		return advise("There is no port %d: choose one from 1 to 65535 with --port.", port)
	}
	if err := reserve(port); errors.Is(err, syscall.EADDRINUSE) {
		return advise("Port %d is in use by another launcher: stop it, or choose another port with --port.", port)
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
