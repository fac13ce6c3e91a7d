package privacy

import (
	"bufio"
	"net/http"

	"github.com/go-json-experiment/json"
)

// Lines writes a response of one JSON value per line (application/x-ndjson).
type Lines struct {
	w     http.ResponseWriter
	out   *bufio.Writer
	begun bool
}

// NewLines returns a writer of lines to w. Close must be called.
func NewLines(w http.ResponseWriter) *Lines { return &Lines{w: w, out: bufio.NewWriter(w)} }

// Write writes v as one line.
func (l *Lines) Write(v any) error {
	if !l.begun {
		l.w.Header().Set("Content-Type", "application/x-ndjson")
		l.begun = true
	}
	data, err := json.Marshal(v)
	if err == nil {
		_, err = l.out.Write(append(data, '\n'))
	}
	return err
}

// Close ends the response; err is the error that ended the report, nil when it is complete. Before the first line,
// Close returns the error. After a line, Close panics with http.ErrAbortHandler, so that the client does not take an
// incomplete report for a complete one.
func (l *Lines) Close(err error) error {
	if err == nil {
		err = l.out.Flush()
	}
	if err != nil && l.begun {
		panic(http.ErrAbortHandler)
	}
	return err
}
