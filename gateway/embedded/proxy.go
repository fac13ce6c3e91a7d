package embedded

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"sync"
	"time"

	"go.opentelemetry.io/otel/propagation"

	"baari.dev/gateway"
	"baari.dev/gateway/answer"
)

// clientGone is the status in the log and the metrics for a client that disconnected before the response. It is not
// sent.
const clientGone = 499

// proxies makes the handlers that forward requests; they share connections and buffers.
type proxies struct {
	upstreams     map[string]*url.URL
	limit         time.Duration
	closing       context.Context
	metrics       *metrics
	logger        *slog.Logger
	whole, stream *http.Transport
	large, small  *buffers
}

func newProxies(closing context.Context, config Config, m *metrics) *proxies {
	return &proxies{
		upstreams: config.Upstreams, limit: config.AnswerLimit, closing: closing, metrics: m, logger: config.Logger,
		whole: newTransport(32<<10, 4<<10), stream: newTransport(1<<10, 1<<10),
		large: newBuffers(32 << 10), small: newBuffers(4 << 10), // a stream holds its buffer while it is open
	}
}

// to returns the handler that forwards requests to upstream.
func (p *proxies) to(upstream string, kind gateway.Answer) http.Handler {
	target := p.upstreams[upstream]
	proxy := &httputil.ReverseProxy{
		Rewrite:        func(pr *httputil.ProxyRequest) { rewrite(pr, target) },
		Transport:      &limited{wellFramed{p.whole}, p.limit},
		BufferPool:     p.large,
		ErrorLog:       slog.NewLogLogger(p.logger.Handler(), slog.LevelDebug),
		ErrorHandler:   func(w http.ResponseWriter, r *http.Request, err error) { p.fail(w, r, upstream, err) },
		ModifyResponse: dropFixed,
	}
	switch kind {
	case gateway.Export:
		proxy.Transport = wellFramed{p.whole}
	case gateway.Stream:
		proxy.Transport, proxy.BufferPool, proxy.FlushInterval = wellFramed{p.stream}, p.small, -1
		return p.endOnClose(proxy)
	}
	return proxy
}

// rewrite addresses the request to its upstream and injects the trace context. It keeps the client's Host. It sets the
// gateway's headers again: the proxy has removed X-Forwarded headers, and headers that the client named in Connection.
func rewrite(pr *httputil.ProxyRequest, target *url.URL) {
	pr.Out.URL.Scheme, pr.Out.URL.Host = target.Scheme, target.Host
	pr.Out.URL.RawQuery = pr.In.URL.RawQuery // unchanged, even with a semicolon: the service parses it
	for _, name := range []string{"X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", answer.RequestIDHeader} {
		pr.Out.Header.Set(name, pr.In.Header.Get(name))
	}
	propagation.TraceContext{}.Inject(pr.Out.Context(), propagation.HeaderCarrier(pr.Out.Header))
}

func dropFixed(res *http.Response) error {
	for _, name := range fixed {
		res.Header.Del(name)
	}
	return nil
}

// fail writes the response for an upstream that did not respond: 503 if the upstream received no request (a retry is
// safe), 504 after the timeout, 400 for an unreadable body, clientGone if the client disconnected, else 502.
func (p *proxies) fail(w http.ResponseWriter, r *http.Request, upstream string, err error) {
	status := statusOf(err)
	p.metrics.failure(r, upstream, status)
	if status == clientGone {
		w.WriteHeader(clientGone)
		return
	}
	p.logger.WarnContext(r.Context(), "no response from the upstream", "status", status, "cause", err,
		"request_id", r.Header.Get(answer.RequestIDHeader))
	answer.Error(w, r.Header.Get(answer.RequestIDHeader), status)
}

func statusOf(err error) int {
	var network *net.OpError
	switch {
	case errors.Is(err, errTooSlow):
		return http.StatusGatewayTimeout
	case errors.Is(err, errBody):
		return http.StatusBadRequest
	case errors.Is(err, context.Canceled):
		return clientGone
	case errors.As(err, &network) && network.Op == "dial":
		return http.StatusServiceUnavailable
	}
	return http.StatusBadGateway
}

// endOnClose ends open streams when the gateway closes; browsers reconnect.
func (p *proxies) endOnClose(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithCancel(r.Context())
		defer cancel()
		defer context.AfterFunc(p.closing, cancel)()
		next.ServeHTTP(w, r.WithContext(ctx))
	})
}

// stallLimit returns how long a client can take to read one piece of a response before its connection is closed.
func stallLimit(kind gateway.Answer) time.Duration {
	if kind == gateway.Stream {
		return 5 * time.Second
	}
	return 30 * time.Second
}

type buffers struct{ pool sync.Pool }

func newBuffers(size int) *buffers {
	return &buffers{sync.Pool{New: func() any { b := make([]byte, size); return &b }}}
}

func (b *buffers) Get() []byte { return *b.pool.Get().(*[]byte) }

func (b *buffers) Put(buffer []byte) { b.pool.Put(&buffer) }
