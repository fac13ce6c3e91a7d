package chaos

import (
	"encoding/json"
	"regexp"
	"strconv"
	"strings"

	"baari.dev/tools/proof/checker"
)

// visit is a visit of an answer, with the fields that robots read.
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

// arrival returns when the visitor came.
func (v visit) arrival() string {
	if v.Offline != nil {
		return v.Offline.ArrivedAt
	}
	return v.CreatedAt
}

// place returns the position of the visit in its day: the number of its token in the series T. For an offline visit,
// number is the last one of T before it, and offline is 1.
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

// visitKeys are all keys of a visit; any other is a leak.
var visitKeys = keySet(
	"id", "token", "day", "name", "phone", "service", "status", "createdAt", "updatedAt", "decidedAt", "startedAt",
	"completedAt", "assignedConsultant", "assignedConsultantId", "notes", "receptionNotes", "paNotes", "sessionNotes",
	"waitTime", "sessionDuration", "version", "language", "queue", "queue.stage", "queue.class", "queue.appointmentAt",
	"queue.rankAt", "queue.dueAt", "queue.pinned", "queue.counter", "queue.calledAt", "queue.callCount",
	"queue.bypassed", "queue.passedByHand", "queue.held", "queue.endedAt", "queue.transfers", "queue.sittings",
	"queue.satSince", "queue.sessionSeconds", "queue.correctedAt", "queue.undo", "queue.forecast", "documents",
	"queue.registeredByCaller", "queue.call", "tokenAlso", "offline")

func keySet(keys ...string) map[string]bool {
	set := map[string]bool{}
	for _, key := range keys {
		set[key] = true
	}
	return set
}

var wholePhone = regexp.MustCompile(`^[0-9]{10}$`)

// inspect compares a visit of a list with the fields that the robot's role may see ([I11], and the table of fields in
// services/docs/matrix.md).
func (r *robot) inspect(v visit) {
	r.inspectFields(v)
	if r.role == "consultant" && (v.Consultant == nil || *v.Consultant != r.id) {
		r.history.addStrange("%s received visit %s of another consultant", r.name, v.ID)
	}
}

// inspectFields checks the fields of a visit. After the change of a consultant, the answer may show a visit that now
// belongs to another one.
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
