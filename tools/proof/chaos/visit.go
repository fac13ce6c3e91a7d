package chaos

import (
	"encoding/json"
	"regexp"
	"strconv"
	"strings"

	"baari.dev/tools/proof/checker"
)

// visit is a visit as the API returns it, reduced to the fields that robots read.
type visit struct {
	ID         string  `json:"id"`
	Day        string  `json:"day"`
	Token      string  `json:"token"`
	Phone      string  `json:"phone"`
	Status     string  `json:"status"`
	CreatedAt  string  `json:"createdAt"`
	Consultant *string `json:"assignedConsultantId"`
	Version    int64   `json:"version"`
	Queue      struct {
		Stage, Class string
		Pinned       bool
		CallCount    int
		Bypassed     int
		Undo         *struct{ Action string }
	} `json:"queue"`

	Offline *struct {
		ArrivedAt string
		After     int
	} `json:"offline"`

	keys []string
}

// arrival returns the time at which the visitor came, in the format of the API.
func (v visit) arrival() string {
	if v.Offline != nil {
		return v.Offline.ArrivedAt
	}
	return v.CreatedAt
}

// place returns the numbers by which a day's list orders its visits. A visit with the token T-n has n and 0. An offline
// visit has the last number that the series T had reached at its arrival, and 1.
func (v visit) place() (number, offline int) {
	if v.Offline != nil {
		return v.Offline.After, 1
	}
	number, _ = strconv.Atoi(strings.TrimPrefix(v.Token, "T-"))
	return number, 0
}

// UnmarshalJSON also records the keys of the object.
func (v *visit) UnmarshalJSON(text []byte) error {
	type plain visit
	if err := json.Unmarshal(text, (*plain)(v)); err != nil {
		return err
	}
	var all map[string]json.RawMessage
	if err := json.Unmarshal(text, &all); err != nil {
		return err
	}
	for key := range all {
		v.keys = append(v.keys, key)
	}
	var queue map[string]json.RawMessage
	if err := json.Unmarshal(all["queue"], &queue); err != nil {
		return err
	}
	for key := range queue {
		v.keys = append(v.keys, "queue."+key)
	}
	return nil
}

func (v visit) seen() checker.Visit {
	seen := checker.Visit{
		ID: v.ID, Day: v.Day, Token: v.Token, Status: v.Status, Stage: v.Queue.Stage, Version: v.Version,
	}
	if v.Consultant != nil {
		seen.Consultant = *v.Consultant
	}
	return seen
}

// visitKeys are all keys that a visit may have. A robot that receives another key reports it.
var visitKeys = keySet(
	"id", "token", "day", "name", "phone", "service", "status", "createdAt", "updatedAt", "decidedAt", "startedAt",
	"completedAt", "assignedConsultant", "assignedConsultantId", "notes", "receptionNotes", "paNotes", "sessionNotes",
	"waitTime", "sessionDuration", "version", "language", "queue", "queue.stage", "queue.class", "queue.appointmentAt",
	"queue.rankAt", "queue.dueAt", "queue.pinned", "queue.counter", "queue.calledAt", "queue.callCount",
	"queue.bypassed", "queue.passedByHand", "queue.held", "queue.endedAt", "queue.transfers", "queue.sittings",
	"queue.satSince", "queue.sessionSeconds", "queue.correctedAt", "queue.undo", "queue.forecast", "documents",
	"queue.registeredByCaller", "queue.call", "queue.askedFor", "tokenAlso", "offline")

func keySet(keys ...string) map[string]bool {
	set := map[string]bool{}
	for _, key := range keys {
		set[key] = true
	}
	return set
}

var wholePhone = regexp.MustCompile(`^[0-9]{10}$`)

// inspect compares a visit of a list with the fields that the robot's role may see ([I11] and services/docs/matrix.md).
func (r *robot) inspect(v visit) {
	r.inspectFields(v)
	if r.role == "consultant" && (v.Consultant == nil || *v.Consultant != r.id) {
		r.history.addStrange("%s received visit %s of another consultant", r.name, v.ID)
	}
}

// inspectFields checks the fields of a visit, but not whose visit it is: after a consultant has transferred a visit,
// the answer shows it although it now belongs to another consultant.
func (r *robot) inspectFields(v visit) {
	r.history.addPair(checker.Pair{Where: "an answer", Status: v.Status, Stage: v.Queue.Stage}, v.ID)
	for _, key := range v.keys {
		if !visitKeys[key] {
			r.history.addStrange("%s (%s) received the field %s of a visit", r.name, r.role, key)
		}
	}
	if r.role != "consultant" {
		return
	}
	if waiting := v.Status == "approved" || v.Status == "in-session"; !waiting && wholePhone.MatchString(v.Phone) {
		r.history.addStrange("%s received the full phone of visit %s, which is %s", r.name, v.ID, v.Status)
	}
}
