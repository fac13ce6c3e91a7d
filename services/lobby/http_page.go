package lobby

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"baari.dev/services/lobby/link"
	"baari.dev/services/lobby/page"
	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/limit"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/request"
	"baari.dev/services/platform/wire"
)

// The actions of a visitor. "here" ends a hold for being late, and undoes "left". With "back" a visitor who missed the
// call announces the return, which reception confirms.
const (
	actionLate = "late"
	actionLeft = "left"
	actionHere = "here"
	actionBack = "back"
)

// The limits of the pages: readRule and actionRule limit a visit, missRule an address that requests unknown codes.
var (
	readRule   = limit.Rule{Name: "lobby_reads", By: limit.PerAddress, Count: 60, Period: time.Minute, Burst: 60}
	actionRule = limit.Rule{Name: "lobby_actions", By: limit.PerAddress, Count: 6, Period: time.Hour, Burst: 6}
	missRule   = limit.Rule{Name: "lobby_misses", By: limit.PerAddress, Count: 30, Period: 10 * time.Minute, Burst: 30}
)

const cookieSeconds = 365 * 24 * 60 * 60

// notice is an error that is shown as a page without a visit.
type notice struct {
	page   page.Notice
	status int
	result string // label of the metric
	after  time.Duration
}

// Error implements error.
func (n notice) Error() string { return string(n.page) }

var (
	noSuchLink  = notice{page.NotFound, http.StatusNotFound, readUnknown, 0}
	linkEnded   = notice{page.Gone, http.StatusGone, readGone, 0}
	notOurs     = notice{page.Foreign, http.StatusForbidden, readFailed, 0}
	unavailable = notice{page.Unavailable, http.StatusServiceUnavailable, readFailed, 5 * time.Second}
)

// find returns the open link of a request, or a notice. A malformed code is looked up, too, so that the response takes
// the same time.
func (s *Service) find(r *http.Request) (code string, f found, err error) {
	ctx := r.Context()
	code, ok := link.Parse(r.PathValue("code"))
	if !ok {
		code = r.PathValue("code")
	}
	f, err = s.store.byCode(ctx, code)
	state := link.Unknown
	switch {
	case errors.Is(err, fault.ErrNotFound):
	case err != nil:
		return code, f, err
	case f.visit.ID == "":
		return code, f, errRebuilding
	default:
		state = f.state(s.options.Zone)
	}
	switch state {
	case link.Unknown:
		return code, f, s.limited(ctx, missRule, request.From(ctx).ClientKey(), noSuchLink)
	case link.Gone:
		return code, f, s.limited(ctx, readRule, f.visitID, linkEnded)
	}
	return code, f, s.limited(ctx, readRule, f.visitID, nil)
}

// limited counts a request. Above the limit it returns the notice of too many requests, otherwise underLimit.
func (s *Service) limited(ctx context.Context, rule limit.Rule, key string, underLimit error) error {
	err := s.limiter.Allow(ctx, rule, key)
	if err == nil {
		return underLimit
	}
	return notice{page.TooMany, http.StatusTooManyRequests, readLimited, fault.Of(err).RetryAfter}
}

// answer writes the notice for an error. It logs an error that is not a notice.
func (s *Service) answer(w http.ResponseWriter, r *http.Request, err error) error {
	var n notice
	if !errors.As(err, &n) {
		s.log.WarnContext(r.Context(), "a visitor's page is not answered", "cause", err)
		n = unavailable
	}
	s.metrics.read(n.result)
	body, err := n.page.Render(noticeLanguage(r))
	if err != nil {
		return fault.ErrInternal.Because(err)
	}
	if n.after > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(int(math.Ceil(n.after.Seconds()))))
	}
	return writePage(w, r, n.status, body, page.NoticeStyle)
}

func (s *Service) servePage(w http.ResponseWriter, r *http.Request) error {
	code, f, err := s.find(r)
	if err == nil && r.Method == http.MethodGet {
		err = s.open(r.Context(), code, f)
	}
	if err != nil {
		return s.answer(w, r, err)
	}
	s.metrics.read(readOpen)
	random := make([]byte, 12)
	_, _ = rand.Read(random) // never fails, see crypto/rand
	nonce := base64.RawURLEncoding.EncodeToString(random)
	body, err := page.Render(s.view(r.Context(), code, f, pageLanguage(r, f)), nonce)
	if err != nil {
		return fault.ErrInternal.Because(err)
	}
	return writePage(w, r, http.StatusOK, body, "nonce-"+nonce)
}

// open counts that a page was opened, and publishes an event the first time.
func (s *Service) open(ctx context.Context, code string, f found) error {
	return s.outbox.InTx(ctx, func(tx pgx.Tx) error {
		opens, err := s.store.opened(ctx, tx, code)
		if err != nil || opens > 1 {
			return err
		}
		return outbox.Append(ctx, tx, linkOpened(f.visitID, f.visit.Token, s.sender(ctx)))
	})
}

func (s *Service) serveState(w http.ResponseWriter, r *http.Request) error {
	code, f, err := s.find(r)
	if err != nil {
		return s.answer(w, r, err)
	}
	s.metrics.read(readOpen)
	view := s.view(r.Context(), code, f, pageLanguage(r, f))
	summary := view.Summary()
	if summary.Page, err = page.Tag(view); err != nil {
		return fault.ErrInternal.Because(err)
	}
	checked := summary.Checked
	w.Header().Set("X-Checked", checked) // time of the database's clock, sent even if nothing else has changed
	summary.Checked = ""
	tagged := summary
	summary.Checked = checked
	return wire.WriteTagged(w, r, summary, tagged)
}

// serveAction returns the handler of a visitor's action. It redirects to the page, also if the action is impossible.
func (s *Service) serveAction(action string) func(http.ResponseWriter, *http.Request) error {
	return func(w http.ResponseWriter, r *http.Request) error {
		form, err := s.readForm(w, r, mostForm)
		var code string
		var f found
		if err == nil {
			code, f, err = s.find(r)
		}
		req := visitorRequest{Action: action}
		if action == actionLate {
			req.Minutes, _ = strconv.Atoi(form.Get("minutes"))
		}
		if err == nil && (action != actionLate || slices.Contains([]int{10, 20, 30}, req.Minutes)) {
			err = s.limited(r.Context(), actionRule, f.visitID, nil)
			switch {
			case err != nil:
			case action == actionBack:
				err = s.askBack(r.Context(), f)
			default:
				err = s.act(r.Context(), f, req)
			}
		}
		if err != nil {
			return s.answer(w, r, err)
		}
		return back(w, code)
	}
}

func (s *Service) serveLanguage(w http.ResponseWriter, r *http.Request) error {
	form, err := s.readForm(w, r, mostForm)
	var code string
	var f found
	if err == nil {
		code, f, err = s.find(r)
	}
	if err != nil {
		return s.answer(w, r, err)
	}
	if chosen := form.Get("lang"); slices.Contains(f.office.offered(), chosen) {
		s.keepLanguage(w, chosen)
	}
	return back(w, code)
}

func (s *Service) keepLanguage(w http.ResponseWriter, chosen string) {
	//nolint:gosec // not HttpOnly, because the web application reads and sets it; Secure only on an HTTPS site
	http.SetCookie(w, &http.Cookie{
		Name: request.LanguageCookie, Value: chosen, Path: "/", MaxAge: cookieSeconds, SameSite: http.SameSiteLaxMode,
		Secure: strings.HasPrefix(s.options.Base, "https:"),
	})
}

func back(w http.ResponseWriter, code string) error {
	w.Header().Set("Location", "/q/"+code)
	w.WriteHeader(http.StatusSeeOther)
	return nil
}

// mostForm is the size of the largest form of a visit's page in bytes.
const mostForm = 1 << 10

// readForm reads a form that a page of lobby has sent, with a limit on its bytes.
func (s *Service) readForm(w http.ResponseWriter, r *http.Request, most int64) (url.Values, error) {
	if !s.isOurs(r) {
		return nil, notOurs
	}
	r.Body = http.MaxBytesReader(w, r.Body, most)
	if err := r.ParseForm(); err != nil {
		return nil, notOurs
	}
	return r.PostForm, nil
}

// isOurs reports whether a page of this site sent the form: Origin has the host of the product or of the request.
func (s *Service) isOurs(r *http.Request) bool {
	origin, err := url.Parse(r.Header.Get("Origin"))
	if err != nil || origin.Host == "" {
		return false
	}
	return origin.Host == r.Host || origin.Scheme+"://"+origin.Host == s.origin
}

// pageLanguage returns the language of a page: the first language that the office offers among those of the query, the
// cookie, the visit and the browser, in this order.
func pageLanguage(r *http.Request, f found) string {
	chosen, accepted := wanted(r)
	return f.office.chosen(slices.Concat(chosen, []string{f.visit.Language}, accepted)...)
}

// noticeLanguage returns the language of a notice, which depends on no visit.
func noticeLanguage(r *http.Request) string {
	chosen, accepted := wanted(r)
	for _, name := range slices.Concat(chosen, accepted) {
		if page.Has(name) {
			return name
		}
	}
	return page.English
}

// wanted returns the languages that the visitor has chosen, then those of the browser.
func wanted(r *http.Request) (chosen, accepted []string) {
	kept, accepted := request.Languages(r)
	return []string{r.URL.Query().Get("lang"), kept}, accepted
}

// serveScript writes the script of the page. Its address changes with its content.
func serveScript(w http.ResponseWriter, r *http.Request) error {
	w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
	return writeText(w, r, http.StatusOK, "text/javascript", page.Script)
}
