package directory

import (
	"cmp"
	"context"
	_ "embed"
	"reflect"
	"slices"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"baari.dev/services/contract"
	"baari.dev/services/office/due"
	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/outbox"
)

// The calendar of due dates. It is data, not code, because the government changes dates, and the office confirms each
// entry.

//go:embed due_dates.json
var defaultDueDates []byte

// dueDatesFile is the content of due_dates.json, the calendar of an empty database.
type dueDatesFile struct {
	CheckedOn string `json:"checkedOn"`
	Entries   []struct {
		Group  string `json:"group"`
		Title  string `json:"title"`
		Months []int  `json:"months"`
		Day    int    `json:"day"`
		Source string `json:"source"`
	} `json:"entries"`
}

// seedDueDates stores the entries of due_dates.json, unconfirmed, if the calendar has no entries.
func (s *Service) seedDueDates(ctx context.Context) error {
	var file dueDatesFile
	if err := json.Unmarshal(defaultDueDates, &file); err != nil {
		return err
	}
	return s.outbox.InTx(ctx, func(tx pgx.Tx) error {
		seeded, err := s.store.lockSeed(ctx, tx, anyDueDate)
		if err != nil || seeded {
			return err
		}
		for _, entry := range file.Entries {
			id, err := uuid.NewV7()
			if err != nil {
				return err
			}
			seed := contract.DueDate{
				ID: id.String(), Group: entry.Group, Title: entry.Title, Months: entry.Months, Day: entry.Day,
				Source: entry.Source, CheckedOn: file.CheckedOn, IsActive: true, Version: 1,
			}
			if err := s.store.addDueDate(ctx, tx, seed); err != nil {
				return err
			}
			if err := outbox.Append(ctx, tx, dueDateCreated(seed)); err != nil {
				return err
			}
		}
		return nil
	})
}

// SaveDueDate is a request to create or replace an entry of the calendar. If Active is nil, the entry keeps its state,
// and a new entry is active.
type SaveDueDate struct {
	Group, Title, Source string
	Schedule             due.Schedule
	CheckedOn            string
	Active               *bool
}

func (s SaveDueDate) onto(entry contract.DueDate) contract.DueDate {
	entry.Group, entry.Title, entry.Source = s.Group, s.Title, s.Source
	entry.Date, entry.Months, entry.Day = s.Schedule.Date, s.Schedule.Months, s.Schedule.Day
	entry.MovedFrom, entry.MovedTo = s.Schedule.MovedFrom, s.Schedule.MovedTo
	entry.CheckedOn, entry.Confirmed = s.CheckedOn, true
	if s.Active != nil {
		entry.IsActive = *s.Active
	}
	return entry
}

func scheduleOf(d contract.DueDate) due.Schedule {
	return due.Schedule{Date: d.Date, Months: d.Months, Day: d.Day, MovedFrom: d.MovedFrom, MovedTo: d.MovedTo}
}

// occurrence is a day on which an entry of the calendar is due.
type occurrence struct {
	contract.DueDate
	On string
}

// DueDates returns the due dates from the current office day to the given number of days after it, ordered by day and
// title. inactive includes inactive entries.
func (s *Service) DueDates(ctx context.Context, days int, inactive bool) ([]occurrence, error) {
	today, err := s.Today(ctx)
	if err != nil {
		return nil, err
	}
	first, err := time.Parse(time.DateOnly, today)
	if err != nil {
		return nil, err
	}
	entries, err := s.store.dueDates(ctx, inactive)
	if err != nil {
		return nil, err
	}
	all := []occurrence{}
	for _, entry := range entries {
		for _, day := range scheduleOf(entry).Days(today, first.AddDate(0, 0, days).Format(time.DateOnly)) {
			all = append(all, occurrence{entry, day})
		}
	}
	slices.SortFunc(all, func(a, b occurrence) int {
		return cmp.Or(cmp.Compare(a.On, b.On), cmp.Compare(a.Title, b.Title), cmp.Compare(a.ID, b.ID))
	})
	return all, nil
}

// AddDueDate stores a new entry of the calendar.
func (s *Service) AddDueDate(ctx context.Context, save SaveDueDate) (contract.DueDate, error) {
	id, err := uuid.NewV7()
	if err != nil {
		return contract.DueDate{}, err
	}
	entry := save.onto(contract.DueDate{ID: id.String(), IsActive: true, Version: 1})
	err = s.outbox.InTx(ctx, func(tx pgx.Tx) error {
		if err := s.store.addDueDate(ctx, tx, entry); err != nil {
			return err
		}
		return outbox.Append(ctx, tx, dueDateCreated(entry))
	})
	return entry, err
}

// ChangeDueDate replaces an entry of the calendar. A request that changes nothing publishes no event. It returns
// fault.ErrNotFound for an unknown id, and fault.ErrStale if version is set and differs from the entry's version.
func (s *Service) ChangeDueDate(
	ctx context.Context, id string, version *int64, save SaveDueDate,
) (contract.DueDate, error) {
	var after contract.DueDate
	err := s.outbox.InTx(ctx, func(tx pgx.Tx) error {
		before, err := s.store.lockDueDate(ctx, tx, id)
		if err != nil {
			return err
		}
		if version != nil && *version != before.Version {
			return fault.ErrStale
		}
		if after = save.onto(before); reflect.DeepEqual(after, before) {
			return nil
		}
		after.Version++
		if err := s.store.saveDueDate(ctx, tx, after); err != nil {
			return err
		}
		return outbox.Append(ctx, tx, dueDateUpdated(before, after))
	})
	return after, err
}
