package testkit

import (
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"go.opentelemetry.io/otel/trace"
	common "go.opentelemetry.io/proto/otlp/common/v1"
	otlp "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"
)

// Collector receives spans by OTLP over HTTP and keeps them. OTEL_EXPORTER_OTLP_ENDPOINT must be its URL.
type Collector struct {
	URL string

	mu    sync.Mutex
	raw   strings.Builder
	spans []Span
}

// Span is one span that a Collector has received. Its ids are hexadecimal; Parent is all zeros if there is no parent.
type Span struct {
	Program, Name, TraceID, ID, Parent string
	Failed                             bool
	Attributes                         map[string]string // "" for attributes that are not strings
}

// NewCollector starts a collector, which ends with the test.
func NewCollector(t testing.TB) *Collector {
	t.Helper()
	c := &Collector{}
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		var data otlp.TracesData
		body, err := io.ReadAll(r.Body)
		if err == nil {
			err = proto.Unmarshal(body, &data)
		}
		if err != nil {
			t.Errorf("the collector cannot read what it received: %v", err)
		}
		c.mu.Lock()
		defer c.mu.Unlock()
		c.raw.Write(body)
		for _, resource := range data.GetResourceSpans() {
			program := texts(resource.GetResource().GetAttributes())["service.name"]
			for _, scope := range resource.GetScopeSpans() {
				for _, span := range scope.GetSpans() {
					c.spans = append(c.spans, read(program, span))
				}
			}
		}
	}))
	t.Cleanup(server.Close)
	c.URL = server.URL
	return c
}

func read(program string, span *otlp.Span) Span {
	var parent trace.SpanID
	copy(parent[:], span.GetParentSpanId())
	return Span{
		Program: program, Name: span.GetName(), Attributes: texts(span.GetAttributes()),
		TraceID: trace.TraceID(span.GetTraceId()).String(), ID: trace.SpanID(span.GetSpanId()).String(),
		Parent: parent.String(), Failed: span.GetStatus().GetCode() == otlp.Status_STATUS_CODE_ERROR,
	}
}

func texts(attributes []*common.KeyValue) map[string]string {
	all := map[string]string{}
	for _, one := range attributes {
		all[one.GetKey()] = one.GetValue().GetStringValue()
	}
	return all
}

// Spans returns what has been received, in the order of arrival.
func (c *Collector) Spans() []Span {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.spans)
}

// Holds reports whether a text occurs anywhere in what was received.
func (c *Collector) Holds(text string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return strings.Contains(c.raw.String(), text)
}
