package client

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"
)

func serve(t *testing.T, handler http.HandlerFunc) string {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return server.URL
}

func TestASignInAuthenticatesLaterRequests(t *testing.T) {
	c := Client{Address: "192.0.2.7", Base: serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("X-Forwarded-For") != "192.0.2.7" {
			t.Errorf("the address is %q", r.Header.Get("X-Forwarded-For"))
		}
		if r.URL.Path == "/api/auth/sign-in/email" {
			_, _ = w.Write([]byte(`{"token":"abc"}`))
			return
		}
		if r.Header.Get("Authorization") != "Bearer abc" {
			t.Errorf("authorization is %q", r.Header.Get("Authorization"))
		}
		_, _ = w.Write([]byte(`{"user":{"id":"u1"}}`))
	})}
	if err := c.SignIn(context.Background(), "a@example.com", "secret"); err != nil {
		t.Fatal(err)
	}
	if id, err := c.ID(context.Background()); err != nil || id != "u1" {
		t.Errorf("id %q, %v", id, err)
	}
}

func TestAnErrorStatusReturnsStatusAndCode(t *testing.T) {
	c := Client{Base: serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusConflict)
		_, _ = w.Write([]byte(`{"error":"Visit is already approved","code":"visit_already_decided"}`))
	})}
	var rejection *Rejected
	err := c.Call(context.Background(), http.MethodPut, "/api/visits/1/status", map[string]string{}, nil)
	if !errors.As(err, &rejection) || rejection.Status != http.StatusConflict ||
		rejection.Code != "visit_already_decided" {
		t.Errorf("got %v", err)
	}
}

func TestCallRetriesAfterAShortRateLimit(t *testing.T) {
	calls := 0
	c := Client{Base: serve(t, func(w http.ResponseWriter, _ *http.Request) {
		if calls++; calls == 1 {
			w.Header().Set("Retry-After", "0")
			w.WriteHeader(http.StatusTooManyRequests)
		}
	})}
	if err := c.Call(context.Background(), http.MethodGet, "/", nil, nil); err != nil || calls != 2 {
		t.Errorf("%v after %d calls", err, calls)
	}
	c.Base = serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "3600")
		w.WriteHeader(http.StatusTooManyRequests)
	})
	if err := c.Call(context.Background(), http.MethodGet, "/", nil, nil); err == nil {
		t.Error("an hour was waited for")
	}
}
