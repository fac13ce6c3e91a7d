package lobby

import (
	"context"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"baari.dev/services/contract"
	"baari.dev/services/lobby/page"
	"baari.dev/services/office"
	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/postgres"
	"baari.dev/services/platform/wire"
)

// The page "Your data" of a visitor, and the office's privacy notice. Consents and the register of privacy requests are
// stored by the service visits, which also compares the typed digits with the phone.

func (s *Service) rightsRoutes() []pageRoute {
	return []pageRoute{
		{http.MethodGet, "/q/notice", s.serveNotice},
		{http.MethodGet, "/q/{code}/data", s.serveData},
		{http.MethodPost, "/q/{code}/withdraw", s.serveWithdraw},
		{http.MethodPost, "/q/{code}/request", s.serveRequest},
	}
}

// serveNotice writes the office's privacy notice in the requested language. All languages of the notice can be
// requested.
func (s *Service) serveNotice(w http.ResponseWriter, r *http.Request) error {
	document, err := s.store.office(r.Context())
	if err == nil && document.Notice.Title == "" {
		err = errRebuilding
	}
	if err != nil {
		return s.answer(w, r, err)
	}
	languages := append([]string{page.English}, slices.Sorted(maps.Keys(document.Notice.Translations))...)
	language := page.English
	chosen, accepted := wanted(r)
	for _, one := range slices.Concat(chosen, accepted) {
		if slices.Contains(languages, one) {
			language = one
			break
		}
	}
	s.metrics.read(readOpen)
	body, err := page.OfficeNotice{
		Office: document.Brand, Notice: document.noticeIn(language), Languages: languages,
	}.Render()
	if err != nil {
		return fault.ErrInternal.Because(err)
	}
	return writePage(w, r, http.StatusOK, body, page.NoticeStyle)
}

func purposesOf(of []office.Purpose) []page.Purpose {
	purposes := make([]page.Purpose, len(of))
	for i, one := range of {
		purposes[i] = page.Purpose{Title: one.Title, Text: one.Text}
	}
	return purposes
}

func (s *Service) serveData(w http.ResponseWriter, r *http.Request) error {
	code, f, err := s.find(r)
	if err != nil {
		return s.answer(w, r, err)
	}
	s.metrics.read(readOpen)
	d, err := s.dataOf(r, code, f)
	if err != nil {
		return s.answer(w, r, err)
	}
	d.Sent = r.URL.Query().Has("sent")
	return writeData(w, r, d, http.StatusOK)
}

func (s *Service) dataOf(r *http.Request, code string, f found) (page.Data, error) {
	agreed, pushed, err := s.store.tellableBy(r.Context(), f.visitID)
	return page.Data{
		Code: code, Language: pageLanguage(r, f), Office: f.office.Brand, Contact: f.office.Notice.Contact,
		Agreed: agreed, Pushed: pushed, Full: f.asked >= mostAsked || f.wrongDigits >= mostWrong,
	}, err
}

func writeData(w http.ResponseWriter, r *http.Request, d page.Data, status int) error {
	body, err := d.Render()
	if err != nil {
		return fault.ErrInternal.Because(err)
	}
	return writePage(w, r, status, body, page.NoticeStyle)
}

func backToData(w http.ResponseWriter, r *http.Request, code, more string) error {
	address := "/q/" + code + "/data?" + more + url.Values{"lang": {r.URL.Query().Get("lang")}}.Encode()
	w.Header().Set("Location", address)
	w.WriteHeader(http.StatusSeeOther)
	return nil
}

// purposePush is the purpose of a withdrawal that ends push to the browsers of a visit.
const purposePush = "push"

// serveWithdraw ends push, or withdraws the consent and waits a second at most until lobby has applied the withdrawal.
func (s *Service) serveWithdraw(w http.ResponseWriter, r *http.Request) error {
	form, err := s.readForm(w, r, mostForm)
	var code string
	var f found
	if err == nil {
		code, f, err = s.find(r)
	}
	if err == nil {
		switch form.Get("purpose") {
		case purposePush:
			err = s.store.unsubscribeAll(r.Context(), f.visitID)
		case contract.PurposeMessages:
			err = s.withdraw(r.Context(), f.visitID)
		}
	}
	if err != nil {
		return s.answer(w, r, err)
	}
	return backToData(w, r, code, "")
}

func (s *Service) withdraw(ctx context.Context, visitID string) error {
	agreed, _, err := s.store.tellableBy(ctx, visitID)
	if err != nil || !agreed {
		return err
	}
	var done struct {
		Changed bool `json:"changed"`
	}
	status, err := s.visits.Call(ctx, http.MethodPost, "/internal/visits/"+visitID+"/withdraw",
		map[string]string{"purpose": contract.PurposeMessages, "from": s.sender(ctx)}, &done)
	if err != nil || status != http.StatusOK {
		return fault.ErrUnavailable.Because(err)
	}
	_, err = soon(ctx, func() (bool, error) {
		agreed, _, err := s.store.tellableBy(ctx, visitID)
		return !agreed, err
	})
	return postgres.Classify(err)
}

const (
	mostAsked = 3       // privacy requests per visit
	mostWrong = 5       // tries per visit with wrong digits of the phone
	mostAsk   = 8 << 10 // bytes of a privacy request; an Indian character takes nine when URL-encoded
	longest   = 500     // characters of the text of a request
)

var fourDigits = regexp.MustCompile(`^[0-9]{4}$`)

// serveRequest adds a visitor's privacy request to the office's register and redirects to the page. If the request is
// incomplete or has wrong digits of the phone, serveRequest shows the form again.
func (s *Service) serveRequest(w http.ResponseWriter, r *http.Request) error {
	form, err := s.readForm(w, r, mostAsk)
	var code string
	var f found
	if err == nil {
		code, f, err = s.find(r)
	}
	var d page.Data
	if err == nil {
		d, err = s.dataOf(r, code, f)
	}
	if err != nil {
		return s.answer(w, r, err)
	}
	last4 := wire.PlainDigits(form.Get("last4"))
	d.Values = page.Asking{Kind: form.Get("kind"), Text: strings.ReplaceAll(form.Get("text"), "\r\n", "\n")}
	d.Problems = askProblems(&d.Values, last4)
	if len(d.Problems) == 0 && !d.Full {
		d.Full, err = s.ask(r.Context(), f.visitID, d.Values, last4, d.Problems)
	}
	switch {
	case err != nil:
		return s.answer(w, r, err)
	case len(d.Problems) > 0:
		return writeData(w, r, d, http.StatusBadRequest)
	case d.Full:
		return writeData(w, r, d, http.StatusTooManyRequests)
	}
	return backToData(w, r, code, "sent&")
}

// askProblems cleans the text of a privacy request and returns the problems of its fields.
func askProblems(values *page.Asking, last4 string) map[string]string {
	wrong := map[string]string{}
	if !slices.Contains(page.Kinds, values.Kind) {
		values.Kind = page.Kinds[0]
		wrong["kind"] = "askKind"
	}
	text := wire.Clean(values.Text, true)
	needed := values.Kind != "access" && values.Kind != "erasure"
	if text.Illegal || text.Length > longest || text.Empty && needed {
		wrong["text"] = "askTextWrong"
	} else {
		values.Text = text.Value
	}
	if text.Empty && !text.Illegal {
		values.Text = ""
	}
	if !fourDigits.MatchString(last4) {
		wrong["last4"] = "askLast4Wrong"
	}
	return wrong
}

// ask sends a privacy request to the service visits. full is true if no more requests are accepted from the visitor;
// wrong digits are added to problems.
func (s *Service) ask(
	ctx context.Context, visitID string, values page.Asking, last4 string, problems map[string]string,
) (full bool, err error) {
	taken, err := s.store.takeAsk(ctx, visitID)
	if err != nil || !taken {
		return !taken, postgres.Classify(err)
	}
	var done struct {
		Result string `json:"result"`
	}
	status, err := s.visits.Call(ctx, http.MethodPost, "/internal/visits/"+visitID+"/requests",
		map[string]string{"kind": values.Kind, "text": values.Text, "last4": last4, "from": s.sender(ctx)}, &done)
	wrongDigits := err == nil && status == http.StatusOK && done.Result == "wrong"
	if done.Result != "received" {
		if err := s.store.returnAsk(ctx, visitID, wrongDigits); err != nil {
			return false, postgres.Classify(err)
		}
	}
	switch {
	case err != nil || status != http.StatusOK:
		return false, fault.ErrUnavailable.Because(err)
	case wrongDigits:
		problems["last4"] = "askLast4Wrong"
	}
	return false, nil
}
