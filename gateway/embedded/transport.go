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
	errTooSlow = errors.New("no response within the limit")
	errBody    = errors.New("the request's body could not be read")
)

// patience is how long the gateway retries a refused connection. When `baari up` restarts a service, the service needs
// up to two seconds to finish its requests, and less than one second to start.
const patience = 3 * time.Second

// newTransport returns a transport whose connections have buffers of these sizes, in bytes. Each open stream keeps its
// connection and thus two buffers.
func newTransport(read, write int) *http.Transport {
	return &http.Transport{
		DialContext:           dialPatiently(&net.Dialer{Timeout: 2 * time.Second, KeepAlive: 15 * time.Second}),
		MaxIdleConnsPerHost:   128,
		IdleConnTimeout:       60 * time.Second, // below the services' 75 s, so that the gateway closes first
		DisableCompression:    true,             // the client's Accept-Encoding is forwarded
		ReadBufferSize:        read,
		WriteBufferSize:       write,
		ExpectContinueTimeout: time.Second,
	}
}

// dialPatiently dials again after a refused connection until patience is over. Nothing has been sent yet, so this is
// safe for every method.
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

// limited is a transport with a timeout for the response's header.
type limited struct {
	next  http.RoundTripper
	limit time.Duration
}

// RoundTrip sends r. It returns errTooSlow if the response's header does not arrive within the limit.
func (l *limited) RoundTrip(r *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithCancelCause(r.Context()) // not cancelled on return, because the body is read later
	timer := time.AfterFunc(l.limit, func() { cancel(errTooSlow) })
	defer timer.Stop()
	res, err := l.next.RoundTrip(r.WithContext(ctx))
	if err != nil && errors.Is(context.Cause(ctx), errTooSlow) {
		return nil, errTooSlow
	}
	return res, err
}
