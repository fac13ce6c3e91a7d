package office

import (
	"fmt"
	"regexp"
)

// Policy is the key "queue" of the office document: how the line is ordered, how long each class of visitors may wait
// before they are due, and what follows if a visitor does not come. The key and each key in it are optional.
type Policy struct {
	Allowances               Allowances `json:"allowances"`
	MaxBypass                int        `json:"maxBypass"` // how many visitors may be called before an earlier one
	Return                   string     `json:"return"`    // place of a returning visitor: keep, end or after:N
	MissAfterSeconds         int        `json:"missAfterSeconds"`
	LateAppointmentMinutes   int        `json:"lateAppointmentMinutes"` // a visitor who is later counts as a walk-in
	HandPick                 bool       `json:"handPick"`               // consultants may call out of order
	SweepMinutesAfterClosing int        `json:"sweepMinutesAfterClosing"`
	NudgeAfterSeconds        int        `json:"nudgeAfterSeconds"`    // time after which a call counts as not answered
	AutoRecall               int        `json:"autoRecall"`           // how often a call is repeated by itself
	AutoMissAfterSeconds     int        `json:"autoMissAfterSeconds"` // 0: the service marks no visitor as missed
	RequireCounter           bool       `json:"requireCounter"`       // a desk needs a number to open and to call
}

// Allowances are minutes by class of visitors. A visitor is due that many minutes after the rank, which is a time.
type Allowances struct {
	Normal      int `json:"normal"`
	Deadline    int `json:"deadline"`
	Priority    int `json:"priority"`
	Appointment int `json:"appointment"`
}

// DefaultPolicy returns the policy of an office document without the key "queue".
func DefaultPolicy() Policy {
	return Policy{
		Allowances: Allowances{Normal: 30, Deadline: 15, Priority: 10, Appointment: 5},
		MaxBypass:  3, Return: "after:2", MissAfterSeconds: 60, LateAppointmentMinutes: 15, HandPick: true,
		SweepMinutesAfterClosing: 60, NudgeAfterSeconds: 120, AutoRecall: 1,
	}
}

const (
	maxPolicyMinutes    = 240
	maxBypassLimit      = 20
	maxMissAfterSeconds = 600
	minNudgeSeconds     = 30
	maxNudgeSeconds     = 1800
	maxAutoRecall       = 3
	minAutoMissSeconds  = 60
	maxAutoMissSeconds  = 3600
)

var returnForm = regexp.MustCompile(`^(keep|end|after:[1-9])$`)

func (q Policy) check(p *problems) {
	within := func(key string, value, least, most int) {
		p.when(value < least || value > most, "/queue/"+key, fmt.Sprintf("is not from %d to %d", least, most))
	}
	within("allowances/normal", q.Allowances.Normal, 0, maxPolicyMinutes)
	within("allowances/deadline", q.Allowances.Deadline, 0, maxPolicyMinutes)
	within("allowances/priority", q.Allowances.Priority, 0, maxPolicyMinutes)
	within("allowances/appointment", q.Allowances.Appointment, 0, maxPolicyMinutes)
	within("maxBypass", q.MaxBypass, 1, maxBypassLimit)
	p.when(!returnForm.MatchString(q.Return), "/queue/return", "may be keep, end or after:1 to after:9")
	within("missAfterSeconds", q.MissAfterSeconds, 0, maxMissAfterSeconds)
	within("lateAppointmentMinutes", q.LateAppointmentMinutes, 0, maxPolicyMinutes)
	within("sweepMinutesAfterClosing", q.SweepMinutesAfterClosing, 0, maxPolicyMinutes)
	within("nudgeAfterSeconds", q.NudgeAfterSeconds, minNudgeSeconds, maxNudgeSeconds)
	within("autoRecall", q.AutoRecall, 0, maxAutoRecall)
	missed := q.AutoMissAfterSeconds
	p.when(missed != 0 && (missed < minAutoMissSeconds || missed > maxAutoMissSeconds), "/queue/autoMissAfterSeconds",
		fmt.Sprintf("is neither 0 nor from %d to %d", minAutoMissSeconds, maxAutoMissSeconds))
}
