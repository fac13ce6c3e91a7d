package main

import (
	"math"
	"time"

	"baari.dev/services/visits/line"
)

// rule is a way to run the line. The rules use the same functions of package line, with different policies.
type rule struct {
	name   string
	early  bool // whether a consultant is chosen at the approval
	policy line.Policy
}

// rules returns the simulated rules in the order of the report.
func rules() []rule {
	return []rule{
		{"early", true, uncapped(equal)},
		{"fcfs", false, uncapped(equal)},
		{"due", false, line.DefaultPolicy()},
		{"strict", false, uncapped(strictly)},
	}
}

// equal gives all classes the same allowance, so visitors are called in the order of their ranks.
var equal = map[line.Class]time.Duration{line.Normal: 30 * time.Minute}

// strictly has a day between the allowances of classes, so that a class is called only if no higher class waits.
var strictly = map[line.Class]time.Duration{
	line.Appointment: 0, line.Priority: 24 * time.Hour, line.Deadline: 48 * time.Hour, line.Normal: 72 * time.Hour,
}

// uncapped returns the default policy with other allowances and without a limit on how often a visitor is passed.
func uncapped(allowances map[line.Class]time.Duration) line.Policy {
	p := line.DefaultPolicy()
	p.Allowances, p.MaxBypass = allowances, math.MaxInt
	return p
}
