package feed

import (
	"net/http"
	"strconv"
	"strings"
)

// Since is the position of a list's response: a later request with it gets the changes since then. Day and Role are
// part of it: both decide which rows a list has, and Role decides which fields are masked.
type Since struct {
	Position
	Day, Role string
}

// String returns "epoch.seq.day.role", which is opaque to clients.
func (s Since) String() string {
	return strings.Join([]string{s.Epoch, strconv.FormatInt(s.Seq, 10), s.Day, s.Role}, ".")
}

// ParseSince parses a text of String. For any other text it returns the zero value, for which a list is sent whole.
func ParseSince(text string) Since {
	parts := strings.Split(text, ".")
	if len(parts) != 4 {
		return Since{}
	}
	seq, err := strconv.ParseInt(parts[1], 10, 64)
	if err != nil || seq < 0 {
		return Since{}
	}
	return Since{Position: Position{Epoch: parts[0], Seq: seq}, Day: parts[2], Role: parts[3]}
}

// ReadSince reads the query parameter "since". Without it, or with an invalid text, the response is the whole list, so
// that a client with a position of another release does not get stuck.
func ReadSince(r *http.Request) (Since, error) {
	return ParseSince(r.URL.Query().Get("since")), nil
}
