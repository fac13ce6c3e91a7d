package office

// Appointments is the key "appointments" of the office document: how many appointments a slot has, how far ahead they
// can be made and changed, and when visitors are reminded. The key and each key in it are optional.
type Appointments struct {
	PerSlot             int            `json:"perSlot"`
	ByTime              map[string]int `json:"byTime"`              // other numbers, keyed by the time of the slot
	DaysAhead           int            `json:"daysAhead"`           // days after today that can be chosen
	LeadMinutes         int            `json:"leadMinutes"`         // a slot is offered until this time before it
	ChangeUntilMinutes  int            `json:"changeUntilMinutes"`  // visitors can change until this time before the slot
	RemindDayBefore     bool           `json:"remindDayBefore"`     // a reminder is due at 17:00
	RemindMinutesBefore int            `json:"remindMinutesBefore"` // 0: no second reminder
	FeedNames           string         `json:"feedNames"`           // none, or first: calendars have the first name
}

// The values of Appointments.FeedNames.
const (
	FeedNamesNone  = "none"
	FeedNamesFirst = "first"
)

// DefaultAppointments returns the value of an office document without the key "appointments".
func DefaultAppointments() Appointments {
	return Appointments{
		PerSlot: 4, ByTime: map[string]int{}, DaysAhead: 365, ChangeUntilMinutes: 120, RemindDayBefore: true,
		RemindMinutesBefore: 120, FeedNames: FeedNamesNone,
	}
}

// Capacity returns how many appointments a time has.
func (a Appointments) Capacity(at string) int {
	if most, other := a.ByTime[at]; other {
		return most
	}
	return a.PerSlot
}
