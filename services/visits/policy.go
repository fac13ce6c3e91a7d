package visits

import (
	"time"

	"github.com/go-json-experiment/json"

	"baari.dev/services/visits/line"
)

// queuePolicy is the key queue of the office document. directory has validated it; what it lacks is the default.
type queuePolicy struct {
	Allowances               map[line.Class]int `json:"allowances"` // minutes
	MaxBypass                *int               `json:"maxBypass"`
	Return                   *string            `json:"return"`
	MissAfterSeconds         *int               `json:"missAfterSeconds"`
	LateAppointmentMinutes   *int               `json:"lateAppointmentMinutes"`
	HandPick                 *bool              `json:"handPick"`
	SweepMinutesAfterClosing *int               `json:"sweepMinutesAfterClosing"`
}

// policyOf returns the rules of the line from the stored key; "" is an office without it.
func policyOf(stored string) (line.Policy, error) {
	policy := line.DefaultPolicy()
	if stored == "" || stored == "null" {
		return policy, nil
	}
	var q queuePolicy
	if err := json.Unmarshal([]byte(stored), &q); err != nil {
		return policy, err
	}
	for class, minutes := range q.Allowances {
		policy.Allowances[class] = time.Duration(minutes) * time.Minute
	}
	set(&policy.MaxBypass, q.MaxBypass)
	set(&policy.Return, q.Return)
	set(&policy.HandPick, q.HandPick)
	setTimes(&policy.MissAfter, q.MissAfterSeconds, time.Second)
	setTimes(&policy.LateAppointment, q.LateAppointmentMinutes, time.Minute)
	setTimes(&policy.SweepAfterClosing, q.SweepMinutesAfterClosing, time.Minute)
	return policy, nil
}

func set[T any](field *T, value *T) {
	if value != nil {
		*field = *value
	}
}

func setTimes(field *time.Duration, value *int, unit time.Duration) {
	if value != nil {
		*field = time.Duration(*value) * unit
	}
}
