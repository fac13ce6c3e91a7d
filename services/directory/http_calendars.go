package directory

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"strings"

	"baari.dev/services/contract"
	"baari.dev/services/platform/endpoint"
	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/limit"
	"baari.dev/services/platform/wire"
)

const calendarEnding = ".ics"

// calendarRoutes returns the routes of calendars. The rate of a calendar counts by its code.
func (s *Service) calendarRoutes() []endpoint.Route {
	managers := endpoint.Roles(contract.RoleConsultant, contract.RoleAdmin).Owned("self")
	return []endpoint.Route{
		{Method: http.MethodGet, Pattern: "/api/calendars", Access: managers, Limit: limit.Product,
			Handler: endpoint.JSON(endpoint.Nothing, s.listCalendars)},
		{Method: http.MethodPost, Pattern: "/api/calendars", Access: managers, Limit: limit.Product,
			Handler: endpoint.JSON(readMakeCalendar, s.makeCalendar)},
		{Method: http.MethodDelete, Pattern: "/api/calendars/{id}", Access: managers, Limit: limit.Product,
			Handler: endpoint.JSON(readID, s.revokeCalendar)},
		{Method: http.MethodGet, Pattern: "/api/calendar/{file}", Access: endpoint.Public(),
			Handler: endpoint.Stream(s.serveCalendar)},
	}
}

type calendarBody struct {
	ID         string          `json:"id"`
	Consultant *calendarPerson `json:"consultant"` // null for the office's
	CreatedAt  wire.Time       `json:"createdAt"`
	ReadAt     *wire.Time      `json:"readAt"`
	URL        string          `json:"url,omitzero"`
}

type calendarPerson struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

func calendarOf(f CalendarFeed, url string) calendarBody {
	body := calendarBody{ID: f.ID, CreatedAt: wire.Time(f.CreatedAt), ReadAt: wire.TimeOf(f.ReadAt), URL: url}
	if f.ConsultantID != nil {
		body.Consultant = &calendarPerson{ID: *f.ConsultantID}
		if f.ConsultantName != nil {
			body.Consultant.Name = *f.ConsultantName
		}
	}
	return body
}

type calendarsAnswer struct {
	Calendars []calendarBody `json:"calendars"`
}

type calendarAnswer struct {
	Calendar calendarBody `json:"calendar"`
}

// StatusCode implements kithttp.StatusCoder.
func (calendarAnswer) StatusCode() int { return http.StatusCreated }

func readMakeCalendar(r *http.Request) (*string, error) {
	var body struct {
		ConsultantID wire.Field[string] `json:"consultant_id"`
	}
	if err := wire.Read(r, &body); err != nil {
		return nil, err
	}
	switch of := body.ConsultantID; {
	case of.Null:
		return nil, nil
	case !of.Present || of.Wrong || !userID(of.Value):
		return nil, fault.Field("consultant_id", consultantWrong)
	}
	return &body.ConsultantID.Value, nil
}

func (s *Service) listCalendars(ctx context.Context, _ struct{}) (calendarsAnswer, error) {
	feeds, err := s.Calendars(ctx)
	answer := calendarsAnswer{make([]calendarBody, len(feeds))}
	for i, feed := range feeds {
		answer.Calendars[i] = calendarOf(feed, "")
	}
	return answer, err
}

func (s *Service) makeCalendar(ctx context.Context, consultantID *string) (calendarAnswer, error) {
	made, url, err := s.MakeCalendar(ctx, consultantID)
	return calendarAnswer{calendarOf(made, url)}, err
}

func (s *Service) revokeCalendar(ctx context.Context, id string) (nothing, error) {
	if !recordID(id) {
		return nothing{}, fault.ErrNotFound
	}
	return nothing{}, s.RevokeCalendar(ctx, id)
}

// serveCalendar writes a calendar, or 304 if If-None-Match has its ETag.
func (s *Service) serveCalendar(w http.ResponseWriter, r *http.Request) error {
	code, ends := strings.CutSuffix(r.PathValue("file"), calendarEnding)
	if !ends || len(code) != codeLength {
		return fault.ErrNotFound
	}
	text, err := s.Calendar(r.Context(), code)
	if err != nil {
		return err
	}
	sum := sha256.Sum256([]byte(text))
	tag := `"` + base64.RawURLEncoding.EncodeToString(sum[:12]) + `"`
	header := w.Header()
	header.Set("Cache-Control", "private, max-age=300")
	header.Set("ETag", tag)
	if r.Header.Get("If-None-Match") == tag {
		w.WriteHeader(http.StatusNotModified)
		return nil
	}
	header.Set("Content-Type", "text/calendar; charset=utf-8")
	_, err = w.Write([]byte(text))
	return err
}
