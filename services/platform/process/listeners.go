package process

import (
	"errors"
	"fmt"
	"net"
	"strconv"
	"syscall"

	"baari.dev/services/platform/framing"
)

// bind opens the listeners of a target. If a port is invalid, bind opens none, because Configure returns the error.
func (p *Process) bind(env Environment) (err error) {
	var at struct {
		Host         string `env:"HOST"`
		Port         int    `env:"PORT" envDefault:"8080"`
		InternalPort int    `env:"INTERNAL_PORT" envDefault:"8081"`
	}
	unreadable := env.Read(&at)
	if unreadable != nil || !isPort(at.Port) || !isPort(at.InternalPort) {
		return nil //nolint:nilerr // Configure reads the same variables and returns the error
	}
	if p.public, err = listen(at.Host, at.Port); err != nil || !p.target.service() {
		return err
	}
	p.internal, err = listen(at.Host, at.InternalPort)
	return err
}

func listen(host string, port int) (net.Listener, error) {
	listener, err := net.Listen("tcp", net.JoinHostPort(host, strconv.Itoa(port)))
	if errors.Is(err, syscall.EADDRINUSE) {
		return nil, fmt.Errorf("port %d is in use by another program", port)
	}
	if err != nil {
		return nil, err
	}
	return framing.Listen(listener), nil
}

// unbind closes the listeners. A server may have closed some of them already.
func (r *running) unbind() {
	all := []net.Listener{r.admin}
	for _, p := range r.processes {
		all = append(all, p.public, p.internal)
	}
	for _, listener := range all {
		if listener != nil {
			_ = listener.Close()
		}
	}
}

func portOf(listener net.Listener) int {
	if listener == nil {
		return 0
	}
	at, _ := listener.Addr().(*net.TCPAddr)
	return at.Port
}
