// Command fake replaces each program of the system in the launcher's tests. It becomes ready when the test allows it,
// notes its stop in a file, and as auth it answers the requests that create the demo accounts.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
)

func main() {
	name := filepath.Base(os.Args[0])
	for _, argument := range os.Args[1:] {
		if target, given := strings.CutPrefix(argument, "--target="); given {
			name = target
		}
	}
	gate := os.Getenv("FAKE_GATE") // a folder, whose file with the program's name controls this process
	order, _ := os.ReadFile(filepath.Join(gate, name))
	if string(order) == "end" {
		fmt.Println("SECRET: not set")
		os.Exit(1)
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	host := os.Getenv("HOST") + ":"
	admin := http.NewServeMux()
	admin.HandleFunc("GET /readyz", func(w http.ResponseWriter, _ *http.Request) {
		if order, _ := os.ReadFile(filepath.Join(gate, name)); string(order) == "wait" {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	})
	go serve(host+os.Getenv("PORT"), accounts())
	go serve(host+os.Getenv("ADMIN_PORT"), admin)
	if string(order) == "stubborn" {
		select {}
	}
	<-ctx.Done()
	file, err := os.OpenFile(filepath.Join(gate, "stops"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err == nil {
		_, _ = fmt.Fprintln(file, name)
	}
}

func serve(address string, handler http.Handler) {
	fmt.Println(http.ListenAndServe(address, handler))
	os.Exit(1)
}

// accounts answers requests for accounts as auth does. It keeps them in memory.
func accounts() http.Handler {
	var mu sync.Mutex
	emails := []string{os.Getenv("BOOTSTRAP_ADMIN_EMAIL")}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /api/auth/sign-in/email", answer(map[string]any{"token": "t"}))
	mux.HandleFunc("POST /api/auth/sign-out", answer(map[string]any{}))
	mux.HandleFunc("GET /api/auth/get-session", answer(map[string]any{"user": map[string]any{"id": "u"}}))
	mux.HandleFunc("PUT /api/users/u", answer(map[string]any{}))
	mux.HandleFunc("POST /api/auth/sign-up/email", func(w http.ResponseWriter, r *http.Request) {
		var body struct{ Email string }
		_ = json.NewDecoder(r.Body).Decode(&body)
		mu.Lock()
		emails = append(emails, body.Email)
		mu.Unlock()
		answer(map[string]any{"token": "t"})(w, r)
	})
	mux.HandleFunc("GET /api/users", func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		users := []map[string]string{}
		for _, email := range emails {
			users = append(users, map[string]string{"email": email})
		}
		answer(map[string]any{"users": users})(w, r)
	})
	return mux
}

func answer(value any) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { _ = json.NewEncoder(w).Encode(value) }
}
