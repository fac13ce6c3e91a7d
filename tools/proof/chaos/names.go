package chaos

import (
	"crypto/sha256"
	"encoding/hex"
)

// requestNames are the robots' own names of requests. The gateway gives each request an id, which outboxes and the
// trail have, and returns it with the answer. A request without an answer is found by its trace id.
type requestNames struct {
	byID    map[string]string // keyed by the gateway's id
	byTrace map[string]string
	replied map[string]bool // keyed by name
}

func traceOf(name string) string {
	sum := sha256.Sum256([]byte(name))
	return hex.EncodeToString(sum[:16])
}

// traceparent returns the header with which a robot sends the request of a name.
func traceparent(name string) string { return "00-" + traceOf(name) + "-0000000000000001-00" }

func (n *requestNames) sent(name string) {
	if n.byTrace == nil {
		n.byID, n.byTrace, n.replied = map[string]string{}, map[string]string{}, map[string]bool{}
	}
	n.byTrace[traceOf(name)] = name
}

func (n *requestNames) answered(name, id string) {
	if id != "" {
		n.byID[id], n.replied[name] = name, true
	}
}

// of returns the robots' name of the request with an id, or the id if no robot sent the request. Rows of outboxes have
// a traceparent and records of the trail have none, so the outboxes are read first.
func (n *requestNames) of(id, traceparent string) string {
	if name, known := n.byID[id]; known {
		return name
	}
	if id == "" || len(traceparent) < 35 {
		return id
	}
	name, known := n.byTrace[traceparent[3:35]]
	if !known || n.replied[name] {
		return id
	}
	n.byID[id] = name
	return name
}
