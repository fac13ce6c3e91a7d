package auth

import (
	"context"
	_ "embed"
	"html/template"
	"net/http"
	"net/url"
	"regexp"

	"baari.dev/services/auth/mailing"
	"baari.dev/services/platform/endpoint"
	"baari.dev/services/platform/request"
)

func (s *Service) passwordRoutes() []endpoint.Route {
	return []endpoint.Route{
		{Method: http.MethodPost, Pattern: base + "/change-password", Access: ownAccount(), Limit: secretRate,
			Handler: endpoint.JSON(s.readChangePassword, withRenewal(s, s.changePassword))},
		{Method: http.MethodPost, Pattern: base + "/request-password-reset", Access: endpoint.Public(), Limit: mailRate,
			Handler: endpoint.JSON(s.readRequestReset, s.requestReset)},
		{Method: http.MethodPost, Pattern: base + "/forget-password", Access: endpoint.Public(), Limit: mailRate,
			Handler: endpoint.JSON(s.readRequestReset, s.forgetPassword)},
		{Method: http.MethodGet, Pattern: base + "/reset-password/{token}", Access: endpoint.Public(), Limit: tokenRate,
			Handler: endpoint.Stream(s.serveResetLink)},
		{Method: http.MethodPost, Pattern: base + "/reset-password", Access: endpoint.Public(), Limit: tokenRate,
			Handler: endpoint.JSON(s.readResetPassword, s.resetPassword)},
		{Method: http.MethodGet, Pattern: base + "/error", Access: endpoint.Public(),
			Handler: endpoint.Stream(s.serveErrorPage)},
	}
}

type changePassword struct {
	Current string
	New     string
	Revoke  bool
	marks   []string
}

func (s *Service) readChangePassword(r *http.Request) (changePassword, error) {
	o, err := s.read(r, false, "newPassword", "currentPassword", "revokeOtherSessions")
	if err != nil {
		return changePassword{}, err
	}
	req := changePassword{
		New:     o.text("newPassword"),
		Current: o.text("currentPassword"),
		Revoke:  o.flag("revokeOtherSessions", false),
		marks:   s.cookies.browser(r).marks,
	}
	return req, o.err()
}

type passwordChanged struct {
	Token *string  `json:"token"`
	User  authUser `json:"user"`
}

func (s *Service) changePassword(ctx context.Context, req changePassword) (answer, error) {
	made, renewed, err := s.ChangePassword(ctx, req)
	if err != nil {
		return answer{}, err
	}
	if !renewed {
		return answer{body: passwordChanged{User: answerAuthUser(made.User)}}, nil
	}
	return s.withSession(made, passwordChanged{Token: &made.token, User: answerAuthUser(made.User)}), nil
}

// requestReset is the request for a reset link. RedirectTo is the page that sets the password.
type requestReset struct {
	Email      string
	RedirectTo string
}

func (s *Service) readRequestReset(r *http.Request) (requestReset, error) {
	o, err := s.read(r, false, "email")
	if err != nil {
		return requestReset{}, err
	}
	req := requestReset{Email: o.email("email"), RedirectTo: o.optionalText("redirectTo")}
	return req, o.err()
}

// resetRequested is the answer to requestReset, for known and unknown addresses.
type resetRequested struct {
	Status  bool   `json:"status"`
	Message string `json:"message,omitempty"`
}

func (s *Service) requestReset(ctx context.Context, req requestReset) (resetRequested, error) {
	err := s.RequestReset(ctx, req)
	return resetRequested{true, "If this email exists in our system, check your email for the reset link"}, err
}

// forgetPassword is requestReset with the name and answer of better-auth 1.3.
func (s *Service) forgetPassword(ctx context.Context, req requestReset) (resetRequested, error) {
	return resetRequested{Status: true}, s.RequestReset(ctx, req)
}

// serveResetLink redirects to callbackURL, with the token or an error code; if callbackURL is empty, to the error page.
func (s *Service) serveResetLink(w http.ResponseWriter, r *http.Request) error {
	o, err := s.readQuery(r)
	if err != nil {
		return err
	}
	callback := o.text("callbackURL")
	if err := o.err(); err != nil {
		return err
	}
	token := r.PathValue("token")
	valid, err := s.ResetTokenValid(r.Context(), token)
	switch {
	case err != nil:
		return err
	case callback == "":
		return s.redirect(w, base+"/error", "error", errInvalidToken.Code)
	case !valid:
		return s.redirect(w, callback, "error", errInvalidToken.Code)
	}
	return s.redirect(w, callback, "token", token)
}

// redirect answers 302 to the absolute URL of address with one more query parameter.
func (s *Service) redirect(w http.ResponseWriter, address, name, value string) error {
	site, err := url.Parse(s.options.BaseURL)
	if err != nil {
		return err
	}
	target, err := site.Parse(address)
	if err != nil {
		return err
	}
	query := target.Query()
	query.Set(name, value)
	target.RawQuery = query.Encode()
	w.Header().Set("Location", target.String())
	w.WriteHeader(http.StatusFound)
	return nil
}

type resetPassword struct {
	Token string
	New   string
}

func (s *Service) readResetPassword(r *http.Request) (resetPassword, error) {
	o, err := s.read(r, false, "newPassword", "token")
	if err != nil {
		return resetPassword{}, err
	}
	req := resetPassword{New: o.text("newPassword"), Token: o.optionalText("token")}
	if req.Token == "" {
		req.Token = r.URL.Query().Get("token")
	}
	return req, o.err()
}

func (s *Service) resetPassword(ctx context.Context, req resetPassword) (status, error) {
	return status{true}, s.ResetPassword(ctx, req)
}

//go:embed error.html
var errorHTML string

var (
	errorPage = template.Must(template.New("error.html").Parse(errorHTML))
	errorCode = regexp.MustCompile(`^['A-Za-z0-9_-]{1,64}$`)
)

// brokenLink is the data of the error page.
type brokenLink struct {
	mailing.Texts
	Language string
	Code     string
}

// serveErrorPage sends the page for reset links without a callbackURL, in the reader's language.
func (s *Service) serveErrorPage(w http.ResponseWriter, r *http.Request) error {
	code := r.URL.Query().Get("error")
	if !errorCode.MatchString(code) {
		code = "UNKNOWN"
	}
	language := request.From(r.Context()).Language(s.mails.Languages())
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Language", language)
	w.Header().Set("Vary", "Cookie, Accept-Language")
	w.Header().Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'; base-uri 'none'")
	return errorPage.Execute(w, brokenLink{mailing.TextsOf(language), language, code})
}
