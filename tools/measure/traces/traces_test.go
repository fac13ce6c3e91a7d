package traces

import (
	"strings"
	"testing"
	"time"
)

func span(id, parent, program, name string, start, took time.Duration) Span {
	return Span{
		TraceID: "t", ID: id, Parent: parent, Program: program, Name: name,
		Start: time.Unix(0, 0).Add(start), Duration: took,
	}
}

func TestSpansOfManyProgramsAreOneTree(t *testing.T) {
	trees := Trees([]Span{
		span("3", "2", "visits", "INSERT", 3*time.Millisecond, time.Millisecond),
		span("2", "1", "visits", "POST /api/visits", time.Millisecond, 10*time.Millisecond),
		span("4", "2", "auth", "introspect", 2*time.Millisecond, 500*time.Microsecond),
		span("1", "0", "gateway", "POST /api/visits/*", 0, 12*time.Millisecond), // its parent is the browser's
	})
	if len(trees) != 1 || len(trees[0].Roots) != 1 {
		t.Fatalf("%d traces", len(trees))
	}
	var text strings.Builder
	if err := Print(&text, trees[0]); err != nil {
		t.Fatal(err)
	}
	var got []string
	for line := range strings.Lines(text.String()) {
		got = append(got, strings.Join(strings.Fields(line), " "))
	}
	for i, want := range []string{
		"POST /api/visits/* gateway +0 µs 12.0 ms", "└─ POST /api/visits visits +1.0 ms 10.0 ms",
		"├─ introspect auth +2.0 ms 500 µs", "└─ INSERT visits +3.0 ms 1.0 ms",
	} {
		if got[i+1] != want {
			t.Errorf("line %d is %q, want %q", i+1, got[i+1], want)
		}
	}
}

// Children of a span that is no longer kept become roots, so that no span is hidden.
func TestASpanWithoutItsParentIsShown(t *testing.T) {
	trees := Trees([]Span{span("2", "1", "visits", "a", 0, 1), span("3", "9", "audit", "b", 1, 1)})
	if len(trees) != 1 || len(trees[0].Roots) != 2 {
		t.Errorf("%d traces, %d roots", len(trees), len(trees[0].Roots))
	}
}
