package checker

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
)

// shows returns the visits that the screen of a role and user should list, in order, according to the database.
func shows(role, user, today string, visits []Visit) []Visit {
	var list []Visit
	for _, v := range visits {
		switch {
		case role == "pa" && v.Status != "new",
			role == "consultant" && v.Consultant != user,
			role == "consultant" && v.Day != today && v.Status != "approved" && v.Status != "in-session" &&
				v.CompletedDay != today,
			role != "pa" && role != "consultant" && v.Day != today:
			continue
		}
		list = append(list, v)
	}
	slices.SortFunc(list, func(a, b Visit) int {
		// A PA's list is ordered by the time of arrival in milliseconds. Visitors who arrived in the same millisecond
		// may have tokens in another order.
		if role == "pa" {
			return cmp.Or(a.Arrived.Compare(b.Arrived), cmp.Compare(a.ID, b.ID))
		}
		return byToken(a, b)
	})
	return list
}

// byToken compares two visits by their order in a day's list. An offline visit is placed after the last number that
// the series T had reached at its arrival.
func byToken(a, b Visit) int {
	at := func(v Visit) (number, offline int) {
		if v.isOffline() {
			return v.AfterNo, 1
		}
		return v.TokenNo, 0
	}
	one, after := at(a)
	other, second := at(b)
	return cmp.Or(cmp.Compare(a.Day, b.Day), one-other, after-second, a.Arrived.Compare(b.Arrived),
		cmp.Compare(a.Series, b.Series), a.TokenNo-b.TokenNo)
}

// checkScreens checks I10.
func checkScreens(e *Evidence) []Violation {
	var found findings
	for _, d := range e.Dashboards {
		if d.Role == board {
			found = append(found, checkBoard(e, d)...)
			continue
		}
		if what := difference(d.Screen, shows(d.Role, d.User, e.Today, e.Visits)); what != "" {
			found.add("I10", nil, "%s (%s) %s", d.Name, d.Role, what)
		}
		if d.Line == nil {
			continue
		}
		if got, want := d.Line, lineOf(e, d.Role, d.User); !slices.Equal(got, want) {
			found.add("I10", nil, "%s (%s) shows the line %v, by the database it is %v", d.Name, d.Role, got, want)
		}
	}
	return found
}

func difference(got, want []Visit) string {
	if len(got) != len(want) {
		return fmt.Sprintf("shows %d visits, the database has %d", len(got), len(want))
	}
	for i := range want {
		if got[i].ID != want[i].ID || got[i].Version != want[i].Version || got[i].Status != want[i].Status {
			return fmt.Sprintf("shows %s %s v%d at position %d, the database has %s %s v%d",
				got[i].Token, got[i].Status, got[i].Version, i+1, want[i].Token, want[i].Status, want[i].Version)
		}
	}
	return ""
}

// shownStages are the stages that the dashboard counts in addition to the five statuses.
var shownStages = []string{
	stageWaiting, stageCalled, stageHeld, stageMissed, stageLeft, stageNoShow, stageCancelled,
}

// lineOf returns, in order, the ids of the visits in the line that the screen of a role and user should show according
// to the database. A consultant's screen shows the consultant's own line.
func lineOf(e *Evidence, role, user string) []string {
	var line []State
	ids := map[int]string{} // keyed by index in line
	r := &fold{evidence: e}
	for _, v := range e.Visits {
		s := State{Stage: v.Stage, Day: v.Day, Consultant: v.Consultant, Place: v.Place}
		if v.Stage != stageWaiting || !r.isOf(e.Today, s) ||
			role == "consultant" && !takes(user, e.Serves[user], e.PinsOnly[user], s) {
			continue
		}
		line = append(line, s)
		ids[len(line)-1] = v.ID
	}
	order := slices.Collect(maps.Keys(ids))
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(compare(line[a], line[b]), cmp.Compare(ids[a], ids[b]))
	})
	shown := []string{}
	for _, i := range order {
		shown = append(shown, ids[i])
	}
	return shown
}

// checkCounts checks I13.
func checkCounts(e *Evidence) []Violation {
	var found findings
	counts, stages, exported := map[string]int{"total": 0}, map[string]int{}, 0
	queues, running := map[string]int{}, map[string]bool{}
	for _, v := range e.Visits {
		if v.Day == e.Today {
			counts["total"]++
			stages[v.Stage]++
			if v.Status != "denied" || v.Stage == stageDenied { // Visitors who left also have the status denied.
				counts[v.Status]++
			}
		}
		switch {
		case v.Stage == stageWaiting && v.Place.Pinned, v.Stage == stageCalled:
			queues[v.Consultant]++
		case v.Stage == stageInSession:
			running[v.Consultant] = true
		}
		if v.Day < e.Since {
			continue
		}
		exported++
		if row := v.Day + " " + v.Token + " " + v.Status; !e.Exported[row] {
			found.add("I13", nil, "the export has no row for %s", row)
		}
	}
	for _, status := range []string{"total", "new", "approved", "in-session", "completed", "denied"} {
		if e.Counts[status] != counts[status] {
			found.add("I13", nil, "the dashboard counts %d %s, the database %d", e.Counts[status], status, counts[status])
		}
	}
	for _, stage := range shownStages {
		if e.Stages[stage] != stages[stage] {
			found.add("I13", nil, "the dashboard counts %d %s, the database %d", e.Stages[stage], stage, stages[stage])
		}
	}
	if len(e.Exported) != exported {
		found.add("I13", nil, "the export has %d rows, the database %d visits", len(e.Exported), exported)
	}
	for consultant, queue := range e.Queues {
		if queue != queues[consultant] || e.Running[consultant] != running[consultant] {
			found.add("I13", nil, "consultant %s shows queue %d and running %t, the database %d and %t",
				consultant, queue, e.Running[consultant], queues[consultant], running[consultant])
		}
	}
	return found
}
