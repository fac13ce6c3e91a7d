// Package operate does what the operator of an installation needs: administrators, sessions, the audit trail, a
// person's data, breach reports, backups. It calls the internal listeners of the services with tokens. The operator's
// program signs them as the operator; a service signs as itself. Only package backup connects to PostgreSQL. The
// commands are in operate/command, the program in operate/cmd/baarictl. Start reading at Find and Installation.
package operate

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"baari.dev/services/contract"
	"baari.dev/services/operate/advice"
	"baari.dev/services/platform/httpclient"
	"baari.dev/services/platform/identity"
)

// Caller is the name that the operator signs with.
const Caller = contract.CallerOperator

// Installation has what a caller needs to reach the services of one installation.
type Installation struct {
	Addresses map[string]string // internal listeners, keyed by service name
	Keys      identity.Keys     // keys of the caller: the operator, or a service
	Staff     *Staff            // the member of staff whom access logs record; nil: the operator
}

// Staff is the signed-in user who has asked a service to do what otherwise the operator does.
type Staff struct {
	ID   string `json:"id"`
	Role string `json:"role"`
}

// Rejected is the error for a service's response with an error status.
type Rejected struct {
	Service string
	Status  int
	Message string // the sentence of the error object; without one, the whole body
}

// Error returns the service and its response.
func (r *Rejected) Error() string {
	return fmt.Sprintf("%s answered %d: %s", r.Service, r.Status, r.Message)
}

// Call posts a value as JSON to a service and decodes the answer into out, unless out is nil. It returns *Rejected for
// an error status and advice.Advice if the service cannot be reached or rejects the token.
func (i Installation) Call(ctx context.Context, service, path string, in, out any) error {
	return i.send(ctx, http.MethodPost, service, path, in, func(answer io.Reader) error {
		if out == nil {
			return nil
		}
		return json.NewDecoder(answer).Decode(out)
	})
}

// Get requests a path of a service and decodes the answer into out. Its errors are those of Call.
func (i Installation) Get(ctx context.Context, service, path string, out any) error {
	return i.send(ctx, http.MethodGet, service, path, nil, func(answer io.Reader) error {
		return json.NewDecoder(answer).Decode(out)
	})
}

// Lines posts a value to a service and calls each with every JSON value of the answer. Its errors are those of Call and
// of each, and an error if the answer is incomplete.
func (i Installation) Lines(ctx context.Context, service, path string, in any, each func(json.RawMessage) error) error {
	return i.send(ctx, http.MethodPost, service, path, in, func(answer io.Reader) error {
		for values := json.NewDecoder(answer); ; {
			var line json.RawMessage
			if err := values.Decode(&line); errors.Is(err, io.EOF) {
				return nil
			} else if err != nil {
				return err
			}
			if err := each(line); err != nil {
				return err
			}
		}
	})
}

// client has no timeout: a breach report and the verification of a long trail take minutes. It uses no proxy and
// follows no redirect, because these would receive the token.
var client = &http.Client{
	Transport:     &http.Transport{},
	CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
}

func (i Installation) send(
	ctx context.Context, method, service, path string, in any, read func(io.Reader) error,
) error {
	if i.Addresses[service] == "" {
		return advice.Errorf("The address of %s is not known: set %s_URL to that of its internal listener.",
			service, strings.ToUpper(service))
	}
	request, err := i.request(ctx, method, service, path, in)
	if err != nil {
		return err
	}
	answer, err := client.Do(request)
	if err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return advice.Errorf("%s cannot be reached at %s: check that it is running and that this is its internal address."+
			" (%v)", service, i.Addresses[service], err)
	}
	defer func() { _ = answer.Body.Close() }()
	if answer.StatusCode == http.StatusUnauthorized {
		return advice.Errorf("%s rejected the token: check that SERVICE_KEY is the operator's of this installation, that %s"+
			" has its public key in SERVICE_PUBLIC_KEYS, and that the clocks are synchronized.", service, service)
	}
	if answer.StatusCode/100 != 2 {
		return rejected(service, answer)
	}
	if err := read(answer.Body); err != nil {
		return fmt.Errorf("answer of %s: %w", service, err)
	}
	return nil
}

func (i Installation) request(ctx context.Context, method, service, path string, in any) (*http.Request, error) {
	request, err := httpclient.Request(ctx, method, i.Addresses[service]+path, in)
	if err != nil {
		return nil, advice.Errorf("The address of %s cannot be used: it begins with http://, like http://%s:8081.",
			service, service)
	}
	return request, i.Keys.Authorize(request.Header, service)
}

// maxRefusal bounds an error object, in bytes.
const maxRefusal = 64 << 10

func rejected(service string, answer *http.Response) error {
	text, err := io.ReadAll(io.LimitReader(answer.Body, maxRefusal))
	if err != nil {
		return fmt.Errorf("answer of %s: %w", service, err)
	}
	var problem struct {
		Error  string
		Fields map[string]string
	}
	_ = json.Unmarshal(text, &problem) // the response of another program has no error object
	message := problem.Error
	for _, sentence := range problem.Fields {
		message = sentence
	}
	if message == "" {
		message = strings.TrimSpace(string(text))
	}
	return &Rejected{Service: service, Status: answer.StatusCode, Message: message}
}
