// Package checker decides from what was recorded of a run whether Baari kept its promises (reliability.md, section 4).
// It reads evidence only: it knows no network and no database, so that each rule can be shown to fail.
package checker

import (
	"fmt"
	"time"
)

// Outcome is what became of a call.
type Outcome string

// The three outcomes.
const (
	OK      Outcome = "ok"      // answered with success
	Failed  Outcome = "fail"    // answered 4xx: nothing changed
	Unknown Outcome = "unknown" // no answer, or one that promises nothing: it happened or it did not
)

// The kinds of calls that change a visit, and the one that looks at it.
const (
	Create   = "create"
	Approve  = "approve"
	Deny     = "deny"
	Start    = "start"
	Complete = "complete"
	Read     = "read"
)

// Op is one call of one robot as the history holds it.
type Op struct {
	Client     string  `json:"client"`
	Actor      string  `json:"actor,omitempty"` // user id
	Role       string  `json:"role,omitempty"`
	Kind       string  `json:"kind"`
	Visit      string  `json:"visit,omitempty"`
	Consultant string  `json:"consultant,omitempty"` // asked for in an approval
	RequestID  string  `json:"request_id"`
	Key        string  `json:"idem_key,omitempty"`
	Call       int64   `json:"call_ns"`   // on the harness's one clock
	Return     int64   `json:"return_ns"` // of an unknown outcome: when it was given up
	Outcome    Outcome `json:"outcome"`
	Code       string  `json:"code,omitempty"`
	Status     int     `json:"http,omitempty"`
	Replayed   bool    `json:"replayed,omitempty"`
	Seen       *Visit  `json:"seen,omitempty"` // of a success
}

// Visit is a visit as an answer or the final database shows it.
type Visit struct {
	ID         string     `json:"id"`
	Day        string     `json:"day,omitempty"`
	Token      string     `json:"token"`
	TokenNo    int        `json:"-"`
	Status     string     `json:"status"`
	Consultant string     `json:"consultant,omitempty"`
	Version    int64      `json:"version"`
	Created    time.Time  `json:"-"`
	Started    *time.Time `json:"-"`
	Completed  *time.Time `json:"-"`
}

// Record is one record of the audit trail about a visit.
type Record struct {
	N         int64
	Visit     string
	Action    string
	RequestID string
	Version   int64
	Seq       int64
	Old, New  map[string]any // what changed
}

// Event is one row of visits' outbox.
type Event struct {
	Seq        int64
	Visit      string
	Type       string
	Version    int64
	Consultant string // of the visit, once assigned
}

// Frame is what one dashboard got: a visit's event, or a sign in the stream.
type Frame struct {
	Type    string // of the event; Connection, Reset and Mark are none
	Visit   string
	Version int64
	Seq     int64  // visits' place in the frame's position
	Epoch   string // of that place
	Resumed bool   // of a connection
	Strange string // what the frame should not hold, "" for nothing
}

// The types of frames that are no visit's event.
const (
	Connection = "connection"
	Reset      = "reset" // fetch everything again
	Mark       = "mark"  // a heartbeat or another source's event: it tells only how far the stream is
)

// Dashboard is one open screen: what it was told, and what it showed in the end.
type Dashboard struct {
	Name   string
	Role   string
	User   string
	Frames []Frame // in the order of arrival
	Screen []Visit // its list in the order shown, after the last quiet time
}

// Window is a time in which a fault was in force, on the harness's clock.
type Window struct {
	Fault      string
	Start, End int64
}

// Evidence is everything known of a run.
type Evidence struct {
	Today      string
	Ops        []Op
	Visits     []Visit // the final database
	Records    []Record
	Outbox     []Event
	Head       int64  // of the outbox
	Epoch      string // of the outbox; another one is of a past that a restore has taken back
	Unnumbered int
	Slowness   float64 // how much longer calls may take than promised, on a machine that has other work; 0 and 1: not at all
	Dashboards []Dashboard
	Faults     []Window
	Counts     map[string]int  // of the admin's dashboard, by status and "total"
	Exported   map[string]bool // "day token status" of each exported row
	Queues     map[string]int  // currentQueue by consultant
	Running    map[string]bool // inSession by consultant
	Strange    []string        // answers that held what the role may not see
	Ceased     []string        // what was wrong after a revocation, deactivation or change of role
	Trail      string          // why the audit chain does not verify, "" when it does
	Remains    []string        // what did not come back to rest: processes, memory, connections, logs
}

// Violation is one broken promise.
type Violation struct {
	Invariant string   `json:"invariant"`
	What      string   `json:"what"`
	Records   []string `json:"records,omitempty"` // the smallest set that shows it
}

func (v Violation) String() string {
	text := v.Invariant + ": " + v.What
	for _, record := range v.Records {
		text += "\n    " + record
	}
	return text
}

func violation(invariant string, records []string, what string, values ...any) Violation {
	return Violation{Invariant: invariant, What: fmt.Sprintf(what, values...), Records: records}
}

// Line shows an operation in one line of a report.
func (o Op) Line() string {
	text := fmt.Sprintf("%.3fs-%.3fs %s %s", seconds(o.Call), seconds(o.Return), o.Client, o.Kind)
	if o.Visit != "" {
		text += " visit=" + o.Visit
	}
	if o.Consultant != "" {
		text += " consultant=" + o.Consultant
	}
	text += fmt.Sprintf(" -> %s %d %s request=%s", o.Outcome, o.Status, o.Code, o.RequestID)
	if o.Seen != nil {
		text += fmt.Sprintf(" saw %s %s v%d", o.Seen.Token, o.Seen.Status, o.Seen.Version)
	}
	return text
}

func seconds(ns int64) float64 { return float64(ns) / 1e9 }
