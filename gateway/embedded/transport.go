package embedded

import (
	"context"
	"errors"
	"net"
	"net/http"
	"syscall"
	"time"
)

var (
	errTooSlow = errors.New("no answer within the limit")
	errBody    = errors.New("the request's body could not be read")
)

// patience is how long a refused connection is tried again: a service that restarts finishes its requests, which may take it two seconds under
// the launcher, and is back in less than one.
const patience = 3 * time.Second

// newTransport makes connections with buffers of these sizes; a stream keeps its own as long as it is open.
func newTransport(read, write int) *http.Transport {
	return &http.Transport{
		DialContext:           dialPatiently(&net.Dialer{Timeout: 2 * time.Second, KeepAlive: 15 * time.Second}),
		MaxIdleConnsPerHost:   128,
		IdleConnTimeout:       60 * time.Second, // below the services' 75 s, so that the gateway closes first
		DisableCompression:    true,             // the client's Accept-Encoding is passed on as it is
		ReadBufferSize:        read,
		WriteBufferSize:       write,
		ExpectContinueTimeout: time.Second,
	}
}

// dialPatiently tries a refused connection again for a short while; nothing has been sent, so every method may wait.
func dialPatiently(dialer *net.Dialer) func(ctx context.Context, network, address string) (net.Conn, error) {
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		for end := time.Now().Add(patience); ; {
			conn, err := dialer.DialContext(ctx, network, address)
			if !errors.Is(err, syscall.ECONNREFUSED) || time.Now().After(end) {
				return conn, err
			}
			select {
			case <-ctx.Done():
				return nil, err
			case <-time.After(25 * time.Millisecond):
			}
		}
	}
}

// limited gives up when the answer's header does not come within the limit.
type limited struct {
	next  http.RoundTripper
	limit time.Duration
}

// RoundTrip sends r. It returns errTooSlow after the limit.
func (l *limited) RoundTrip(r *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithCancelCause(r.Context()) // released with the client's request, after the answer's body
	timer := time.AfterFunc(l.limit, func() { cancel(errTooSlow) })
	defer timer.Stop()
	res, err := l.next.RoundTrip(r.WithContext(ctx))
	if err != nil && errors.Is(context.Cause(ctx), errTooSlow) {
		return nil, errTooSlow
	}
	return res, err
}
