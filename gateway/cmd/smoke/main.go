// Command smoke checks an installation through its gateway: one path of each upstream without a session, and, with the
// account in SMOKE_EMAIL and SMOKE_PASSWORD, a visit from its registration to its event on the live stream. `helm test`
// runs it.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"time"

	"baari.dev/gateway/process"
)

func main() {
	if len(os.Args) != 2 {
		process.Exit("smoke", errors.New("usage: smoke http://GATEWAY"))
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	err := run(ctx, os.Args[1])
	if email := os.Getenv("SMOKE_EMAIL"); err == nil && email != "" {
		err = followVisit(ctx, &account{base: os.Args[1], email: email, password: os.Getenv("SMOKE_PASSWORD")})
	}
	cancel()
	if err != nil {
		process.Exit("smoke", err)
	}
}

// expected are paths of every upstream with the response to a request without a session.
var expected = []struct {
	path   string
	status int
	code   string // of the error
}{
	{"/", http.StatusOK, ""},
	{"/api/office", http.StatusOK, ""},
	{"/api/auth/get-session", http.StatusOK, ""},
	{"/api/visits/today", http.StatusUnauthorized, "unauthorized"},
	{"/api/analytics/dashboard", http.StatusUnauthorized, "unauthorized"},
	{"/api/stream/notifications", http.StatusUnauthorized, "unauthorized"},
	{"/api/nothing", http.StatusNotFound, "not_found"},
	{"/internal/events", http.StatusNotFound, "not_found"},
}

func run(ctx context.Context, base string) error {
	var wrong []error
	for _, want := range expected {
		status, code, err := ask(ctx, base+want.path)
		switch {
		case err != nil:
			wrong = append(wrong, err)
		case status != want.status || code != want.code:
			wrong = append(wrong, fmt.Errorf("%s answers %d %s", want.path, status, code))
		}
	}
	if err := errors.Join(wrong...); err != nil {
		return err
	}
	fmt.Printf("%d paths answer as expected\n", len(expected))
	return nil
}

func ask(ctx context.Context, address string) (status int, code string, err error) {
	//nolint:gosec // the address is the argument of the program
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, http.NoBody)
	if err != nil {
		return 0, "", err
	}
	answer, err := http.DefaultClient.Do(request) //nolint:gosec // as above
	if err != nil {
		return 0, "", err
	}
	defer func() { _ = answer.Body.Close() }()
	body, err := io.ReadAll(io.LimitReader(answer.Body, 1<<20))
	if err != nil || answer.StatusCode == http.StatusOK {
		return answer.StatusCode, "", err
	}
	var problem struct{ Code string }
	if err := json.Unmarshal(body, &problem); err != nil {
		return answer.StatusCode, "", fmt.Errorf("%s answers %d without JSON", address, answer.StatusCode)
	}
	return answer.StatusCode, problem.Code, nil
}
