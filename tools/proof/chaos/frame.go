package chaos

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"unique"

	"baari.dev/tools/proof/checker"
)

// otherSources are the services besides visits whose frames are checked.
var otherSources = []string{"auth", "directory", "realtime"}

// place is the position of one source in a frame's id. The zero value means unknown.
type place struct {
	epoch string
	seq   int64
}

type message struct {
	kind           string
	places         map[string]place // keyed by source
	source, record string           // the service of an event, and the id of its record
	version        int64
	resumed, reset bool
	strange        string // content that is not allowed, "" for none
}

var onePlace = regexp.MustCompile(`([a-z]+)=([0-9a-f-]+):([0-9]+)`)

// frameKeys are the allowed keys of a frame's data, by type. Any other key is a leak.
var frameKeys = map[string]map[string]bool{
	"visit_created":    keySet("visitId", "version", "token", "name", "service"),
	"visit_approved":   keySet("visitId", "version", "token", "service", "assignedConsultant", "line"),
	"visit_called":     keySet("visitId", "version", "token", "service", "assignedConsultant", "counter", "callCount"),
	"visit_denied":     keySet("visitId", "version", "token", "name", "service"),
	"visit_in_session": keySet("visitId", "version", "token", "name", "service", "assignedConsultant"),
	"visit_completed":  keySet("visitId", "version", "token", "name", "service", "assignedConsultant", "duration"),
	"notification":     keySet("notificationId", "message", "type", "sender", "senderRole", "createdAt"),
	"status_update":    keySet("visitId", "version", "token", "entity", "entityId", "reset"),
}

// boardCallKeys are the allowed keys of a call that screens of the waiting room receive.
var boardCallKeys = keySet(
	"callId", "visitId", "token", "tokenAlso", "counter", "at", "callCount", "language", "day")

// placesOf returns the places in a position, by source.
func placesOf(position string) map[string]place {
	places := map[string]place{}
	for _, match := range onePlace.FindAllStringSubmatch(position, -1) {
		seq, _ := strconv.ParseInt(match[3], 10, 64) // matched as digits
		places[match[1]] = place{unique.Make(match[2]).Value(), seq}
	}
	return places
}

func messageOf(id, data string) message {
	m := message{places: placesOf(id)}
	var live struct {
		Type string
		Data map[string]json.RawMessage
	}
	if err := json.Unmarshal([]byte(data), &live); err != nil {
		m.strange = fmt.Sprintf("a frame that is not JSON: %v", err)
		return m
	}
	m.kind = live.Type
	allowed, known := frameKeys[live.Type]
	if live.Data["callId"] != nil {
		allowed = boardCallKeys
	}
	if known {
		for key := range live.Data {
			if !allowed[key] {
				m.strange = fmt.Sprintf("%s with the field %s", live.Type, key)
			}
		}
	}
	var entity string
	decode(live.Data["entity"], &entity)
	for key, source := range map[string]string{
		"visitId": "visits", "notificationId": "realtime", "entityId": ownerOf(entity),
	} {
		if live.Data[key] != nil {
			decode(live.Data[key], &m.record)
			m.source = source
		}
	}
	decode(live.Data["version"], &m.version)
	decode(live.Data["resumed"], &m.resumed)
	decode(live.Data["reset"], &m.reset)
	return m
}

// ownerOf returns the service that owns the entity of a status_update.
func ownerOf(entity string) string {
	switch entity {
	case "user":
		return "auth"
	case "desk", "line", "consent":
		return "visits"
	}
	return "directory"
}

// decode decodes a value that may be absent.
func decode(text json.RawMessage, into any) {
	if len(text) > 0 {
		_ = json.Unmarshal(text, into) // another type counts as absent; the checker then reports a missing frame
	}
}

// frame returns the message as seen by one source: a reset, a connection, an event of this source, or else a mark.
func (m message) frame(source string) checker.Frame {
	at := m.places[source]
	f := checker.Frame{Type: checker.Mark, Epoch: at.epoch, Seq: at.seq, Strange: m.strange}
	switch {
	case m.reset:
		f.Type = checker.Reset
	case m.kind == checker.Connection:
		f.Type, f.Resumed = checker.Connection, m.resumed
	case m.source == source && m.record != "":
		f.Type, f.Record, f.Version = m.kind, m.record, m.version
	}
	return f
}

// addOther appends the message to the frames of all otherSources, except a mark that repeats the last position.
func addOther(others map[string][]checker.Frame, m message) {
	for _, source := range otherSources {
		f, frames := m.frame(source), others[source]
		f.Strange = "" // reported once, in the frame of visits
		if n := len(frames); n > 0 && f.Type == checker.Mark && frames[n-1].Epoch == f.Epoch && frames[n-1].Seq == f.Seq {
			continue
		}
		others[source] = append(frames, f)
	}
}
