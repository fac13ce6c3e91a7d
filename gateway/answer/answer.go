// Package answer writes the answers that the edge gives by itself, in the shape the services use.
package answer

import (
	"crypto/rand"
	"encoding/json"
	"net/http"
	"strconv"
)

// RequestIDHeader carries the id that ties an answer, its log lines and its trace together.
const RequestIDHeader = "X-Request-Id"

// fault is what the person reads and the code the client acts on.
type fault struct{ code, sentence string }

var faults = map[int]fault{
	http.StatusBadRequest:                  {"bad_body", "The request could not be read. Please try again."},
	http.StatusNotFound:                    {"not_found", "This record does not exist."},
	http.StatusMethodNotAllowed:            {"method_not_allowed", "This action is not possible here."},
	http.StatusRequestEntityTooLarge:       {"too_large", "The request is too large."},
	http.StatusRequestHeaderFieldsTooLarge: {"too_large", "The request is too large."},
	http.StatusTooManyRequests:             {"rate_limited", "Too many requests. Please try again later."},
	http.StatusInternalServerError:         {"internal", "An error occurred"},
	http.StatusBadGateway:                  {"unavailable", unavailable},
	http.StatusServiceUnavailable:          {"unavailable", unavailable},
	http.StatusGatewayTimeout:              {"unavailable", unavailable},
}

const unavailable = "The service is not available. Please try again."

// Known says whether the edge has an answer of its own with this status.
func Known(status int) bool {
	_, ok := faults[status]
	return ok
}

// Error answers status as {"error", "code", "request_id"}. A status that is not Known is answered as 500. 429 and 503
// also say when to come back.
func Error(w http.ResponseWriter, requestID string, status int) {
	if !Known(status) {
		status = http.StatusInternalServerError
	}
	body, err := json.Marshal(struct {
		Error     string `json:"error"`
		Code      string `json:"code"`
		RequestID string `json:"request_id"`
	}{faults[status].sentence, faults[status].code, requestID})
	if err != nil { // three strings always marshal
		panic(err)
	}
	header := w.Header()
	header.Set("Content-Type", "application/json; charset=utf-8")
	header.Set("Content-Length", strconv.Itoa(len(body)))
	header.Set("Cache-Control", "no-store")
	header.Set(RequestIDHeader, requestID)
	if status == http.StatusTooManyRequests || status == http.StatusServiceUnavailable {
		header.Set("Retry-After", "1")
	}
	w.WriteHeader(status)
	_, _ = w.Write(body) // the client may have left
}

// RequestID returns the request's id when it is one token of at most 64 visible ASCII characters, else a new one.
func RequestID(r *http.Request) string {
	if given := r.Header.Values(RequestIDHeader); len(given) == 1 && isToken(given[0]) {
		return given[0]
	}
	return rand.Text()
}

func isToken(s string) bool {
	if s == "" || len(s) > 64 {
		return false
	}
	for i := range len(s) {
		if s[i] <= ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}
