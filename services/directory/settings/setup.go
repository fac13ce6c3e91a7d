package settings

import (
	"context"
	_ "embed"
	"slices"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/jackc/pgx/v5"
)

// The checklist of a new office. The hours, the services and the notice are ticked when an admin saves them. Directory
// knows the desks' numbers. The others are known to the page, or ticked.

var (
	setupKeys = []string{hoursKey, servicesKey, "people", desksKey, "screen", noticeSection, "backup"}
	// tickedKeys are the keys of the items that can be ticked; the others are done by what they ask for.
	tickedKeys = []string{hoursKey, servicesKey, noticeSection, "backup"}
)

const (
	dismissedKey = "dismissed"
	hoursKey     = "hours"
	servicesKey  = "services"
	desksKey     = "desks"
)

// item is a line of the checklist. At is zero and By empty if it was never ticked.
type item struct {
	Key  string
	Done bool
	At   time.Time
	By   author
}

// Setup is the checklist.
type Setup struct {
	Dismissed bool
	Items     []item
}

// Setup returns the checklist.
func (s *Settings) Setup(ctx context.Context) (Setup, error) {
	items, numbered, err := s.store.items(ctx)
	if err != nil {
		return Setup{}, err
	}
	setup := Setup{Dismissed: items[dismissedKey].Done}
	for _, key := range setupKeys {
		one := items[key]
		one.Key = key
		one.Done = one.Done || key == desksKey && numbered
		setup.Items = append(setup.Items, one)
	}
	return setup, nil
}

// noteSections ticks the sections of the checklist that an admin has changed, in the transaction of the change. A
// section that the operator imports says nothing about who has looked at it.
func (s *Settings) noteSections(ctx context.Context, tx pgx.Tx, e entry) error {
	if e.Actor != nil {
		return nil
	}
	for _, key := range []string{hoursKey, noticeSection} {
		if !slices.Contains(e.Sections, key) {
			continue
		}
		if err := s.store.note(ctx, tx, key, e.By); err != nil {
			return err
		}
	}
	return nil
}

// NoteServices ticks the services of the checklist in the transaction in which an admin saves one.
func (s *Settings) NoteServices(ctx context.Context, tx pgx.Tx) error {
	return s.store.note(ctx, tx, servicesKey, callerOf(ctx))
}

//go:embed holidays.json
var holidaysFile []byte

type holiday struct {
	Month    *int              `json:"month"` // nil, as Day: the date changes every year
	Day      *int              `json:"day"`
	Name     string            `json:"name"`
	Texts    map[string]string `json:"texts"` // the name in other languages
	National bool              `json:"national"`
}

type holidaysAnswer struct {
	Holidays []holiday `json:"holidays"`
}

func getHolidays(context.Context, struct{}) (answer holidaysAnswer, err error) {
	err = json.Unmarshal(holidaysFile, &answer.Holidays)
	return answer, err
}
