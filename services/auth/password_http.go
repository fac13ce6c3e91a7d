package auth

import (
	"context"
	"net/http"
	"net/url"
	"time"

	"baari.dev/services/auth/account"
	"baari.dev/services/platform/endpoint"
	"baari.dev/services/platform/limit"
)

// The rates of what sends mail, and of what asks for a password again.
var (
	mailRate   = limit.Rule{Name: "mail", By: limit.PerAddress, Count: 3, Period: time.Minute, Burst: 3}
	tokenRate  = limit.Rule{Name: "mail-token", By: limit.PerAddress, Count: 60, Period: time.Minute, Burst: 60}
	secretRate = limit.Rule{Name: "secret", By: limit.PerUser, Count: 3, Period: 10 * time.Second, Burst: 3}
)

func (s *Service) passwordRoutes() []endpoint.Route {
	return []endpoint.Route{
		{Method: http.MethodPost, Pattern: base + "/change-password", Access: own(), Limit: secretRate,
			Handler: endpoint.JSON(s.readChangePassword, renewing(s, s.changePassword))},
		{Method: http.MethodPost, Pattern: base + "/request-password-reset", Access: endpoint.Public(), Limit: mailRate,
			Handler: endpoint.JSON(s.readRequestReset, s.requestReset)},
		{Method: http.MethodPost, Pattern: base + "/forget-password", Access: endpoint.Public(), Limit: mailRate,
			Handler: endpoint.JSON(s.readRequestReset, s.forgetPassword)},
		{Method: http.MethodGet, Pattern: base + "/reset-password/{token}", Access: endpoint.Public(), Limit: tokenRate,
			Handler: endpoint.Stream(s.serveResetLink)},
		{Method: http.MethodPost, Pattern: base + "/reset-password", Access: endpoint.Public(), Limit: tokenRate,
			Handler: endpoint.JSON(s.readResetPassword, s.resetPassword)},
		{Method: http.MethodGet, Pattern: base + "/error", Access: endpoint.Public(), Handler: endpoint.Stream(serveErrorPage)},
	}
}

// changePassword is a new password, and the present one as proof.
type changePassword struct {
	Current string
	New     string
	Revoke  bool
}

func (s *Service) readChangePassword(r *http.Request) (changePassword, error) {
	o, err := s.read(r, false, "newPassword", "currentPassword", "revokeOtherSessions")
	if err != nil {
		return changePassword{}, err
	}
	req := changePassword{New: o.text("newPassword"), Current: o.text("currentPassword"), Revoke: o.flag("revokeOtherSessions", false)}
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
	return s.handOver(made, passwordChanged{Token: &made.token, User: answerAuthUser(made.User)}), nil
}

// requestReset asks for a mail that sets a new password on the page RedirectTo.
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

// resetRequested is the answer to a request for a mail, known address or not.
type resetRequested struct {
	Status  bool   `json:"status"`
	Message string `json:"message,omitempty"`
}

func (s *Service) requestReset(ctx context.Context, req requestReset) (resetRequested, error) {
	err := s.RequestReset(ctx, req)
	return resetRequested{true, "If this email exists in our system, check your email for the reset link"}, err
}

// forgetPassword is requestReset as better-auth 1.3 names and answers it.
func (s *Service) forgetPassword(ctx context.Context, req requestReset) (resetRequested, error) {
	return resetRequested{Status: true}, s.RequestReset(ctx, req)
}

// serveResetLink redirects the link of a reset mail to the page that sets the password.
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
	holds, err := s.ResetHolds(r.Context(), token)
	switch {
	case err != nil:
		return err
	case callback == "":
		return s.redirect(w, base+"/error", "error", errInvalidToken.Code)
	case !holds:
		return s.redirect(w, callback, "error", errInvalidToken.Code)
	}
	return s.redirect(w, callback, "token", token)
}

// redirect answers 302 to an address of this site or another, in full and with a parameter more.
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

// resetPassword sets a new password with the token of a mail.
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

// own lets every member of staff act on their own account.
func own() endpoint.Access { return endpoint.Roles(account.Roles...).Owned("self").Cookie() }

// renewing adds the cookies of a session that was renewed on the way to an answer that sets none.
func renewing[Req any](s *Service, call func(context.Context, Req) (answer, error)) func(context.Context, Req) (answer, error) {
	return func(ctx context.Context, req Req) (answer, error) {
		out, err := call(ctx, req)
		c := currentOf(ctx)
		if err != nil || !c.renewed || len(out.header["Set-Cookie"]) > 0 {
			return out, err
		}
		return s.handOver(c, out.body), nil
	}
}
