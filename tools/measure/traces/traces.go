// Package traces reads the spans that the programs of a running system keep in memory and puts them together: one tree
// for each trace, over all programs. It needs no backend.
package traces

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"time"

	"baari.dev/services/platform/httpclient"
)

// Span is one span as the admin listener of a program shows it.
type Span struct {
	TraceID    string            `json:"trace_id"`
	ID         string            `json:"span_id"`
	Parent     string            `json:"parent_id"`
	Links      []string          `json:"links"`
	Program    string            `json:"program"`
	Name       string            `json:"name"`
	Kind       string            `json:"kind"`
	Start      time.Time         `json:"start"`
	Duration   time.Duration     `json:"duration_ns"`
	Failed     bool              `json:"failed"`
	Attributes map[string]string `json:"attributes"`

	Children []*Span `json:"-"` // in the order of their beginning
}

// Trace is the spans of one request. It has more than one root when a span's parent is no longer kept.
type Trace struct {
	ID    string
	Spans []*Span
	Roots []*Span
}

// Start is when the trace began.
func (t *Trace) Start() time.Time { return t.Roots[0].Start }

// Answered is how long the first span took: for a request, until its answer.
func (t *Trace) Answered() time.Duration { return t.Roots[0].Duration }

// Programs are those that took part, sorted.
func (t *Trace) Programs() []string {
	set := map[string]bool{}
	for _, span := range t.Spans {
		set[span.Program] = true
	}
	return slices.Sorted(maps.Keys(set))
}

// Collect reads the spans of programs from their admin addresses. A program without any is omitted.
func Collect(ctx context.Context, admin map[string]string) ([]Span, error) {
	var all []Span
	for _, name := range slices.Sorted(maps.Keys(admin)) {
		spans, err := read(ctx, admin[name]+"/traces")
		if err != nil {
			return nil, fmt.Errorf("spans of %s: %w", name, err)
		}
		all = append(all, spans...)
	}
	return all, nil
}

func read(ctx context.Context, address string) ([]Span, error) {
	request, err := httpclient.Request(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, err
	}
	page, err := httpclient.Do(http.DefaultClient, request)
	if err != nil || page.Status != http.StatusOK {
		return nil, err
	}
	var answer struct{ Spans []Span }
	err = json.Unmarshal(page.Body, &answer)
	return answer.Spans, err
}

// Trees builds the traces, ordered by start.
func Trees(spans []Span) []*Trace {
	byID, byTrace := map[string]*Span{}, map[string]*Trace{}
	for i := range spans {
		span := &spans[i]
		byID[span.TraceID+span.ID] = span
		trace := byTrace[span.TraceID]
		if trace == nil {
			trace = &Trace{ID: span.TraceID}
			byTrace[span.TraceID] = trace
		}
		trace.Spans = append(trace.Spans, span)
	}
	for _, trace := range byTrace {
		slices.SortFunc(trace.Spans, func(a, b *Span) int { return a.Start.Compare(b.Start) })
		for _, span := range trace.Spans {
			if parent := byID[span.TraceID+span.Parent]; parent != nil && parent != span {
				parent.Children = append(parent.Children, span)
			} else {
				trace.Roots = append(trace.Roots, span)
			}
		}
	}
	return slices.SortedFunc(maps.Values(byTrace), func(a, b *Trace) int { return a.Start().Compare(b.Start()) })
}
