package traces

import (
	"fmt"
	"io"
	"strings"
	"time"
	"unicode/utf8"
)

const (
	nameWidth   = 64
	longestName = 56
)

// Print writes a trace as a tree: name, program, start offset and duration of each span.
func Print(w io.Writer, trace *Trace) error {
	_, err := fmt.Fprintf(w, "%s  %s  %d spans in %s\n", trace.Start().Local().Format("15:04:05.000"), trace.ID,
		len(trace.Spans), strings.Join(trace.Programs(), ", "))
	for _, root := range trace.Roots {
		if err == nil {
			err = printSpan(w, trace, root, "", "")
		}
	}
	return err
}

func printSpan(w io.Writer, trace *Trace, span *Span, first, rest string) error {
	failed := ""
	if span.Failed {
		failed = "  failed"
	}
	label := first + title(span)
	padding := strings.Repeat(" ", max(0, nameWidth-utf8.RuneCountInString(label)))
	_, err := fmt.Fprintf(w, "  %s%s  %-9s %9s %9s%s\n", label, padding, span.Program,
		"+"+short(span.Start.Sub(trace.Start())), short(span.Duration), failed)
	for i, child := range span.Children {
		branch, below := "├─ ", "│  "
		if i == len(span.Children)-1 {
			branch, below = "└─ ", "   "
		}
		if err == nil {
			err = printSpan(w, trace, child, rest+branch, rest+below)
		}
	}
	return err
}

// title is the span's name, and of a statement its beginning.
func title(span *Span) string {
	name := span.Name
	if query := strings.Join(strings.Fields(span.Attributes["db.query.text"]), " "); query != "" {
		name = query
	}
	if status := span.Attributes["http.response.status_code"]; status != "" {
		name += " " + status
	}
	if runes := []rune(name); len(runes) > longestName {
		name = string(runes[:longestName-1]) + "…"
	}
	return name
}

// short is a duration with three digits, so that columns stay narrow.
func short(d time.Duration) string {
	switch {
	case d < 0:
		return "-" + short(-d)
	case d >= time.Second:
		return fmt.Sprintf("%.2f s", d.Seconds())
	case d >= time.Millisecond:
		return fmt.Sprintf("%.1f ms", float64(d)/float64(time.Millisecond))
	}
	return fmt.Sprintf("%d µs", d.Microseconds())
}
