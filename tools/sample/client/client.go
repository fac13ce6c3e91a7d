// Package client calls the public API as one user. Start reading at Client.
package client

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"baari.dev/services/platform/httpclient"
)

// Client sends requests as one user to the gateway or to one service. For the gateway, only Base must be set.
type Client struct {
	Base string // URL of the gateway or the service, such as http://localhost:8080
	// Address is the user's IP address. A client that calls a service directly reports it, as the gateway does.
	Address string
	HTTP    *http.Client // nil for the default client
	Device  string       // token of the paired desk at which the user works, "" for none

	token           string
	email, password string // credentials of the last SignIn
}

// Account is a user's role and credentials.
type Account struct {
	Role     string `json:"role"`
	Email    string `json:"email"`
	Name     string `json:"name"`
	Password string `json:"password"`
}

// Rejected is the error for an answer with an error status.
type Rejected struct {
	Status int
	Code   string        // code of the error, such as visit_already_decided; "" if the answer has none
	Pause  time.Duration // value of Retry-After
	Body   string
}

// Error contains status and body.
func (r *Rejected) Error() string { return fmt.Sprintf("status %d: %s", r.Status, r.Body) }

// SignIn starts a session.
func (c *Client) SignIn(ctx context.Context, email, password string) error {
	c.email, c.password = email, password
	return c.authenticate(ctx, "/api/auth/sign-in/email", map[string]string{"email": email, "password": password})
}

// Again returns a client of the same user with a session that has just begun. Requests that change roles or devices,
// and exports, require such a session. c must have signed in before, and keeps its own session.
func (c *Client) Again(ctx context.Context) (*Client, error) {
	again := *c
	again.token = ""
	return &again, again.SignIn(ctx, c.email, c.password)
}

// SignUp creates an account and starts its first session.
func (c *Client) SignUp(ctx context.Context, name, email, password string) error {
	return c.authenticate(ctx, "/api/auth/sign-up/email", map[string]string{
		"name": name, "email": email, "password": password,
	})
}

// Join creates an account, starts its first session, sets its role and returns its id. setter is the client that sets
// the role: an administrator for the role admin, nil if the user sets it.
func (c *Client) Join(ctx context.Context, name, email, password, role string, setter *Client) (id string, err error) {
	if err := c.SignUp(ctx, name, email, password); err != nil {
		return "", fmt.Errorf("sign up: %w", err)
	}
	if id, err = c.ID(ctx); err != nil {
		return "", fmt.Errorf("read the session: %w", err)
	}
	if setter == nil {
		setter = c
	}
	if err := setter.Call(ctx, http.MethodPut, "/api/users/"+id, map[string]string{"role": role}, nil); err != nil {
		return "", fmt.Errorf("set the role: %w", err)
	}
	return id, nil
}

func (c *Client) authenticate(ctx context.Context, path string, body map[string]string) error {
	var answer struct{ Token string }
	if err := c.Call(ctx, http.MethodPost, path, body, &answer); err != nil {
		return err
	}
	c.token = answer.Token
	return nil
}

// Token returns the bearer token of the session, or "" before a sign-in.
func (c *Client) Token() string { return c.token }

// SignOut ends the session.
func (c *Client) SignOut(ctx context.Context) error {
	return c.Call(ctx, http.MethodPost, "/api/auth/sign-out", map[string]string{}, nil)
}

// ID returns the user's id.
func (c *Client) ID(ctx context.Context) (string, error) {
	var session struct{ User struct{ ID string } }
	err := c.Call(ctx, http.MethodGet, "/api/auth/get-session", nil, &session)
	return session.User.ID, err
}

// User is an account as an administrator sees it.
type User struct{ ID, Email, Name, Role string }

// Users returns at most a hundred accounts whose name or e-mail address contains a text, for administrators only.
func (c *Client) Users(ctx context.Context, part string) ([]User, error) {
	var answer struct{ Users []User }
	err := c.Call(ctx, http.MethodGet, "/api/users?limit=100&q="+url.QueryEscape(part), nil, &answer)
	return answer.Users, err
}

// longestPause is the maximum Retry-After after which Call retries.
const longestPause = 15 * time.Second

// Call sends one request and decodes the answer into result, unless result is nil. After a rate limit whose Retry-After
// is at most longestPause, it retries. It returns *Rejected for any other error status.
func (c *Client) Call(ctx context.Context, method, path string, body, result any) error {
	for {
		err := c.send(ctx, method, path, body, result)
		var rejection *Rejected
		if !errors.As(err, &rejection) || rejection.Status != http.StatusTooManyRequests || rejection.Pause > longestPause {
			return err
		}
		select {
		case <-time.After(max(rejection.Pause, 100*time.Millisecond)):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func (c *Client) send(ctx context.Context, method, path string, body, result any) error {
	request, err := httpclient.Request(ctx, method, c.Base+path, body)
	if err != nil {
		return err
	}
	if c.Address != "" {
		request.Header.Set("X-Forwarded-For", c.Address)
	}
	if c.token != "" {
		request.Header.Set("Authorization", "Bearer "+c.token)
	}
	if c.Device != "" {
		request.Header.Set("Baari-Device", c.Device)
	}
	answer, err := httpclient.Do(cmp.Or(c.HTTP, http.DefaultClient), request)
	if err != nil {
		return err
	}
	if answer.Status >= http.StatusMultipleChoices {
		seconds, _ := strconv.Atoi(answer.Header.Get("Retry-After"))
		return &Rejected{
			Status: answer.Status, Code: answer.Code(), Body: string(answer.Body), Pause: time.Duration(seconds) * time.Second,
		}
	}
	if result == nil {
		return nil
	}
	return json.Unmarshal(answer.Body, result)
}
