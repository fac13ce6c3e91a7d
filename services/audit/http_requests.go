package audit

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/google/uuid"

	"baari.dev/services/contract"
	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/wire"
)

// Messages for invalid filters.
var (
	entityWrong   = fault.NewMessage(fault.CodeUnknownChoice, "Please choose an entity type from the list")
	entityIDWrong = fault.NewMessage(fault.CodeInvalidText, "Please enter an entity ID of at most 200 characters").
			With("max", longestID)
	queryWrong = fault.NewMessage(fault.CodeInvalidText,
		"Please search for at most 100 letters, digits and punctuation").With("max", longestQuery)
	startWrong  = fault.NewMessage(fault.CodeInvalidDate, "Please enter the start date as YYYY-MM-DD")
	endWrong    = fault.NewMessage(fault.CodeInvalidDate, "Please enter the end date as YYYY-MM-DD")
	dayWrong    = fault.NewMessage(fault.CodeInvalidDate, "Please enter the day as YYYY-MM-DD")
	endBefore   = fault.NewMessage(fault.CodeEndFirst, "The end date cannot be before the start date")
	tooLong     = fault.NewMessage(fault.CodeRangeTooLong, "Please choose at most 366 days").With("max", longestRange)
	pageWrong   = fault.NewMessage(fault.CodeInvalidNumber, "The page is a number from 1").With("min", 1)
	detailWrong = fault.NewMessage(fault.CodeUnknownChoice, "The detail is 1 or left out")
	limitWrong  = fault.NewMessage(fault.CodeInvalidNumber, "The limit is a number from 1 to 100").
			With("min", 1).With("max", mostListed)
)

// Bounds of the filters.
const (
	longestID    = 200
	longestQuery = 100
	longestRange = 366           // longest period in days, of an export or of figures
	furthestPage = 1_000_000_000 // keeps the product of page and limit from overflowing
	mostListed   = 100           // largest number of records on a page
)

// entities are the entity types that a record of the trail can have.
var entities = []string{
	contract.EntityVisit, contract.EntityUser, contract.EntitySession, contract.EntityService, contract.EntityConsultant,
	contract.EntityAppointment, contract.EntityNotification, contract.EntityOffice, contract.EntityAccess,
	contract.EntityAudit, contract.EntityExport, contract.EntityDesk, contract.EntityDueDate, contract.EntityVoicePack,
	contract.EntityLink, contract.EntityArrival, contract.EntityMessage, contract.EntityVisitDocuments,
	contract.EntityConsent, contract.EntityDevice, contract.EntityPrivacy,
}

type readRequest struct {
	Filter      Filter
	Page, Limit int
}

func decodeRead(r *http.Request) (readRequest, error) { return readQuery(r.URL.Query()) }

func readQuery(query url.Values) (readRequest, error) {
	var rejected fault.Fields
	req := readRequest{Filter: Filter{
		Entity: query.Get("entity"), EntityID: query.Get("entity_id"),
		StartDate: readDay(query, "start_date", startWrong, &rejected),
		EndDate:   readDay(query, "end_date", endWrong, &rejected),
	}}
	if req.Filter.Entity != "" && !slices.Contains(entities, req.Filter.Entity) {
		rejected.Reject("entity", entityWrong)
	}
	if !plain(req.Filter.EntityID) {
		rejected.Reject("entity_id", entityIDWrong)
	}
	if req.Filter.StartDate != "" && req.Filter.EndDate != "" && req.Filter.EndDate < req.Filter.StartDate {
		rejected.Reject("end_date", endBefore)
	}
	text := wire.Clean(query.Get("q"), false)
	if req.Filter.Query = text.Value; text.Illegal || text.Length > longestQuery {
		rejected.Reject("q", queryWrong)
	}
	req.Page = wire.Number(query, "page", 1, furthestPage, pageWrong, &rejected)
	req.Limit = wire.Number(query, "limit", 20, mostListed, limitWrong, &rejected)
	return req, rejected.Err()
}

// readDay returns the day of a query parameter, "" when it is absent. A day that does not exist is an error.
func readDay(query url.Values, field string, wrong fault.Message, rejected *fault.Fields) string {
	text := query.Get(field)
	if text == "" {
		return ""
	}
	if _, err := time.Parse(time.DateOnly, text); err != nil || text < firstDay {
		rejected.Reject(field, wrong)
	}
	return text
}

// firstDay is the earliest day that both Go and PostgreSQL accept: PostgreSQL rejects the year 0000.
const firstDay = "0001-01-01"

// plain reports whether text can be an id: valid UTF-8, printable and at most 200 characters.
func plain(text string) bool {
	if !utf8.ValidString(text) || utf8.RuneCountInString(text) > longestID {
		return false
	}
	for _, r := range text {
		if !unicode.IsPrint(r) {
			return false
		}
	}
	return true
}

type figuresRequest struct {
	ID   string
	Days Days
}

func (s *Service) decodeConsultantFigures(r *http.Request) (figuresRequest, error) {
	return s.decodeFigures(r, readUserID)
}

func (s *Service) decodeServiceFigures(r *http.Request) (figuresRequest, error) {
	return s.decodeFigures(r, readRecordID)
}

func (s *Service) decodeFigures(r *http.Request, readID func(string) (string, error)) (req figuresRequest, err error) {
	if req.Days, err = s.decodeDays(r.Context(), r.URL.Query()); err != nil {
		return req, err
	}
	req.ID, err = readID(r.PathValue("id"))
	return req, err
}

// readUserID returns text, or fault.ErrNotFound if text cannot be a user's id.
func readUserID(text string) (string, error) {
	if !plain(text) {
		return "", fault.ErrNotFound
	}
	return text, nil
}

// readRecordID returns a UUID in lower case, or fault.ErrNotFound for a text that is not a UUID of 36 characters.
func readRecordID(text string) (string, error) {
	id, err := uuid.Parse(text)
	if err != nil || len(text) != 36 {
		return "", fault.ErrNotFound
	}
	return id.String(), nil
}

// decodeExport reads the period of an export and whether it has the columns of detailColumns.
func (s *Service) decodeExport(ctx context.Context, query url.Values) (days Days, detail bool, err error) {
	if days, err = s.decodeDays(ctx, query); err != nil {
		return days, false, err
	}
	switch query.Get("detail") {
	case "":
		return days, false, nil
	case "1":
		return days, true, nil
	}
	return days, false, fault.Field("detail", detailWrong)
}

func (s *Service) decodePeriod(r *http.Request) (Days, error) {
	return s.decodeDays(r.Context(), r.URL.Query())
}

// decodeRegister reads the day of a register, by default the current office day.
func (s *Service) decodeRegister(r *http.Request) (string, error) {
	var rejected fault.Fields
	day := readDay(r.URL.Query(), "day", dayWrong, &rejected)
	if err := rejected.Err(); err != nil || day != "" {
		return day, err
	}
	return s.store.today(r.Context())
}

// decodeDays reads a period. A day that is left out is the current office day.
func (s *Service) decodeDays(ctx context.Context, query url.Values) (Days, error) {
	today, err := s.store.today(ctx)
	if err != nil {
		return Days{}, err
	}
	return readDays(query, today)
}

func readDays(query url.Values, today string) (Days, error) {
	var rejected fault.Fields
	days := Days{
		Start: readDay(query, "start_date", startWrong, &rejected),
		End:   readDay(query, "end_date", endWrong, &rejected),
	}
	if err := rejected.Err(); err != nil {
		return days, err
	}
	if days.Start == "" {
		days.Start = today
	}
	if days.End == "" {
		days.End = today
	}
	first, _ := time.Parse(time.DateOnly, days.Start) // both were parsed above
	last, _ := time.Parse(time.DateOnly, days.End)
	switch {
	case last.Before(first):
		rejected.Reject("end_date", endBefore)
	case last.Sub(first) >= longestRange*24*time.Hour:
		rejected.Reject("end_date", tooLong)
	}
	return days, rejected.Err()
}
