package lobby

import (
	"errors"
	"net/http"
	"net/url"
	"slices"

	"baari.dev/services/contract"
	"baari.dev/services/lobby/link"
	"baari.dev/services/lobby/page"
	"baari.dev/services/platform/calendar"
	"baari.dev/services/platform/endpoint"
	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/limit"
	"baari.dev/services/platform/request"
)

// appointmentPages returns the routes of an appointment's page, for which a client needs only the address.
func (s *Service) appointmentPages() []pageRoute {
	return []pageRoute{
		{http.MethodGet, "/q/a/{code}", s.serveAppointment},
		{http.MethodGet, "/Q/A/{code}", s.serveAppointment},
		{http.MethodGet, "/q/a/{code}/appointment.ics", s.serveEntry},
		{http.MethodPost, "/q/a/{code}/move", s.changes(s.moveBooked)},
		{http.MethodPost, "/q/a/{code}/cancel", s.changes(s.cancelBooked)},
		{http.MethodPost, "/q/a/{code}/quiet", s.changes(s.quietBooked)},
		{http.MethodPost, "/q/a/{code}/lang", s.changes(s.chooseBookedLanguage)},
	}
}

// appointmentRoutes returns the API for staff.
func (s *Service) appointmentRoutes() []endpoint.Route {
	desk := endpoint.Roles(contract.RoleReception, contract.RolePA, contract.RoleAdmin)
	return []endpoint.Route{
		{
			Method: http.MethodGet, Pattern: "/api/lobby/channels", Access: desk, Limit: limit.Product,
			Handler: endpoint.JSON(readNothing, s.Channels),
		},
		{
			Method: http.MethodGet, Pattern: "/api/lobby/appointments/{id}/link", Access: desk, Limit: limit.Product,
			Handler: endpoint.JSON(readID, s.AppointmentLink),
		},
		{
			Method: http.MethodPost, Pattern: "/api/lobby/appointments/{id}/link", Access: desk, Limit: limit.Product,
			Handler: endpoint.JSON(readID, s.ReplaceAppointmentLink),
		},
	}
}

// findBooked returns the appointment of a request whose link is open, or a notice, as find does for a visit.
func (s *Service) findBooked(r *http.Request) (code string, b booked, err error) {
	ctx := r.Context()
	code, ok := link.Parse(r.PathValue("code"))
	if !ok {
		code = r.PathValue("code")
	}
	b, err = s.store.bookedByCode(ctx, code)
	state := link.Unknown
	switch {
	case errors.Is(err, fault.ErrNotFound):
	case err != nil:
		return code, b, err
	case !b.known:
		return code, b, errRebuilding
	default:
		state = b.state()
	}
	switch state {
	case link.Unknown:
		return code, b, s.limited(ctx, missRule, request.From(ctx).ClientKey(), noSuchLink)
	case link.Gone:
		return code, b, s.limited(ctx, readRule, b.ID, linkEnded)
	}
	return code, b, s.limited(ctx, readRule, b.ID, nil)
}

func bookedLanguage(r *http.Request, b booked) string {
	chosen, accepted := wanted(r)
	return b.office.chosen(slices.Concat(chosen, []string{b.Language}, accepted)...)
}

// serveAppointment serves the page. After check-in it redirects to the page of the visit.
func (s *Service) serveAppointment(w http.ResponseWriter, r *http.Request) error {
	ctx := r.Context()
	code, b, err := s.findBooked(r)
	if err == nil && b.Status == contract.AppointmentStatusArrived && b.VisitID != nil {
		visit, err := s.store.visitCode(ctx, *b.VisitID)
		if err != nil {
			return s.answer(w, r, err)
		}
		if visit != "" {
			return back(w, visit)
		}
	}
	if err == nil && r.Method == http.MethodGet {
		err = s.store.appointmentOpened(ctx, code)
	}
	if err != nil {
		return s.answer(w, r, err)
	}
	language := bookedLanguage(r, b)
	view := s.appointmentView(b, code, language)
	query := r.URL.Query()
	view.Cancelling = view.Changes && query.Has("cancel")
	view.Taken = query.Has("taken")
	if view.Moving = view.Changes && !view.MovesUsed && query.Has("move"); view.Moving {
		if view.Days, err = s.freeDays(ctx, b, language); err != nil {
			return s.answer(w, r, err)
		}
	}
	s.metrics.read(readOpen)
	body, err := view.Render()
	if err != nil {
		return fault.ErrInternal.Because(err)
	}
	return writePage(w, r, http.StatusOK, body, page.NoticeStyle)
}

// serveEntry serves the calendar entry of a confirmed or cancelled appointment.
func (s *Service) serveEntry(w http.ResponseWriter, r *http.Request) error {
	_, b, err := s.findBooked(r)
	if err == nil && b.Status == contract.AppointmentStatusPending {
		err = noSuchLink // without a confirmation there is no entry
	}
	if err != nil {
		return s.answer(w, r, err)
	}
	s.metrics.read(readOpen)
	entry := s.messageOf(b, bookedLanguage(r, b), b.generation).Entry(calendar.Publish, "")
	w.Header().Set("Content-Disposition", `attachment; filename="appointment.ics"`)
	w.Header().Set("X-Robots-Tag", "noindex")
	return writeText(w, r, http.StatusOK, "text/calendar", []byte(entry))
}

// changes returns the handler of a form of the page. The form's function returns the query of the page to which the
// client is redirected, also if the change is impossible.
func (s *Service) changes(
	change func(http.ResponseWriter, *http.Request, booked, url.Values) (query string, err error),
) func(http.ResponseWriter, *http.Request) error {
	return func(w http.ResponseWriter, r *http.Request) error {
		form, err := s.readForm(w, r, mostForm)
		var code, query string
		var b booked
		if err == nil {
			code, b, err = s.findBooked(r)
		}
		if err == nil {
			query, err = change(w, r, b, form)
		}
		if err != nil {
			return s.answer(w, r, err)
		}
		return back(w, "a/"+code+query)
	}
}

// changeable limits the changes of an appointment, and reports whether its client can change it.
func (s *Service) changeable(r *http.Request, b booked) (bool, error) {
	if err := s.limited(r.Context(), actionRule, b.ID, nil); err != nil {
		return false, err
	}
	return s.appointmentView(b, "", page.English).Changes, nil
}

func (s *Service) moveBooked(_ http.ResponseWriter, r *http.Request, b booked, form url.Values) (string, error) {
	can, err := s.changeable(r, b)
	if err != nil || !can || b.Moves >= visitorMoves || form.Get("date") == "" || form.Get("time") == "" {
		return "", err
	}
	req := appointmentChange{Action: "move", Date: form.Get("date"), Time: form.Get("time")}
	err = s.change(r.Context(), b, req)
	if errors.Is(err, errSlotTaken) {
		return "?move&taken", nil
	}
	return "", err
}

func (s *Service) cancelBooked(_ http.ResponseWriter, r *http.Request, b booked, _ url.Values) (string, error) {
	can, err := s.changeable(r, b)
	if err != nil || !can {
		return "", err
	}
	return "", s.change(r.Context(), b, appointmentChange{Action: "cancel"})
}

func (s *Service) quietBooked(_ http.ResponseWriter, r *http.Request, b booked, _ url.Values) (string, error) {
	if err := s.limited(r.Context(), actionRule, b.ID, nil); err != nil {
		return "", err
	}
	return "", s.store.keepQuiet(r.Context(), b.ID)
}

func (s *Service) chooseBookedLanguage(
	w http.ResponseWriter, _ *http.Request, b booked, form url.Values,
) (string, error) {
	if chosen := form.Get("lang"); slices.Contains(b.office.offered(), chosen) {
		s.keepLanguage(w, chosen)
	}
	return "", nil
}
