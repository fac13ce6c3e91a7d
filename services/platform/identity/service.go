package identity

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"maps"
	"net/http"
	"sync"
	"time"

	"github.com/go-json-experiment/json"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"

	"baari.dev/services/platform/request"
	"baari.dev/services/platform/telemetry"
)

var tracer = telemetry.NewTracer("baari.dev/services/platform/identity")

// Client calls another service's internal address with service tokens.
type Client struct {
	base, audience string
	keys           Keys
	http           *http.Client

	mu     sync.Mutex
	signed http.Header // the headers with the last token
	until  time.Time   // time at which the next token is signed
}

// IdleTimeout is how long a service keeps an idle connection. The client closes it first: a POST that is sent while the
// service closes the connection fails, and is not repeated.
const IdleTimeout = 75 * time.Second

// tokenReuse is how long requests reuse a token. It is a fraction of the token's validity, so that a service whose
// clock is fast still accepts the token.
const tokenReuse = serviceTokenLife / 6

func (c *Client) authorize(header http.Header) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if now := time.Now(); now.After(c.until) {
		signed := http.Header{}
		if err := c.keys.Authorize(signed, c.audience); err != nil {
			return err
		}
		c.signed, c.until = signed, now.Add(tokenReuse)
	}
	maps.Copy(header, c.signed)
	return nil
}

// NewClient returns a client for the service named audience. base is the service's URL; the client signs with keys.
func NewClient(base string, keys Keys, audience string) *Client {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.MaxIdleConnsPerHost = 32
	transport.IdleConnTimeout = IdleTimeout - 15*time.Second
	transport.Proxy = nil // a proxy could read the service token
	return &Client{base: base, keys: keys, audience: audience, http: &http.Client{
		Transport: transport, Timeout: 8 * time.Second,
		// Redirects are not followed, because token and body are meant for the configured address only.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// Verifies reports whether signature is a signature of message by the service that the client calls.
func (c *Client) Verifies(message, signature []byte) bool {
	return c.keys.Public.Verifies(c.audience, message, signature)
}

// do sends a request. Within a trace the request has a span that names the service but not the path, which has ids.
func (c *Client) do(req *http.Request) (*http.Response, error) {
	if !trace.SpanContextFromContext(req.Context()).IsValid() {
		return c.http.Do(req)
	}
	ctx, span := tracer.Start(req.Context(), req.Method+" "+c.audience, trace.WithSpanKind(trace.SpanKindClient),
		trace.WithAttributes(
			attribute.String("http.request.method", req.Method),
			attribute.String("server.address", c.audience),
		))
	defer span.End()
	propagation.TraceContext{}.Inject(ctx, propagation.HeaderCarrier(req.Header))
	res, err := c.http.Do(req.WithContext(ctx))
	switch {
	case err != nil:
		span.SetStatus(codes.Error, "no answer")
		span.SetAttributes(attribute.String("error.type", "no_answer"))
	default:
		span.SetAttributes(attribute.Int("http.response.status_code", res.StatusCode))
	}
	return res, err
}

// Call sends a value (nil for none) as JSON and decodes a 2xx or 409 response into out. It returns the status; an error
// means that no response was received, or that the response could not be decoded.
func (c *Client) Call(ctx context.Context, method, path string, in, out any) (int, error) {
	var body io.Reader
	if in != nil {
		data, err := json.Marshal(in)
		if err != nil {
			return 0, err
		}
		body = bytes.NewReader(data)
	}
	res, err := c.send(ctx, method, path, body, http.Header{"Content-Type": {"application/json"}})
	if err != nil {
		return 0, err
	}
	defer res.Body.Close()
	if res.StatusCode/100 != 2 && res.StatusCode != http.StatusConflict {
		_, _ = io.Copy(io.Discard, res.Body) // a connection is kept only if its body was read
		return res.StatusCode, nil
	}
	if err := json.UnmarshalRead(res.Body, out); err != nil {
		return 0, fmt.Errorf("answer of %s %s: %w", c.audience, path, err)
	}
	return res.StatusCode, nil
}

// GetTagged reads path into out and returns the ETag of the answer. If the ETag equals tag, out is unchanged.
func (c *Client) GetTagged(ctx context.Context, path, tag string, out any) (now string, err error) {
	header := http.Header{}
	if tag != "" {
		header.Set("If-None-Match", tag)
	}
	res, err := c.send(ctx, http.MethodGet, path, nil, header)
	if err != nil {
		return "", err
	}
	defer res.Body.Close()
	switch res.StatusCode {
	case http.StatusNotModified:
		return tag, nil
	case http.StatusOK:
		err = json.UnmarshalRead(res.Body, out)
	default:
		_, _ = io.Copy(io.Discard, res.Body)
		err = fmt.Errorf("it answered %s", res.Status)
	}
	if err != nil {
		return "", fmt.Errorf("answer of %s %s: %w", c.audience, path, err)
	}
	return res.Header.Get("ETag"), nil
}

func (c *Client) send(
	ctx context.Context, method, path string, body io.Reader, header http.Header,
) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, method, c.base+path, body)
	if err != nil {
		return nil, err
	}
	req.Header = header
	if err := c.authorize(req.Header); err != nil {
		return nil, err
	}
	req.Header.Set(request.HeaderID, request.From(ctx).ID)
	return c.do(req)
}
