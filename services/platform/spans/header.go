package spans

import "net/http"

// Header carries a trace in the headers of HTTP. Every request asks for the same two names: net/http would spell them anew each
// time, as no header that it knows.
type Header http.Header

func spelled(name string) string {
	switch name {
	case "traceparent":
		return "Traceparent"
	case "tracestate":
		return "Tracestate"
	}
	return http.CanonicalHeaderKey(name)
}

// Get implements propagation.TextMapCarrier.
func (h Header) Get(name string) string {
	if values := h[spelled(name)]; len(values) > 0 {
		return values[0]
	}
	return ""
}

// Set implements propagation.TextMapCarrier.
func (h Header) Set(name, value string) { h[spelled(name)] = []string{value} }

// Keys implements propagation.TextMapCarrier.
func (h Header) Keys() []string {
	names := make([]string, 0, len(h))
	for name := range h {
		names = append(names, name)
	}
	return names
}
