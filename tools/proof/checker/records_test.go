package checker

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// kept returns sound evidence of an office in which a service, an account and an appointment were changed, a
// notification was sent to one role, a sign-in replaced the session of another user, and a request was denied.
func kept() *Evidence {
	e := &Evidence{Feeds: map[string]Feed{}, Rows: map[Subject]map[string]any{}, Totals: map[string]int{}}
	offer, account := Subject{"directory", "service", "s1"}, Subject{"auth", "user", "u1"}
	for _, value := range []string{"A", "B", "A"} {
		e.saved(offer, value)
	}
	e.saved(account, "Asha")
	e.saved(Subject{"directory", "appointment", "a1"}, "pending")
	e.notified("n1", "pa")
	e.replaced("u1", "u9")
	e.event(Subject{"directory", "consultant", "u1"}, "", "", nil) // follows from an account's event
	e.Ops = append(e.Ops, Op{Client: "robot", Actor: "p1", Kind: Read, Visit: "v", Call: 70, Return: 71, Outcome: OK})
	e.event(Subject{"audit", "access", "GET /api/analytics/audit"}, "robot-forbidden", "c1", map[string]any{"count": 1.0})
	e.Entries[len(e.Entries)-1].Count, e.Entries[len(e.Entries)-1].RequestID = 1, ""
	feed := e.Feeds["audit"]
	feed.Rows[0].RequestID = ""
	e.Ops = append(e.Ops, Op{
		Client: "robot", Actor: "c1", Role: "consultant", Kind: Forbidden,
		Record: Subject{Source: "audit", Entity: "access"}, RequestID: RequestPrefix + "forbidden",
		Call: 90, Return: 91, Outcome: Failed, Code: "forbidden", Status: 403,
	})
	e.Totals = map[string]int{"service": 1, "user": 1, "appointment": 1}
	for _, d := range []Dashboard{{Name: "desk", Role: "reception", User: "r1"}, {Name: "pa", Role: "pa", User: "p1"}} {
		d.Others = map[string][]Frame{}
		for _, source := range []string{"auth", "directory", "realtime"} {
			feed := e.Feeds[source]
			frames := []Frame{{Type: Connection, Epoch: "epoch"}}
			for _, row := range feed.Rows {
				if kind := receivesOther(d.Role, d.User, row); kind != "" {
					frames = append(frames, Frame{Type: kind, Record: row.Subject.ID, Seq: row.Seq, Epoch: "epoch"})
				}
			}
			d.Others[source] = append(frames, Frame{Type: Mark, Seq: feed.Head, Epoch: "epoch"})
		}
		e.Dashboards = append(e.Dashboards, d)
	}
	return e
}

func (e *Evidence) notified(id, role string) {
	n := int64(len(e.Ops) + 1)
	request, subject := fmt.Sprintf("%s%d", RequestPrefix, n), Subject{"realtime", "notification", id}
	e.Ops = append(e.Ops, Op{
		Client: "robot", Actor: "r1", Kind: Save, Record: Subject{Source: "realtime", Entity: "notification"},
		RequestID: request, Call: n * 10, Return: n*10 + 1, Outcome: OK, Status: 202,
	})
	e.event(subject, request, "r1", map[string]any{"message": "hello", "target_roles": []any{role}})
	e.feed("realtime", func(f *Feed) { f.Rows[len(f.Rows)-1].Type = "notification_sent" })
	e.Rows[subject] = map[string]any{"message": "hello"}
}

// replaced adds a sign-in in the browser of another user.
func (e *Evidence) replaced(next, before string) {
	n := int64(len(e.Ops) + 1)
	request := fmt.Sprintf("%s%d", RequestPrefix, n)
	e.Ops = append(e.Ops, Op{
		Client: "robot", Actor: next, Kind: Save, Record: Subject{Source: "auth", Entity: "session"}, Value: "signed in",
		Replaces: Subject{"auth", "session", before}, RequestID: request,
		Call: n * 10, Return: n*10 + 1, Outcome: OK, Status: 200,
	})
	for _, owner := range []string{next, before} {
		e.event(Subject{"auth", "session", owner}, request, next, nil)
	}
}

func (e *Evidence) others(dashboard int, source string, change func([]Frame) []Frame) {
	e.Dashboards[dashboard].Others[source] = change(e.Dashboards[dashboard].Others[source])
}

func (e *Evidence) saved(subject Subject, value string) {
	n := int64(len(e.Ops) + 1)
	request := fmt.Sprintf("%s%d", RequestPrefix, n)
	e.Ops = append(e.Ops, Op{
		Client: "robot", Actor: "admin", Kind: Save, Record: subject, Value: value, RequestID: request, Call: n * 10,
		Return: n*10 + 1, Outcome: OK, Status: 200,
	})
	e.Rows[subject] = map[string]any{"value": value}
	e.event(subject, request, "admin", map[string]any{"value": value, "more": 1.0})
}

func (e *Evidence) event(subject Subject, request, actor string, after map[string]any) {
	feed := e.Feeds[subject.Source]
	feed.Epoch, feed.Head = "epoch", feed.Head+1
	version := int64(1)
	for _, row := range feed.Rows {
		if row.Subject == subject {
			version++
		}
	}
	id := fmt.Sprintf("event-%s-%d", subject.Source, feed.Head)
	feed.Rows = append(feed.Rows, Row{
		Seq: feed.Head, EventID: id, Subject: subject, Type: subject.Entity + "_updated", Version: version, Actor: actor,
		RequestID: request, After: after,
	})
	e.Feeds[subject.Source] = feed
	e.Entries = append(e.Entries, Entry{
		N: int64(len(e.Entries) + 1), Epoch: "epoch", Seq: feed.Head, EventID: id, Subject: subject, Action: "updated",
		Version: version, Actor: actor, RequestID: request,
	})
}

func (e *Evidence) first(entity string) int {
	return slices.IndexFunc(e.Entries, func(entry Entry) bool { return entry.Subject.Entity == entity })
}

func (e *Evidence) feed(source string, change func(*Feed)) {
	feed := e.Feeds[source]
	change(&feed)
	e.Feeds[source] = feed
}

func TestSoundRecordsHaveNoViolation(t *testing.T) {
	for _, v := range Check(kept()) {
		t.Error(v)
	}
}

func TestEachErrorInARecordViolatesItsInvariant(t *testing.T) {
	offer, account := Subject{"directory", "service", "s1"}, Subject{"auth", "user", "u1"}
	for _, l := range []lie{
		{"I3", "an acknowledged change of an account left no record", func(e *Evidence) {
			e.Entries = slices.Delete(e.Entries, e.first("user"), e.first("user")+1)
			e.feed("auth", func(f *Feed) { f.Rows, f.Head = nil, 0 })
		}},
		{"I3", "a rejected change of a service left a record", func(e *Evidence) { e.Ops[1].Outcome = Failed }},
		{"I3", "one change of a service left two records", func(e *Evidence) {
			again := e.Entries[0]
			again.EventID = "twice"
			e.Entries = append(e.Entries, again)
		}},
		{"I3", "a denied request is not recorded", func(e *Evidence) {
			e.Entries = e.Entries[:len(e.Entries)-1]
			delete(e.Feeds, "audit")
		}},
		{"I3", "a forbidden request is answered with success", func(e *Evidence) { e.Ops[len(e.Ops)-1].Outcome = OK }},
		{"I3", "the end of a replaced session is recorded of another person", func(e *Evidence) {
			for i := range e.Entries {
				if e.Entries[i].Subject.ID == "u9" {
					e.Entries[i].Subject.ID = "u1"
				}
			}
		}},
		{"I3", "the end of a replaced session is not recorded", func(e *Evidence) {
			ended := slices.IndexFunc(e.Entries, func(entry Entry) bool { return entry.Subject.ID == "u9" })
			e.Entries = slices.Delete(e.Entries, ended, ended+1)
		}},
		{"I4", "a record names another user than the one of the request", func(e *Evidence) {
			e.Entries[0].Actor = "another user"
		}},
		{"I9", "a message does not reach the role that it is for", func(e *Evidence) {
			e.others(1, "realtime", func(f []Frame) []Frame { return slices.Delete(f, 1, 2) })
		}},
		{"I9", "a message reaches a role that it is not for", func(e *Evidence) {
			e.others(0, "realtime", func(f []Frame) []Frame {
				return slices.Insert(f, 1, Frame{Type: notification, Record: "n1", Seq: 1, Epoch: "epoch"})
			})
		}},
		{"I9", "a dashboard receives no frame for a change of a service", func(e *Evidence) {
			e.others(0, "directory", func(f []Frame) []Frame { return f[:2] })
		}},
		{"I4", "an account changed without a request", func(e *Evidence) { e.Ops = slices.Delete(e.Ops, 3, 4) }},
		{"I4", "a request changed another record than its own", func(e *Evidence) { e.Ops[0].Record.ID = "s2" }},
		{"I4", "more denials are recorded than there were", func(e *Evidence) { e.Entries[len(e.Entries)-1].Count = 2 }},
		{"I5", "a service differs from its last event", func(e *Evidence) { e.Rows[offer]["value"] = "B" }},
		{"I5", "an account that has events is lost", func(e *Evidence) {
			delete(e.Rows, account)
			e.Rows[Subject{"auth", "user", "u2"}] = nil
		}},
		{"I5", "a record has no event", func(e *Evidence) { e.Rows[Subject{"auth", "user", "u2"}] = nil }},
		{"I8", "an event whose payload repeats has no record", func(e *Evidence) {
			e.Entries = slices.Delete(e.Entries, 2, 3)
		}},
		{"I8", "an event has two records", func(e *Evidence) { e.Entries = append(e.Entries, e.Entries[2]) }},
		{"I8", "a record has no event of its own", func(e *Evidence) { e.Entries[2].EventID = "other" }},
		{"I8", "a number of directory is missing", func(e *Evidence) {
			e.feed("directory", func(f *Feed) {
				f.Rows = slices.Delete(f.Rows, 1, 2)
			})
		}},
		{"I8", "the head of auth is ahead", func(e *Evidence) { e.feed("auth", func(f *Feed) { f.Head++ }) }},
		{"I8", "a row of realtime is never numbered", func(e *Evidence) {
			e.feed("realtime", func(f *Feed) {
				f.Unnumbered = 1
			})
		}},
		{"I8", "a version is left out", func(e *Evidence) {
			e.feed("directory", func(f *Feed) { f.Rows[2].Version, e.Entries[2].Version = 4, 4 })
		}},
		{"I13", "a list counts one too many", func(e *Evidence) { e.Totals["appointment"]++ }},
	} {
		t.Run(l.invariant+" "+l.name, func(t *testing.T) {
			e := kept()
			l.apply(e)
			found := Check(e)
			if !slices.ContainsFunc(found, func(v Violation) bool { return v.Invariant == l.invariant }) {
				t.Errorf("not found; found %v", found)
			}
		})
	}
}

func TestAChangeThatStoresTheSameValueNeedsNoRecord(t *testing.T) {
	e := kept()
	again := e.Ops[2]
	again.RequestID, again.Call, again.Return = RequestPrefix+"again", again.Call+5, again.Return+5
	e.Ops = append(e.Ops, again)
	for _, v := range Check(e) {
		t.Error(v)
	}
	e.Ops[len(e.Ops)-1].Value = "C"
	if len(Check(e)) == 0 {
		t.Error("another value also needs none")
	}
}

func TestARestoreUndoesOnlyChangesAfterItsCopy(t *testing.T) {
	restores := []Restore{{Source: "directory", Epoch: "old", Head: 7}}
	for _, c := range []struct {
		source, epoch string
		seq           int64
		back          bool
	}{
		{"directory", "old", 8, true}, {"directory", "old", 7, false},
		{"directory", "new", 8, false}, {"auth", "old", 8, false},
	} {
		if got := TakenBack(restores, c.source, c.epoch, c.seq); got != c.back {
			t.Errorf("%s %s %d: %t", c.source, c.epoch, c.seq, got)
		}
	}
}

func TestARestoredTrailMayLackOnlyLaterAnchors(t *testing.T) {
	e := sound()
	e.Trail = "The audit trail is broken at record 12: it is not the record that was anchored."
	e.Restores = []Restore{{Source: "audit", Trail: 11}}
	if found := Check(e); len(found) > 0 {
		t.Error(found)
	}
	e.Restores[0].Trail = 12
	if len(Check(e)) == 0 {
		t.Error("an anchor before the copy may be missing")
	}
}

func TestAVersionDecidesWhetherAChangeIsAccepted(t *testing.T) {
	for name, c := range map[string]struct {
		version int64
		outcome Outcome
		code    string
		legal   bool
	}{
		"the right version is accepted":      {1, OK, "", true},
		"a stale version is accepted":        {2, OK, "", false},
		"the right version is called stale":  {1, Failed, "stale_version", false},
		"a stale version is rejected":        {2, Failed, "stale_version", true},
		"a stale version is called decided":  {2, Failed, "visit_already_decided", false},
		"no version is called stale":         {0, Failed, "stale_version", false},
		"a stale version is called illegal":  {2, Failed, "illegal_transition", false},
		"a right version is called not mine": {1, Failed, "forbidden", true},
	} {
		e := sound()
		op := e.op(Deny, "visit-2")
		op.IfVersion, op.Outcome, op.Code = c.version, c.outcome, c.code
		if c.outcome == Failed {
			op.Seen = nil
		}
		if got := len(checkLinearizable(e)) == 0; got != c.legal {
			t.Errorf("%s: %t", name, got)
		}
	}
}

func TestATokenOfAnotherDayIsFound(t *testing.T) {
	e := sound()
	for i := range e.Visits {
		e.Visits[i].CreatedDay = today
	}
	if found := checkTokens(e); len(found) > 0 {
		t.Error(found)
	}
	e.Visits[2].CreatedDay = "2026-11-21"
	if len(checkTokens(e)) == 0 {
		t.Error("not found")
	}
}

func TestEachRoleReceivesTheEventsOfRecordsThatItsScreensShow(t *testing.T) {
	for _, c := range []struct {
		kind, entity string
		roles        string
	}{
		{"service_updated", "service", "reception pa consultant admin"},
		{"consultant_updated", "consultant", "pa consultant admin"},
		{"appointment_confirmed", "appointment", "reception pa admin"},
		{"user_updated", "user", "admin"},
		{"session_revoked", "session", ""},
		{"notification_sent", "notification", "pa"},
		{"notification_erased", "notification", ""},
	} {
		row := Row{Type: c.kind, Subject: Subject{"", c.entity, "u1"}, After: map[string]any{"target_roles": []any{"pa"}}}
		var received []string
		for _, role := range []string{"reception", "pa", "consultant", "admin"} {
			if receivesOther(role, "u2", row) != "" {
				received = append(received, role)
			}
		}
		if got := strings.Join(received, " "); got != c.roles {
			t.Errorf("%s is received by %q, want %q", c.kind, got, c.roles)
		}
	}
	for _, role := range []string{"reception", "pa", "consultant", "admin"} {
		if receives(role, "u2", Event{Desk: "u1"}) == nil {
			t.Errorf("a change of a consultant's desk is not received by another %s", role)
		}
	}
}

func TestADashboardShowsTheRecordsWhoseEventsItReceives(t *testing.T) {
	for entity, event := range map[string]Event{
		"visit": {Visit: "v1"}, "desk": {Desk: "c1"}, "consent": {Consent: "v1"}, "access": {},
	} {
		if got, want := IsShown(entity), receives("admin", "u1", event) != nil; got != want {
			t.Errorf("%s: shown %t, received %t", entity, got, want)
		}
	}
	toAdmins := map[string]any{"target_roles": []any{"admin"}}
	for _, kind := range []string{"service", "consultant", "appointment", "user", "session", "office", notification} {
		row := Row{Type: kind + "_sent", Subject: Subject{"", kind, "u1"}, After: toAdmins}
		if got, want := IsShown(kind), receivesOther("admin", "u2", row) != ""; got != want {
			t.Errorf("%s: shown %t, received %t", kind, got, want)
		}
	}
}

func TestARequestForAnAppointmentNeedsNoActor(t *testing.T) {
	e := kept()
	asked := slices.IndexFunc(e.Ops, func(op Op) bool { return op.Record.Entity == "appointment" })
	entry := e.first("appointment")
	e.Entries[entry].Actor = ""
	if len(Check(e)) == 0 {
		t.Error("a confirmation may lack its actor")
	}
	e.Ops[asked].Record.ID = "" // the request creates the record
	for _, v := range Check(e) {
		t.Error(v)
	}
}

func TestASignInThatWasNotAnsweredMayHaveEndedTheOtherSession(t *testing.T) {
	for outcome, records := range map[Outcome]int{OK: 1, Unknown: 0, Failed: 0} {
		var entries []Entry
		op := Op{Outcome: outcome, Replaces: Subject{"auth", "session", "u9"}}
		for n := range 3 {
			want := n == records || outcome == Unknown && n <= 1
			if got := replacedOnce(op, entries); got != want {
				t.Errorf("%s with %d records: %t", outcome, n, got)
			}
			entries = append(entries, Entry{Subject: op.Replaces})
		}
	}
}
