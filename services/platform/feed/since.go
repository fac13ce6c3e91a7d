package feed

import (
	"net/http"
	"strconv"
	"strings"
)

// Since is where a list was answered: a later request with it is answered with what changed. Day and Role are part of
// it because both decide which rows a list has and which fields are masked.
type Since struct {
	Position
	Day, Role string
}

// String returns "epoch.seq.day.role", which is opaque to clients.
func (s Since) String() string {
	return strings.Join([]string{s.Epoch, strconv.FormatInt(s.Seq, 10), s.Day, s.Role}, ".")
}

// ParseSince returns the zero value, which no list continues from, for a text that String does not return.
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

// ReadSince reads the query parameter since. Without it, and with a text that is no position, the whole list is
// answered, so that no client is stuck with a position of another release.
func ReadSince(r *http.Request) (Since, error) {
	return ParseSince(r.URL.Query().Get("since")), nil
}
