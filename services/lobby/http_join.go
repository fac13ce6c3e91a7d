package lobby

import (
	"net/http"
	"slices"
	"strings"

	"baari.dev/services/lobby/page"
	"baari.dev/services/office"
	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/request"
	"baari.dev/services/platform/wire"
)

// mostJoin is the size of the largest request for a token, in bytes. An Indian character takes nine when URL-encoded.
const mostJoin = 4 << 10

// joinPage returns the page on which visitors ask for a token, or noSuchLink for an office without self check-in. On a
// day on which the office is closed, the page says when it opens.
func (s *Service) joinPage(r *http.Request, chosen string) (page.Join, officeCopy, error) {
	document, err := s.store.office(r.Context())
	if err != nil {
		return page.Join{}, document, err
	}
	if document.CheckIn != office.CheckInConfirm {
		return page.Join{}, document, noSuchLink
	}
	offered := document.offered()
	_, accepted := wanted(r)
	j := page.Join{
		Offered: offered, Office: document.Brand, Chosen: len(offered) == 1 || slices.Contains(offered, chosen),
		Language: document.chosen(append([]string{chosen}, accepted...)...),
	}
	j.Messages = document.Messages == office.MessagesOn
	j.Notice = document.noticeIn(j.Language)
	if !j.Chosen {
		return j, document, nil
	}
	now, err := s.store.now(r.Context(), s.store.pool)
	if err != nil {
		return j, document, err
	}
	if j.Opens = document.opensAfter(now.In(s.options.Zone)); j.Opens == nil {
		j.Services, err = s.store.choices(r.Context(), j.Language)
	}
	return j, document, err
}

// noticeIn returns the office's notice in a language, or in English if it has no translation.
func (o officeCopy) noticeIn(language string) page.NoticeText {
	shown := page.NoticeText{Language: page.English, Version: o.Notice.Version, Title: o.Notice.Title,
		Contact: o.Notice.Contact}
	shown.Purposes, shown.Children = purposesOf(o.Notice.Purposes), o.Notice.Children
	text := o.Notice.Text
	if translated, has := o.Notice.Translations[language]; has {
		shown.Language, shown.Title, text = language, translated.Title, translated.Text
		shown.Purposes, shown.Children = purposesOf(translated.Purposes), translated.Children
	}
	shown.Paragraphs = strings.FieldsFunc(text, func(r rune) bool { return r == '\n' })
	return shown
}

// serveJoin writes the page that the QR code on the office's poster opens. An office with several languages first
// asks for one, unless ?lang has one of them, or there is no ?lang and the cookie has one. ?choose ignores the cookie.
func (s *Service) serveJoin(w http.ResponseWriter, r *http.Request) error {
	query := r.URL.Query()
	chosen := query.Get("lang")
	if cookie, err := r.Cookie(request.LanguageCookie); err == nil && chosen == "" && !query.Has("choose") {
		chosen = cookie.Value
	}
	j, document, err := s.joinPage(r, chosen)
	if err != nil {
		return s.answer(w, r, err)
	}
	if slices.Contains(document.offered(), query.Get("lang")) {
		s.keepLanguage(w, chosen)
	}
	j.Sent = query.Has("sent")
	return s.writeJoin(w, r, j, http.StatusOK)
}

func (s *Service) writeJoin(w http.ResponseWriter, r *http.Request, j page.Join, status int) error {
	s.metrics.read(readOpen)
	body, err := j.Render()
	if err != nil {
		return fault.ErrInternal.Because(err)
	}
	return writePage(w, r, status, body, page.NoticeStyle)
}

// serveJoined stores a request for a token and redirects to a page that confirms it. If the request is invalid, or the
// notice has changed, serveJoined shows the form again. On a day on which the office is closed it stores nothing.
func (s *Service) serveJoined(w http.ResponseWriter, r *http.Request) error {
	form, err := s.readForm(w, r, mostJoin)
	if err != nil {
		return s.answer(w, r, err)
	}
	j, _, err := s.joinPage(r, form.Get("language"))
	if err != nil {
		return s.answer(w, r, err)
	}
	if j.Opens != nil {
		return s.writeJoin(w, r, j, http.StatusBadRequest)
	}
	name := wire.Clean(form.Get("name"), false)
	j.Values = page.Request{
		Name: form.Get("name"), Phone: form.Get("phone"), ServiceID: form.Get("service_id"),
		Messages: j.Messages && form.Get("messages") == "true",
	}
	digits, ok := wire.CleanPhone(j.Values.Phone)
	j.Problems = problemsOf(j, name, ok)
	if len(j.Problems) > 0 || !j.Chosen || form.Get("notice_version") != j.Notice.Version {
		return s.writeJoin(w, r, j, http.StatusBadRequest)
	}
	if err = s.limited(r.Context(), joinRule, request.From(r.Context()).ClientKey(), nil); err == nil {
		err = s.Join(r.Context(), arrival{
			Language: j.Language, Person: person{Name: name.Value, Phone: digits}, ServiceID: j.Values.ServiceID,
			NoticeVersion: j.Notice.Version, Messages: j.Values.Messages,
		})
	}
	if err != nil {
		return s.answer(w, r, err)
	}
	w.Header().Set("Location", "/q/join?sent&lang="+j.Language)
	w.WriteHeader(http.StatusSeeOther)
	return nil
}

// longestName is the largest number of characters in a name that visits accepts.
const longestName = 100

func problemsOf(j page.Join, name wire.Text, phone bool) map[string]string {
	wrong := map[string]string{}
	if name.Empty || name.Illegal || name.Length > longestName {
		wrong["name"] = "joinNameWrong"
	}
	if !phone {
		wrong["phone"] = "joinPhoneWrong"
	}
	if !slices.ContainsFunc(j.Services, func(c page.Choice) bool { return c.ID == j.Values.ServiceID }) {
		wrong["service_id"] = "joinServiceWrong"
	}
	return wrong
}
