package telemetry

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"

	"go.opentelemetry.io/otel/exporters/otlp/otlptrace"
	"go.opentelemetry.io/otel/exporters/stdout/stdouttrace"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	otlp "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"
)

// newExporter returns the exporter that OTEL_TRACES_EXPORTER names, or nil for none.
func newExporter(ctx context.Context, name string) (sdk.SpanExporter, error) {
	switch name {
	case "", "none":
		return nil, nil
	case "console":
		return stdouttrace.New()
	case "otlp":
		to, err := newCollector(os.Getenv)
		if err != nil {
			return nil, err
		}
		return otlptrace.New(ctx, to)
	default:
		return nil, fmt.Errorf("OTEL_TRACES_EXPORTER: %q is none of otlp, console, none", name)
	}
}

// collector sends spans as OTLP over HTTP. The SDK's own clients are not used, because they import gRPC (a tenth of a
// program's packages) even to send over HTTP.
type collector struct {
	url    string
	header http.Header
	client http.Client
}

// newCollector reads OTEL_EXPORTER_OTLP_ENDPOINT, _HEADERS, _TIMEOUT (milliseconds) and _PROTOCOL, as the OpenTelemetry
// specification defines them. An error names the variable.
func newCollector(variable func(string) string) (*collector, error) {
	const prefix = "OTEL_EXPORTER_OTLP_"
	c := &collector{header: http.Header{"Content-Type": {"application/x-protobuf"}}}
	if protocol := variable(prefix + "PROTOCOL"); protocol != "" && protocol != "http/protobuf" {
		return nil, fmt.Errorf("%sPROTOCOL: %q is not supported, only http/protobuf", prefix, protocol)
	}
	endpoint := variable(prefix + "ENDPOINT")
	if endpoint == "" {
		endpoint = "http://localhost:4318"
	}
	base, err := url.Parse(endpoint)
	if err != nil || base.Host == "" || base.Scheme != "http" && base.Scheme != "https" {
		return nil, fmt.Errorf("%sENDPOINT: %q is no address like http://collector:4318", prefix, endpoint)
	}
	c.url = base.JoinPath("v1", "traces").String()
	for pair := range strings.SplitSeq(variable(prefix+"HEADERS"), ",") {
		key, value, _ := strings.Cut(pair, "=")
		if value, err = url.PathUnescape(strings.TrimSpace(value)); err != nil {
			return nil, fmt.Errorf("%sHEADERS: %w", prefix, err)
		}
		if key = strings.TrimSpace(key); key != "" {
			c.header.Set(key, value)
		}
	}
	c.client.Timeout = 10 * time.Second
	if text := variable(prefix + "TIMEOUT"); text != "" {
		milliseconds, err := strconv.Atoi(text)
		if err != nil || milliseconds <= 0 {
			return nil, fmt.Errorf("%sTIMEOUT: %q is no number of milliseconds", prefix, text)
		}
		c.client.Timeout = time.Duration(milliseconds) * time.Millisecond
	}
	return c, nil
}

// Start and Stop implement otlptrace.Client. Connections are opened when needed; Stop closes idle ones.
func (c *collector) Start(context.Context) error { return nil }
func (c *collector) Stop(context.Context) error  { c.client.CloseIdleConnections(); return nil }

// UploadTraces posts spans. It encodes TracesData, which has the same wire format as ExportTraceServiceRequest.
func (c *collector) UploadTraces(ctx context.Context, spans []*otlp.ResourceSpans) error {
	body, err := proto.Marshal(&otlp.TracesData{ResourceSpans: spans})
	if err != nil {
		return err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, c.url, bytes.NewReader(body))
	if err != nil {
		return err
	}
	request.Header = c.header.Clone()
	answer, err := c.client.Do(request)
	if err != nil {
		return err
	}
	defer func() { _ = answer.Body.Close() }()
	_, _ = io.Copy(io.Discard, io.LimitReader(answer.Body, 1<<16)) // an unread body would prevent reuse of connections
	if answer.StatusCode >= http.StatusMultipleChoices {
		return fmt.Errorf("the collector answered %s", answer.Status)
	}
	return nil
}
