package audit

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/google/uuid"

	"baari.dev/services/contract"
	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/postgres"
)

// Messages for invalid filters.
const (
	entityWrong   = "Please choose an entity type from the list"
	entityIDWrong = "Please enter an entity ID of at most 200 characters"
	startWrong    = "Please enter the start date as YYYY-MM-DD"
	endWrong      = "Please enter the end date as YYYY-MM-DD"
	endBefore     = "The end date cannot be before the start date"
	tooLong       = "Please choose at most 366 days"
	pageWrong     = "The page is a number from 1"
	limitWrong    = "The limit is a number from 1 to 100"
)

// Bounds of the filters.
const (
	longestID    = 200
	longestRange = 366           // days of one export, or of figures
	furthestPage = 1_000_000_000 // keeps page times limit a number
)

// entities are those the trail has records of.
var entities = []string{
	contract.EntityVisit, contract.EntityUser, contract.EntitySession, contract.EntityService, contract.EntityConsultant, contract.EntityAppointment,
	contract.EntityNotification, contract.EntityOffice, contract.EntityAccess, contract.EntityAudit, contract.EntityExport,
}

// readRequest is a validated request for a page of the trail.
type readRequest struct {
	Filter      Filter
	Page, Limit int
}

func decodeRead(r *http.Request) (readRequest, error) { return readQuery(r.URL.Query()) }

func readQuery(query url.Values) (readRequest, error) {
	var refused fault.Fields
	req := readRequest{Filter: Filter{
		Entity: query.Get("entity"), EntityID: query.Get("entity_id"),
		StartDate: readDay(query, "start_date", startWrong, &refused),
		EndDate:   readDay(query, "end_date", endWrong, &refused),
	}}
	if req.Filter.Entity != "" && !slices.Contains(entities, req.Filter.Entity) {
		refused.Refuse("entity", entityWrong)
	}
	if !plain(req.Filter.EntityID) {
		refused.Refuse("entity_id", entityIDWrong)
	}
	if req.Filter.StartDate != "" && req.Filter.EndDate != "" && req.Filter.EndDate < req.Filter.StartDate {
		refused.Refuse("end_date", endBefore)
	}
	req.Page = readNumber(query, "page", 1, furthestPage, pageWrong, &refused)
	req.Limit = readNumber(query, "limit", 20, 100, limitWrong, &refused)
	return req, refused.Err()
}

// readDay returns the day of a query parameter, "" when it is absent. A day that does not exist is an error.
func readDay(query url.Values, field, sentence string, refused *fault.Fields) string {
	text := query.Get(field)
	if text == "" {
		return ""
	}
	if _, err := time.Parse(time.DateOnly, text); err != nil || text < firstDay {
		refused.Refuse(field, sentence)
	}
	return text
}

// firstDay is the earliest day that PostgreSQL and Go read the same.
const firstDay = "0001-01-01"

func readNumber(query url.Values, field string, otherwise, most int, sentence string, refused *fault.Fields) int {
	text := query.Get(field)
	if text == "" {
		return otherwise
	}
	number, err := strconv.Atoi(text)
	if err != nil || number < 1 || number > most {
		refused.Refuse(field, sentence)
	}
	return number
}

// plain reports whether text could be an id: valid, printable and not long.
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

// figuresRequest is a validated request for the figures of one consultant or one service.
type figuresRequest struct {
	ID   string
	Days Days
}

func (a *Audit) decodeConsultantFigures(r *http.Request) (figuresRequest, error) {
	return a.decodeFigures(r, readUserID)
}

func (a *Audit) decodeServiceFigures(r *http.Request) (figuresRequest, error) {
	return a.decodeFigures(r, readRecordID)
}

func (a *Audit) decodeFigures(r *http.Request, readID func(string) (string, error)) (req figuresRequest, err error) {
	if req.Days, err = a.decodeDays(r.Context(), r.URL.Query()); err != nil {
		return req, err
	}
	req.ID, err = readID(r.PathValue("id"))
	return req, err
}

// readUserID takes what could be the id of a person; anything else is unknown.
func readUserID(text string) (string, error) {
	if !plain(text) {
		return "", fault.ErrNotFound
	}
	return text, nil
}

// readRecordID takes what could be the id of a service; anything else is unknown.
func readRecordID(text string) (string, error) {
	id, err := uuid.Parse(text)
	if err != nil || len(text) != 36 {
		return "", fault.ErrNotFound
	}
	return id.String(), nil
}

const selectToday = `SELECT (coalesce($1, now()) AT TIME ZONE $2)::date::text`

// decodeDays reads a range of days; each that was left out is the office's today.
func (a *Audit) decodeDays(ctx context.Context, query url.Values) (Days, error) {
	var today string
	if err := a.pool.QueryRow(ctx, selectToday, a.now(), a.options.Zone).Scan(&today); err != nil {
		return Days{}, postgres.Classify(err)
	}
	return readDays(query, today)
}

func readDays(query url.Values, today string) (Days, error) {
	var refused fault.Fields
	days := Days{Start: readDay(query, "start_date", startWrong, &refused), End: readDay(query, "end_date", endWrong, &refused)}
	if err := refused.Err(); err != nil {
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
		refused.Refuse("end_date", endBefore)
	case last.Sub(first) >= longestRange*24*time.Hour:
		refused.Refuse("end_date", tooLong)
	}
	return days, refused.Err()
}
