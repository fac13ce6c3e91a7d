package stack

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"time"
)

// Await calls f until it returns nil. When limit has passed, Await returns the last error of f.
func Await(ctx context.Context, limit time.Duration, f func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	var last error
	for {
		err := f(ctx)
		if err == nil {
			return nil
		}
		if ctx.Err() == nil || last == nil {
			last = err
		}
		select {
		case <-ctx.Done():
			return last
		case <-tick.C:
		}
	}
}

// Pause waits for a time. If ctx ends before, it returns the error of ctx.
func Pause(ctx context.Context, lasting time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(lasting):
		return nil
	}
}

// awaitReady waits until the program answers 200 on its admin port. If the program exits, it returns an error at once,
// because a program with an invalid setting would never become ready.
func awaitReady(ctx context.Context, child *Child, limit time.Duration) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	err := Await(ctx, limit, func(ctx context.Context) error {
		if child.hasEnded() {
			cancel(errors.New("it ended while starting"))
			return context.Cause(ctx)
		}
		return get(ctx, httpAddress(child.spec.AdminPort)+"/readyz")
	})
	if err == nil {
		return nil
	}
	if context.Cause(ctx) != nil {
		err = context.Cause(ctx)
	}
	text, _ := os.ReadFile(child.spec.Log) // the log has the cause, if any was logged
	return fmt.Errorf("%s is not ready: %w\n%s\nmore in %s", child.Name(), err, lastLines(string(text), 5), child.spec.Log)
}

func get(ctx context.Context, address string) error { return Get(ctx, address, "", io.Discard) }

// Get requests an address, with a session token if it is not empty, and copies the answer's body to a writer. Any
// answer but 200 is an error.
func Get(ctx context.Context, address, token string, to io.Writer) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, http.NoBody)
	if err != nil {
		return err
	}
	if token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer func() { _ = answer.Body.Close() }()
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("%s answers %s", address, answer.Status)
	}
	_, err = io.Copy(to, answer.Body)
	return err
}
