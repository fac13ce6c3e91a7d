package system

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// mustCarryHeaders checks the headers and the cookies of an answer through the gateway, errors included (T29).
func mustCarryHeaders(t *testing.T, what string, a ask, got reply) {
	t.Helper()
	for name, want := range map[string]string{"X-Content-Type-Options": "nosniff", "Referrer-Policy": "same-origin"} {
		if values := got.header.Values(name); len(values) != 1 || values[0] != want {
			t.Errorf("%s: %d with %s %q", what, got.status, name, values)
		}
	}
	if ids := got.header.Values("X-Request-Id"); len(ids) != 1 || ids[0] == "" {
		t.Errorf("%s: %d with X-Request-Id %q", what, got.status, ids)
	}
	for _, name := range []string{
		"Access-Control-Allow-Origin", "Access-Control-Allow-Credentials", "Server", "X-Powered-By",
	} {
		if value := got.header.Get(name); value != "" {
			t.Errorf("%s: %d with %s %q", what, got.status, name, value)
		}
	}
	public := a.method == http.MethodGet && strings.HasSuffix(a.path, "/api/office") && got.status == http.StatusOK
	control := got.header.Get("Cache-Control")
	// Calendars may keep what they have read for five minutes.
	calendar := strings.HasPrefix(a.path, "/api/calendar/") && got.status == http.StatusOK &&
		control == "private, max-age=300"
	if strings.HasPrefix(a.path, "/api/") && !public && !calendar && !strings.HasPrefix(control, "no-store") {
		t.Errorf("%s: %d with Cache-Control %q", what, got.status, control)
	}
	html := strings.HasPrefix(got.header.Get("Content-Type"), "text/html")
	if policy := got.header.Get("Content-Security-Policy"); html && !strings.Contains(policy, "default-src") {
		t.Errorf("%s: a page with the policy %q", what, policy)
	}
	if (got.status == http.StatusTooManyRequests || got.status == http.StatusServiceUnavailable) &&
		got.header.Get("Retry-After") == "" && got.header.Get("X-Retry-After") == "" {
		t.Errorf("%s: %d has no Retry-After", what, got.status)
	}
	for _, cookie := range got.header.Values("Set-Cookie") {
		readable := strings.HasPrefix(cookie, "baari_lang=") // the chosen language, which the web application reads
		if !readable && !strings.Contains(cookie, "HttpOnly") || !strings.Contains(cookie, "SameSite=Lax") ||
			!strings.Contains(cookie, "Path=/") || strings.Contains(cookie, "Domain=") {
			t.Errorf("%s: cookie %s", what, cookie)
		}
	}
}

// internals matches words that reveal the implementation.
var internals = regexp.MustCompile(`(?i)\b(json|sql|pgx|panic|goroutine|postgres|redis|localhost|127\.0\.0\.1` +
	`|sqlstate|stack|runtime error)\b|\.go:\d`)

// mustSayNothingElse checks that errors reveal no internals. JSON other than auth's must have the common format (T31).
func mustSayNothingElse(t *testing.T, what string, a ask, got reply) {
	t.Helper()
	if strings.HasPrefix(a.path, "/api/auth/") {
		if internals.Match(got.body) && !strings.Contains(string(got.body), "Invalid JSON in request body") &&
			!strings.Contains(string(got.body), "application/json") {
			t.Errorf("%s: %d %s", what, got.status, got.body)
		}
		return
	}
	html := strings.HasPrefix(got.header.Get("Content-Type"), "text/html")
	if html && strings.HasPrefix(strings.ToLower(a.path), "/q/") {
		if internals.Match(got.body) {
			t.Errorf("%s: %d %s", what, got.status, got.body)
		}
		return // the answer is a page for a visitor, not JSON
	}
	var rejection struct {
		Error, Code string
		RequestID   string `json:"request_id"`
		Fields      map[string]string
	}
	if err := json.Unmarshal(got.body, &rejection); err != nil || rejection.Error == "" || rejection.Code == "" ||
		rejection.RequestID != got.header.Get("X-Request-Id") {
		t.Errorf("%s: %d %.200s: %v", what, got.status, got.body, err)
	}
	if rejection.Error != "Please send JSON." && internals.MatchString(rejection.Error+fmt.Sprint(rejection.Fields)) {
		t.Errorf("%s: %d %s", what, got.status, got.body)
	}
}

// memory returns the resident size of each of our programs in kB.
func memory(t *testing.T) map[string]int {
	t.Helper()
	sizes := map[string]int{}
	for _, process := range running.Processes() {
		if process.Name == "postgres" || process.Name == "redis" {
			continue
		}
		text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", process.PID))
		if err != nil {
			t.Fatal(err)
		}
		match := regexp.MustCompile(`VmRSS:\s+(\d+) kB`).FindSubmatch(text)
		if match == nil {
			t.Fatalf("no VmRSS of %s", process.Name)
		}
		if sizes[process.Name], err = strconv.Atoi(string(match[1])); err != nil {
			t.Fatal(err)
		}
	}
	return sizes
}
