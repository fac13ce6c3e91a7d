// Package checker checks the evidence of a chaos run against the invariants (services/docs/proof.md). It uses no
// network or database, so tests can show that each rule detects violations. Start reading at Invariants.
package checker

import (
	"cmp"
	"fmt"
	"time"
)

// Outcome is the outcome of a request.
type Outcome string

// The three outcomes.
const (
	OK      Outcome = "ok"      // answered with success
	Failed  Outcome = "fail"    // answered 4xx: nothing changed
	Unknown Outcome = "unknown" // no answer, or one that does not say whether the change was made
)

// The kinds of requests: those that change a visit, Read, which reads one, and those on other records.
const (
	Create     = "create"
	Approve    = "approve"
	Deny       = "deny"
	Next       = "next" // a call of the visitor whose turn it is
	CallOne    = "call" // a call of a visitor whom a person has chosen
	Recall     = "recall"
	Release    = "release" // takes a call back
	Start      = "start"
	Take       = "take" // starts the session of a visitor of the line, without a call
	Miss       = "miss"
	Back       = "back"
	Hold       = "hold"
	Resume     = "resume"
	Transfer   = "transfer"
	Pin        = "pin" // a request without a consultant removes the pin
	Move       = "move"
	Prioritise = "class"
	Leave      = "leave"
	Cancel     = "cancel"
	Complete   = "complete"
	Reopen     = "reopen"
	Correct    = "correct"
	Undo       = "undo"
	Offline    = "offline" // sends what a desk has noted without network: several visits
	Read       = "read"
	Save       = "save"      // changes or creates a record other than a visit
	Forbidden  = "forbidden" // requests something that is forbidden to the role
)

// Op is one request of one robot.
type Op struct {
	Client string `json:"client"`
	Actor  string `json:"actor,omitempty"` // user id
	Role   string `json:"role,omitempty"`
	Kind   string `json:"kind"`
	Visit  string `json:"visit,omitempty"`
	// The consultant of an approval, a call, a pin or a transfer; "" for the line.
	Consultant string `json:"consultant,omitempty"`
	IfVersion  int64  `json:"if_version,omitempty"` // version in the body or in If-Match; 0 if the request has none
	// The record of a Save or Forbidden request. Its ID is empty if the request creates the record.
	Record    Subject `json:"record,omitzero"`
	Replaces  Subject `json:"replaces,omitzero"` // session of another user that a sign-in in the same browser ends
	Value     string  `json:"value,omitempty"`
	RequestID string  `json:"request_id"`
	Key       string  `json:"idem_key,omitempty"`
	Call      int64   `json:"call_ns"`   // nanoseconds on the run's clock
	Return    int64   `json:"return_ns"` // the time at which the robot gave up, if there was no answer
	Outcome   Outcome `json:"outcome"`
	Code      string  `json:"code,omitempty"`
	Status    int     `json:"http,omitempty"`
	Replayed  bool    `json:"replayed,omitempty"`
	Again     bool    `json:"again,omitempty"` // set if Next was answered with a call that was still open
	Seen      *Visit  `json:"seen,omitempty"`  // the visit in a successful answer
}

// Visit is a visit in an answer or in the final database.
type Visit struct {
	ID         string    `json:"id"`
	Day        string    `json:"day,omitempty"`
	Token      string    `json:"token"`
	Series     string    `json:"-"`
	TokenNo    int       `json:"-"`
	AfterNo    int       `json:"-"` // offline visits: the last number of the series T at the arrival
	Also       string    `json:"-"` // another token of the visitor, from a desk without network
	Status     string    `json:"status"`
	Stage      string    `json:"stage"`
	Consultant string    `json:"consultant,omitempty"`
	Version    int64     `json:"version"`
	Arrived    time.Time `json:"-"` // offline visits: as noted by the desk; other visits: the creation
	CreatedDay string    `json:"-"` // the office's day on which the visit was created, "" for an offline visit
	Place      Place     `json:"-"`

	CompletedDay string    `json:"-"` // the office's day on which the visit was completed, "" if it was not
	Called       time.Time `json:"-"` // time of the last call, to the microsecond
	SatDay       string    `json:"-"` // the office's day on which the running session began, "" without a session
}

// isOffline reports whether a desk gave the token while it was offline.
func (v Visit) isOffline() bool { return v.Series != "" && v.Series != "T" }

// Place is a visit's position in the line and what determines it. Times are in whole milliseconds, except Moved.
type Place struct {
	Service        string // id
	Class          string
	Pinned         bool
	Series         string
	Token          int
	Rank           time.Time
	Moved          time.Time // due time set by a move, zero without one; with microseconds if read from the database
	Forced         bool      // moved before visitors who must be next
	Bypassed       int
	bypassedAtMost int // upper bound for Bypassed: the outbox alone does not always show the exact number
}

// State is the state of a visit in an event.
type State struct {
	Status, Stage, Day string
	Consultant         string
	Due                time.Time
	Updated            time.Time
	Called             time.Time // the last call
	Place
}

// StateOf reads the payload of an event of a visit.
func StateOf(payload map[string]any) State {
	at := func(field string) time.Time {
		t, _ := time.Parse(time.RFC3339Nano, text(payload[field])) // the zero time for null
		return t
	}
	is := func(field string) bool { return payload[field] == true }
	token, _ := payload["tokenNo"].(float64)
	series := cmp.Or(text(payload["series"]), "T")
	return State{
		Status: text(payload["status"]), Stage: text(payload["stage"]), Day: text(payload["day"]),
		Consultant: text(payload["consultantId"]), Due: at("dueAt"), Updated: at("updatedAt"), Called: at("calledAt"),
		Place: Place{
			Service: text(payload["serviceId"]), Class: text(payload["class"]), Pinned: is("pinned"),
			Series: series, Token: int(token), Rank: at("rankAt"), Moved: at("movedDue"), Forced: is("movedForced"),
		},
	}
}

// Subject identifies a record by the service that owns it, its kind and its id.
type Subject struct {
	Source string `json:"source,omitempty"`
	Entity string `json:"entity,omitempty"`
	ID     string `json:"id,omitempty"`
}

func (s Subject) String() string { return s.Source + "'s " + s.Entity + " " + s.ID }

// Feed is the stream of one service: its outbox and its head.
type Feed struct {
	Epoch      string
	Head       int64
	Unnumbered int
	Rows       []Row
}

// Row is one numbered row of an outbox.
type Row struct {
	Seq       int64
	EventID   string
	Subject   Subject
	Type      string
	Version   int64
	Actor     string // user id
	RequestID string
	At        time.Time
	After     map[string]any
}

// Entry is one record of the audit trail, of any source.
type Entry struct {
	N         int64
	Epoch     string
	Seq       int64
	EventID   string
	Subject   Subject
	Action    string
	Version   int64
	Actor     string
	RequestID string
	Count     int // number of denials that the entry stands for
}

// Restore is a database that was restored to an older copy, with the position of its stream in the copy.
type Restore struct {
	Source string
	Epoch  string
	Head   int64
	Trail  int64 // last record of the audit trail in the copy, if the restored database is audit's
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

// Event is one row of visits' outbox, about a visit, a desk or a consent.
type Event struct {
	Seq       int64
	Visit     string
	Desk      string // id of the consultant whose desk it is, for an event of a desk
	Consent   string // id of the visit, for an event of a consent
	Type      string
	Version   int64
	RequestID string
	At        time.Time // PostgreSQL's clock
	After     State     // the visit's state after this event
	Before    State     // state after the visit's previous event; Link sets it
	ByHand    bool      // a person chose the visitor in the line for the call or session, or had moved the visitor
	DeskState string
}

// Link sets Before of each event of a visit.
func Link(outbox []Event) {
	last := map[string]State{}
	for i, row := range outbox {
		if row.Visit != "" {
			outbox[i].Before, last[row.Visit] = last[row.Visit], row.After
		}
	}
}

// Frame is one frame that a dashboard received, recorded for one source: an event, a connection, a reset or a mark.
type Frame struct {
	Type    string // type of the event, or Connection, Reset or Mark
	Record  string // id of the visit or other record
	Version int64
	Seq     int64
	Epoch   string
	Resumed bool   // set for a connection that resumed the stream
	Strange string // what the frame should not contain, "" for nothing
}

// The types of frames that are not events of the source.
const (
	Connection = "connection"
	Reset      = "reset" // refetch everything
	Mark       = "mark"  // a heartbeat or an event of another source; only its position is checked
)

// Dashboard is one open screen: the frames it received, and what it showed at the end.
type Dashboard struct {
	Name   string
	Role   string
	User   string
	Frames []Frame            // visits' frames in the order of arrival
	Others map[string][]Frame // frames of each other source, without marks that repeat a position
	Screen []Visit            // the screen's list at the end, in the order shown
	Line   []string           // ids of the line's visits in the order shown; nil if the screen does not show the line
	Looks  []Look             // a board, which has no Screen: what it showed each time it was up to date
}

// Pair is a status and a stage that appeared together, and where.
type Pair struct{ Where, Status, Stage string }

// Window is a period in which a fault was active, on the run's clock.
type Window struct {
	Fault      string
	Start, End int64
	Source     string // service whose database alone was restored; "" for any other fault
	Aside      bool   // affects a program that the robots do not need, so it excuses no failed request
}

// Evidence is everything recorded of a run.
type Evidence struct {
	Today    string
	Since    string // first office day of the run and of the export
	Ops      []Op
	Visits   []Visit // the final database
	Promises []Promise
	Messages []Message
	Told     []Told
	Marked   map[Told]int // messages about appointments that lobby has marked as sent
	Consents []Consent    // ordered as in visits' outbox
	Slips    []Slip
	Records  []Record

	Office       []OfficeVersion  // ordered as in directory's outbox
	OfficeCopies map[string]int64 // version of the copy of each follower, by program

	Outbox []Event
	Head   int64
	Epoch  string // epoch of visits' outbox at the end; restores ended the earlier epochs
	// Slowness multiplies the limit of the requests' p99 on a machine with other load. 0 and 1 leave it unchanged.
	Slowness   float64
	Feeds      map[string]Feed            // every service, keyed by name
	Entries    []Entry                    // the whole trail in order, without events that a restore undid
	Rows       map[Subject]map[string]any // the records in their owners' tables, with the field names of events
	Totals     map[string]int             // number of records of an entity in the product's lists
	Restores   []Restore
	Dashboards []Dashboard
	Faults     []Window
	Serves     map[string][]string // ids of the services of each consultant; empty if the consultant serves all
	PinsOnly   map[string]bool     // whether the consultant's desk calls pinned visitors only, at the end of the run
	Zone       *time.Location
	Pairs      map[Pair]string // pairs seen in answers and projections, with the id of one visit for each
	Counts     map[string]int  // counts in the admin's dashboard, keyed by status or "total"
	Stages     map[string]int  // counts in the admin's dashboard, by stage
	Exported   map[string]bool // "day token status" of each exported row
	Queues     map[string]int  // currentQueue by consultant
	Running    map[string]bool // inSession by consultant
	Strange    []string        // answers with data that the role may not see, or that do not match api.yaml
	Ceased     []string        // rights that could be used too long after their end, or that ended too soon
	Trail      string          // why the audit chain does not verify, "" if it does
	Remains    []string        // what did not return to its idle state: processes, memory, connections, logs
}

// Violation is one violated invariant.
type Violation struct {
	Invariant string   `json:"invariant"`
	What      string   `json:"what"`
	Records   []string `json:"records,omitempty"` // requests or audit records that prove the violation
}

func (v Violation) String() string {
	text := v.Invariant + ": " + v.What
	for _, record := range v.Records {
		text += "\n    " + record
	}
	return text
}

// groupBy returns the items grouped by key. The items of a group keep their order.
func groupBy[T any, K comparable](items []T, key func(T) K) map[K][]T {
	groups := map[K][]T{}
	for _, item := range items {
		groups[key(item)] = append(groups[key(item)], item)
	}
	return groups
}

// findings collects violations.
type findings []Violation

func (f *findings) add(invariant string, records []string, what string, values ...any) {
	*f = append(*f, Violation{Invariant: invariant, What: fmt.Sprintf(what, values...), Records: records})
}

// Line formats an operation as one line of a report.
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
		text += fmt.Sprintf(" saw %s %s v%d", o.Seen.Token, o.Seen.Stage, o.Seen.Version)
	}
	return text
}

func seconds(ns int64) float64 { return float64(ns) / 1e9 }
