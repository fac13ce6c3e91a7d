package office

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
