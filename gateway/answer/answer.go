// Package answer writes the error responses of the gateway and of the web server, in the form of the services' errors.
// It also makes and checks the ids of requests. Start with Error.
package answer

import (
	"crypto/rand"
	"encoding/json"
	"net/http"
	"strconv"
)

// RequestIDHeader is the header with the id of a request. The log lines of the request have the same id.
const RequestIDHeader = "X-Request-Id"

// fault is an error code and its English sentence, both as in services/platform/fault.
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

// Known reports whether Error has a response of this status.
func Known(status int) bool {
	_, ok := faults[status]
	return ok
}

// Error writes an error response with the status and the body {"error", "code", "request_id"}. It writes 500 for a
// status that is not Known. Responses with 429 or 503 have the header Retry-After.
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
	_, _ = w.Write(body) // the client may have disconnected
}

// NewRequestID returns a random id for a request. The gateways do not accept a client's id, because the services store
// the id in the audit trail.
func NewRequestID() string { return rand.Text() }

// RequestID returns the id that a gateway set on the request. If there is none, or if it is not a token of at most 64
// visible ASCII characters, RequestID returns a new one.
func RequestID(r *http.Request) string {
	if given := r.Header.Values(RequestIDHeader); len(given) == 1 && isToken(given[0]) {
		return given[0]
	}
	return NewRequestID()
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
