// Package httpclient sends requests with JSON bodies and reads answers and event streams, for the programs that call
// the product from outside: the check of an installation, the operator's commands and the developer programs. Start
// reading at Request and Do.
package httpclient

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"iter"
	"net/http"
	"strings"
)

// Bounds of an answer and of a line of an event stream, in bytes.
const (
	maxAnswer = 64 << 20
	maxLine   = 1 << 20
)

// Request returns a request with body as JSON, or without a body if body is nil.
func Request(ctx context.Context, method, address string, body any) (*http.Request, error) {
	var payload io.Reader = http.NoBody
	if body != nil {
		text, err := json.Marshal(body)
		if err != nil {
			return nil, err
		}
		payload = bytes.NewReader(text)
	}
	request, err := http.NewRequestWithContext(ctx, method, address, payload)
	if err == nil && body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	return request, err
}

// Answer is a response whose body has been read.
type Answer struct {
	Status int
	Header http.Header
	Body   []byte
}

// Do sends a request and reads the response, at most the first 64 MiB of its body. It returns an error if there is no
// response or its body cannot be read, but not for an error status.
func Do(through *http.Client, request *http.Request) (Answer, error) {
	response, err := through.Do(request) //nolint:gosec // the callers are tools of operators, who configure the address
	if err != nil {
		return Answer{}, err
	}
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer))
	if err != nil {
		return Answer{}, err
	}
	return Answer{response.StatusCode, response.Header, text}, nil
}

// Code returns the code in the body, "" if the body is no error object.
func (a Answer) Code() string {
	var problem struct{ Code string }
	_ = json.Unmarshal(a.Body, &problem) // an answer of another program has no code
	return problem.Code
}

// Event is an event of a stream (text/event-stream): the data, and the last id that the stream has sent.
type Event struct{ ID, Data string }

// Events reads the events of a stream, whose lines have at most 1 MiB. The last pair has the error that ended the
// stream: io.ErrUnexpectedEOF if the server ended it.
func Events(stream io.Reader) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		var event Event
		lines := bufio.NewScanner(stream)
		lines.Buffer(nil, maxLine)
		for lines.Scan() {
			field, value, _ := strings.Cut(lines.Text(), ": ")
			switch field {
			case "id":
				event.ID = value
			case "data":
				event.Data = value
			case "":
				if event.Data != "" && !yield(event, nil) {
					return
				}
				event.Data = ""
			}
		}
		err := lines.Err()
		if err == nil {
			err = io.ErrUnexpectedEOF
		}
		yield(event, err)
	}
}
