package directory

import (
	"context"
	"net/http"
	"slices"

	"baari.dev/services/contract"
	"baari.dev/services/directory/appointment"
	"baari.dev/services/office/due"
	"baari.dev/services/platform/endpoint"
	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/identity"
	"baari.dev/services/platform/limit"
	"baari.dev/services/platform/wire"
)

func (s *Service) dueDateRoutes() []endpoint.Route {
	staff := endpoint.Roles(contract.RoleReception, contract.RolePA, contract.RoleConsultant, contract.RoleAdmin)
	admin := endpoint.Roles(contract.RoleAdmin)
	return []endpoint.Route{
		{Method: http.MethodGet, Pattern: "/api/due-dates", Access: staff, Limit: limit.Product,
			Handler: endpoint.JSON(readDueDays, s.listDueDates)},
		{Method: http.MethodPost, Pattern: "/api/due-dates", Access: admin, Limit: limit.Product,
			Handler: endpoint.JSON(s.readDueDate, s.createDueDate)},
		{Method: http.MethodPut, Pattern: "/api/due-dates/{id}", Access: admin, Limit: limit.Product,
			Handler: endpoint.JSON(s.readDueDate, s.updateDueDate)},
	}
}

func (s *Service) listDueDates(ctx context.Context, days dueDays) (dueDatesAnswer, error) {
	caller, _ := identity.From(ctx)
	all, err := s.DueDates(ctx, int(days), caller.Role == contract.RoleAdmin)
	answer := dueDatesAnswer{make([]dueDateBody, len(all))}
	for i, one := range all {
		answer.DueDates[i] = dueDateBody{entryOf(one.DueDate), one.On}
	}
	return answer, err
}

func (s *Service) createDueDate(ctx context.Context, req dueDateRequest) (createdDueDate, error) {
	entry, err := s.AddDueDate(ctx, req.Save)
	return createdDueDate{entryOf(entry)}, err
}

func (s *Service) updateDueDate(ctx context.Context, req dueDateRequest) (dueDateAnswer, error) {
	if !recordID(req.ID) {
		return dueDateAnswer{}, fault.ErrNotFound
	}
	entry, err := s.ChangeDueDate(ctx, req.ID, req.Version, req.Save)
	return dueDateAnswer{entryOf(entry)}, err
}

// entryBody is an entry of the calendar. It has Once if the entry is due on one day, otherwise Rule.
type entryBody struct {
	ID        string    `json:"id"`
	Group     string    `json:"group"`
	Title     string    `json:"title"`
	Once      *string   `json:"once"`
	Rule      *ruleBody `json:"rule"`
	Moved     *moveBody `json:"moved"`
	Source    string    `json:"source"`
	CheckedOn string    `json:"checkedOn"`
	Confirmed bool      `json:"confirmed"`
	Active    bool      `json:"active"`
	Version   int64     `json:"version"`
}

// ruleBody is a rule by which an entry is due every year: on a day of some months.
type ruleBody struct {
	Months []int `json:"months"`
	Day    int   `json:"day"`
}

// moveBody has a day on which an entry was due, and the day to which the government has moved it.
type moveBody struct {
	From string `json:"from"`
	To   string `json:"to"`
}

func entryOf(d contract.DueDate) entryBody {
	body := entryBody{
		ID: d.ID, Group: d.Group, Title: d.Title, Source: d.Source, CheckedOn: d.CheckedOn, Confirmed: d.Confirmed,
		Active: d.IsActive, Version: d.Version,
	}
	if d.Date != "" {
		body.Once = &d.Date
	} else {
		body.Rule = &ruleBody{d.Months, d.Day}
	}
	if d.MovedFrom != "" {
		body.Moved = &moveBody{d.MovedFrom, d.MovedTo}
	}
	return body
}

// dueDateBody is an entry of the calendar on one of the days on which it is due.
type dueDateBody struct {
	entryBody
	Date string `json:"date"`
}

type dueDatesAnswer struct {
	DueDates []dueDateBody `json:"dueDates"`
}

type dueDateAnswer struct {
	DueDate entryBody `json:"dueDate"`
}

type createdDueDate struct {
	DueDate entryBody `json:"dueDate"`
}

// StatusCode implements kithttp.StatusCoder.
func (createdDueDate) StatusCode() int { return http.StatusCreated }

// Bounds of the calendar.
const (
	mostDueDays   = 400
	longestTitle  = 120
	longestSource = 300
)

// Messages for invalid fields of the calendar.
var (
	dueDaysWrong = fault.NewMessage(fault.CodeInvalidNumber, "The days are a number from 1 to 400").
			With("min", 1).With("max", mostDueDays)
	groupWrong   = fault.NewMessage(fault.CodeUnknownChoice, "Please choose a group from the list")
	titleMissing = fault.NewMessage(fault.CodeRequired, "Title is required")
	titleLong    = fault.NewMessage(fault.CodeTooLong, "Please shorten the title to 120 characters").
			With("max", longestTitle)
	titleIllegal = fault.NewMessage(fault.CodeIllegalText,
		"Please use only letters, digits and punctuation in the title")
	sourceMissing = fault.NewMessage(fault.CodeRequired, "Source is required")
	sourceLong    = fault.NewMessage(fault.CodeTooLong, "Please shorten the source to 300 characters").
			With("max", longestSource)
	sourceIllegal = fault.NewMessage(fault.CodeIllegalText,
		"Please use only letters, digits and punctuation in the source")
	onceOrRule   = fault.NewMessage(fault.CodeContradiction, "Please enter a date or months, not both")
	dayWrong     = fault.NewMessage(fault.CodeInvalidDate, "Please enter the date as YYYY-MM-DD")
	monthsWrong  = fault.NewMessage(fault.CodeInvalidCount, "Please choose 1 to 12 months").With("min", 1).With("max", 12)
	ruleDayWrong = fault.NewMessage(fault.CodeInvalidNumber, "Please enter the day as a number from 1 to 31").
			With("min", 1).With("max", 31)
	movedWrong    = fault.NewMessage(fault.CodeInvalidDate, "Please move one of the due dates to another day")
	checkedWrong  = fault.NewMessage(fault.CodeInvalidDate, "Please enter the day of checking, not after today")
	activeFlagBad = fault.NewMessage(fault.CodeInvalidFlag, "Please choose yes or no")
)

// dueDays is the number of days, after today, that a list of the calendar covers.
type dueDays int

func readDueDays(r *http.Request) (dueDays, error) {
	var rejected fault.Fields
	days := wire.Number(r.URL.Query(), "days", mostDueDays, mostDueDays, dueDaysWrong, &rejected)
	return dueDays(days), rejected.Err()
}

// dueDateRequest is a validated request to add an entry to the calendar or to replace one. ID is "" for a new entry.
type dueDateRequest struct {
	ID      string
	Version *int64
	Save    SaveDueDate
}

type dueDateInput struct {
	Group     wire.Field[string]   `json:"group"`
	Title     wire.Field[string]   `json:"title"`
	Date      wire.Field[string]   `json:"date"`
	Rule      wire.Field[ruleBody] `json:"rule"`
	Moved     wire.Field[moveBody] `json:"moved"`
	Source    wire.Field[string]   `json:"source"`
	CheckedOn wire.Field[string]   `json:"checkedOn"`
	Active    wire.Field[bool]     `json:"active"`
	Version   wire.Field[int64]    `json:"version"`
}

func (s *Service) readDueDate(r *http.Request) (dueDateRequest, error) {
	var body dueDateInput
	if err := wire.Read(r, &body); err != nil {
		return dueDateRequest{}, err
	}
	today, err := s.Today(r.Context())
	if err != nil {
		return dueDateRequest{}, err
	}
	var rejected fault.Fields
	req := dueDateRequest{ID: r.PathValue("id"), Save: SaveDueDate{
		Group:     body.Group.Value,
		Title:     readLine(body.Title, "title", longestTitle, titleMissing, titleIllegal, titleLong, &rejected),
		Schedule:  body.schedule(&rejected),
		Source:    readLine(body.Source, "source", longestSource, sourceMissing, sourceIllegal, sourceLong, &rejected),
		CheckedOn: body.checked(today, &rejected),
	}}
	rejectGroup(body.Group, &rejected)
	if body.Active.Present {
		req.Save.Active = &body.Active.Value
	}
	if body.Active.Wrong {
		rejected.Reject("active", activeFlagBad)
	}
	req.Version = wire.Version(body.Version, r.Header.Get("If-Match"), &rejected)
	return req, rejected.Err()
}

func rejectGroup(field wire.Field[string], rejected *fault.Fields) {
	if !slices.Contains(due.Groups, field.Value) {
		rejected.Reject("group", groupWrong)
	}
}

// readLine reads a required text of one line.
func readLine(
	field wire.Field[string], name string, longest int, missing, illegal, long fault.Message, rejected *fault.Fields,
) string {
	return wire.TextRule{Field: name, Most: longest, Missing: missing, Illegal: illegal, Long: long}.Read(field, rejected)
}

// schedule reads when the entry is due: on one day, or by a rule.
func (b dueDateInput) schedule(rejected *fault.Fields) due.Schedule {
	schedule := due.Schedule{Months: []int{}}
	switch {
	case b.Date.Present == b.Rule.Present:
		rejected.Reject("date", onceOrRule)
	case b.Date.Present:
		if schedule.Date = b.Date.Value; !appointment.IsDay(b.Date.Value) {
			rejected.Reject("date", dayWrong)
		}
	default:
		schedule.Day = b.Rule.Value.Day
		schedule.Months = slices.Compact(slices.Sorted(slices.Values(b.Rule.Value.Months)))
		if n := len(schedule.Months); n == 0 || schedule.Months[0] < 1 || schedule.Months[n-1] > 12 {
			rejected.Reject("months", monthsWrong)
		}
		if schedule.Day < 1 || schedule.Day > 31 {
			rejected.Reject("day", ruleDayWrong)
		}
	}
	if b.Moved.Present && rejected.Err() == nil {
		from, to := b.Moved.Value.From, b.Moved.Value.To
		if !appointment.IsDay(from) || !appointment.IsDay(to) || from == to || !schedule.Has(from) {
			rejected.Reject("moved", movedWrong)
		}
		schedule.MovedFrom, schedule.MovedTo = from, to
	}
	return schedule
}

func (b dueDateInput) checked(today string, rejected *fault.Fields) string {
	day := b.CheckedOn.Value
	switch {
	case !b.CheckedOn.Present:
		return today
	case !appointment.IsDay(day) || day > today:
		rejected.Reject("checkedOn", checkedWrong)
	}
	return day
}
