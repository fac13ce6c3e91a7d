package stack

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"golang.org/x/sync/errgroup"
)

// Account is one demo person, as accounts.json lists them.
type Account struct {
	Role     string `json:"role"`
	Email    string `json:"email"`
	Name     string `json:"name"`
	Password string `json:"password"`
}

// demoAccounts are the people of the demo office, the administrator first: auth makes that one itself.
var demoAccounts = []Account{
	{Role: "admin", Email: "admin@baari.example", Name: "Administrator"},
	{Role: "reception", Email: "reception@baari.example", Name: "Meera Joshi"},
	{Role: "pa", Email: "pa@baari.example", Name: "Arjun Menon"},
	{Role: "consultant", Email: "consultant@baari.example", Name: "Kavita Rao"},
	{Role: "reception", Email: "reception2@baari.example", Name: "Sunil Patil"},
	{Role: "consultant", Email: "consultant2@baari.example", Name: "Imran Sheikh"},
}

// makeAccounts makes the demo people that are not there yet, through the public API, as they would sign up themselves.
func (s *Stack) makeAccounts(ctx context.Context) error {
	for _, account := range demoAccounts {
		account.Password = s.secrets.Accounts[account.Email]
		s.accounts = append(s.accounts, account)
	}
	admin := client{base: httpAddress(s.ports["auth"].public), address: "127.1.0.1"}
	if err := admin.signIn(ctx, s.accounts[0]); err != nil {
		return fmt.Errorf("sign in as the demo administrator: %w", err)
	}
	known, err := admin.emails(ctx, "@baari.example")
	if err != nil {
		return fmt.Errorf("list the accounts: %w", err)
	}
	group, groupCtx := errgroup.WithContext(ctx)
	for i, account := range s.accounts {
		if known[account.Email] {
			continue
		}
		// Each from an address of its own, as in life: sign-up is limited per address.
		person := client{base: admin.base, address: fmt.Sprintf("127.1.0.%d", i+1)}
		group.Go(func() error {
			if err := person.register(groupCtx, account); err != nil {
				return fmt.Errorf("make the demo account of role %s: %w", account.Role, err)
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	return admin.signOut(ctx)
}

// Accounts are the demo people with their passwords.
func (s *Stack) Accounts() []Account { return s.accounts }

// client speaks the public API for one person. It stands where the gateway stands and so names the person's address itself.
type client struct {
	base    string
	address string
	token   string
}

func (c *client) signIn(ctx context.Context, account Account) error {
	return c.authenticate(ctx, "/api/auth/sign-in/email", map[string]string{"email": account.Email, "password": account.Password})
}

func (c *client) authenticate(ctx context.Context, path string, body map[string]string) error {
	var answer struct{ Token string }
	if err := c.call(ctx, http.MethodPost, path, body, &answer); err != nil {
		return err
	}
	c.token = answer.Token
	return nil
}

func (c *client) signOut(ctx context.Context) error {
	return c.call(ctx, http.MethodPost, "/api/auth/sign-out", map[string]string{}, nil)
}

// register signs a person up and sets their role, as the register screen does.
func (c *client) register(ctx context.Context, account Account) error {
	err := c.authenticate(ctx, "/api/auth/sign-up/email",
		map[string]string{"email": account.Email, "password": account.Password, "name": account.Name})
	if err != nil {
		return err
	}
	var session struct{ User struct{ ID string } }
	if err := c.call(ctx, http.MethodGet, "/api/auth/get-session", nil, &session); err != nil {
		return err
	}
	if err := c.call(ctx, http.MethodPut, "/api/users/"+session.User.ID, map[string]string{"role": account.Role}, nil); err != nil {
		return err
	}
	return c.signOut(ctx)
}

// emails lists the accounts whose e-mail holds a text.
func (c *client) emails(ctx context.Context, part string) (map[string]bool, error) {
	var answer struct{ Users []struct{ Email string } }
	if err := c.call(ctx, http.MethodGet, "/api/users?limit=100&q="+url.QueryEscape(part), nil, &answer); err != nil {
		return nil, err
	}
	known := map[string]bool{}
	for _, user := range answer.Users {
		known[user.Email] = true
	}
	return known, nil
}

// refused is an answer that is no success.
type refused struct {
	status int
	pause  time.Duration // of Retry-After
	body   string
}

func (r *refused) Error() string { return fmt.Sprintf("status %d: %s", r.status, r.body) }

// longestPause is how long a launcher may wait for a rate limit: one started again and again soon meets that of sign-in.
const longestPause = 15 * time.Second

// call sends one request and reads the answer into a value, if one is given. A limit that passes soon is waited for.
func (c *client) call(ctx context.Context, method, path string, body, into any) error {
	for {
		err := c.send(ctx, method, path, body, into)
		var refusal *refused
		if !errors.As(err, &refusal) || refusal.status != http.StatusTooManyRequests || refusal.pause > longestPause {
			return err
		}
		select {
		case <-time.After(max(refusal.pause, firstPause)):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func (c *client) send(ctx context.Context, method, path string, body, into any) error {
	var payload io.Reader = http.NoBody
	if body != nil {
		text, err := json.Marshal(body)
		if err != nil {
			return err
		}
		payload = bytes.NewReader(text)
	}
	request, err := http.NewRequestWithContext(ctx, method, c.base+path, payload)
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("X-Forwarded-For", c.address)
	if c.token != "" {
		request.Header.Set("Authorization", "Bearer "+c.token)
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer func() { _ = answer.Body.Close() }()
	text, err := io.ReadAll(io.LimitReader(answer.Body, 1<<20))
	if err != nil {
		return err
	}
	if answer.StatusCode >= http.StatusMultipleChoices {
		seconds, _ := strconv.Atoi(answer.Header.Get("Retry-After"))
		return &refused{status: answer.StatusCode, pause: time.Duration(seconds) * time.Second, body: string(text)}
	}
	if into == nil {
		return nil
	}
	return json.Unmarshal(text, into)
}
