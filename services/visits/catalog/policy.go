package catalog

import (
	"time"

	"github.com/go-json-experiment/json"

	"baari.dev/services/office"
	"baari.dev/services/visits/line"
)

// PolicyOf returns the rules of the line. stored is the office document's value of queue, or "" for the default rules.
func PolicyOf(stored string) (line.Policy, error) {
	queue := office.DefaultPolicy()
	if stored != "" {
		if err := json.Unmarshal([]byte(stored), &queue); err != nil {
			return line.DefaultPolicy(), err
		}
	}
	minutes := func(n int) time.Duration { return time.Duration(n) * time.Minute }
	seconds := func(n int) time.Duration { return time.Duration(n) * time.Second }
	return line.Policy{
		Allowances: map[line.Class]time.Duration{
			line.Normal:      minutes(queue.Allowances.Normal),
			line.Deadline:    minutes(queue.Allowances.Deadline),
			line.Priority:    minutes(queue.Allowances.Priority),
			line.Appointment: minutes(queue.Allowances.Appointment),
		},
		MaxBypass:         queue.MaxBypass,
		Return:            queue.Return,
		MissAfter:         seconds(queue.MissAfterSeconds),
		LateAppointment:   minutes(queue.LateAppointmentMinutes),
		SweepAfterClosing: minutes(queue.SweepMinutesAfterClosing),
		HandPick:          queue.HandPick,
		NudgeAfter:        seconds(queue.NudgeAfterSeconds),
		AutoRecall:        queue.AutoRecall,
		AutoMissAfter:     seconds(queue.AutoMissAfterSeconds),
		RequireCounter:    queue.RequireCounter,
	}, nil
}
