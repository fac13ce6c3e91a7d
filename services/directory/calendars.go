package directory

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"net/url"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"baari.dev/services/contract"
	"baari.dev/services/office"
	"baari.dev/services/platform/calendar"
	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/identity"
	"baari.dev/services/platform/limit"
	"baari.dev/services/platform/postgres"
)

// This file has the calendars of confirmed appointments, which programs read by an address with a secret code.

// CalendarFeed is the address of a calendar, without its code.
type CalendarFeed struct {
	ID                           string
	ConsultantID, ConsultantName *string // nil: the office's calendar
	CreatedAt                    time.Time
	ReadAt                       *time.Time // the last read
}

// calendarReads is the rate of one calendar (services/docs/limits.md).
var calendarReads = limit.Rule{Name: "calendar", By: limit.PerUser, Count: 60, Period: time.Hour, Burst: 60}

// codeLength is the number of characters of a code. Each has 5 random bits.
const codeLength = 26

// ownOnly returns fault.ErrForbidden for a calendar that the caller may not manage. Consultants manage their own ones.
func ownOnly(caller identity.Caller, consultantID *string) error {
	if caller.Role == contract.RoleAdmin || consultantID != nil && *consultantID == caller.ID {
		return nil
	}
	return fault.ErrForbidden
}

// Calendars lists the addresses that are in use, oldest first. A consultant gets the own ones.
func (s *Service) Calendars(ctx context.Context) ([]CalendarFeed, error) {
	caller, _ := identity.From(ctx)
	var only *string
	if caller.Role != contract.RoleAdmin {
		only = &caller.ID
	}
	return s.store.calendars(ctx, only)
}

// MakeCalendar stores a new address of the calendar of a consultant, or of the office if consultantID is nil. It returns
// the address, which is not stored. Errors: fault.ErrForbidden for another consultant's, errConsultantUnavailable.
func (s *Service) MakeCalendar(ctx context.Context, consultantID *string) (made CalendarFeed, address string, err error) {
	caller, _ := identity.From(ctx)
	if err := ownOnly(caller, consultantID); err != nil {
		return made, "", err
	}
	id, err := uuid.NewV7()
	if err != nil {
		return made, "", err
	}
	code := strings.ToLower(rand.Text()[:codeLength])
	made = CalendarFeed{ID: id.String(), ConsultantID: consultantID}
	err = postgres.InTx(ctx, s.store.pool, func(tx pgx.Tx) error {
		if consultantID != nil {
			name, err := s.store.available(ctx, tx, *consultantID)
			if err != nil {
				return err
			}
			made.ConsultantName = &name
		}
		made.CreatedAt, err = s.store.addCalendar(ctx, tx, made, digestOf(code), caller.ID)
		return err
	})
	return made, s.baseURL + "/api/calendar/" + code + calendarEnding, err
}

// RevokeCalendar ends an address. Errors: fault.ErrNotFound for an unknown or revoked one, fault.ErrForbidden for
// another consultant's.
func (s *Service) RevokeCalendar(ctx context.Context, id string) error {
	caller, _ := identity.From(ctx)
	return postgres.InTx(ctx, s.store.pool, func(tx pgx.Tx) error {
		consultantID, err := s.store.lockCalendar(ctx, tx, id)
		if err != nil {
			return err
		}
		if err := ownOnly(caller, consultantID); err != nil {
			return err
		}
		return s.store.revokeCalendar(ctx, tx, id)
	})
}

// Calendar returns the calendar of a code as text and notes the read. Errors: fault.ErrNotFound for a code that is
// unknown, revoked, or of a consultant who is not active, fault.ErrRateLimited.
func (s *Service) Calendar(ctx context.Context, code string) (string, error) {
	digest := digestOf(code)
	if err := s.limiter.Allow(ctx, calendarReads, hex.EncodeToString(digest)); err != nil {
		return "", err
	}
	consultantID, err := s.store.readCalendar(ctx, digest)
	if err != nil {
		return "", err
	}
	booked, err := s.store.booked(ctx, consultantID)
	if err != nil {
		return "", err
	}
	document := s.office.Load()
	entries := make([]calendar.Entry, len(booked))
	for i, one := range booked {
		entries[i] = one.entry(s.host(), document.Appointments.FeedNames == office.FeedNamesFirst)
	}
	return calendar.Feed(document.Brand, entries), nil
}

func (s *Service) host() string {
	address, err := url.Parse(s.baseURL)
	if err != nil { // the configuration has validated it
		return ""
	}
	return address.Hostname()
}

func digestOf(code string) []byte {
	sum := sha256.Sum256([]byte(code))
	return sum[:]
}

// bookedTime is a confirmed or arrived appointment. FirstName is "" after an erasure.
type bookedTime struct {
	ID        string
	Service   string
	FirstName string
	Sequence  int
	Changed   time.Time
	From, To  time.Time
}

func (b bookedTime) entry(host string, named bool) calendar.Entry {
	entry := calendar.Entry{
		ID: b.ID, Host: host, Sequence: b.Sequence, Changed: b.Changed, From: b.From, To: b.To, Summary: b.Service,
	}
	if named && b.FirstName != "" {
		entry.Summary += ", " + b.FirstName
	}
	return entry
}
